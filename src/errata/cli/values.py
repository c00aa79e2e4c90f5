"""Values of options that make no sense, whichever option it is: empty ones, and numbers that are none or out of range.

`--model "$MODEL"` is empty where the variable is not set, and `nan` is a float that no comparison refuses.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, get_args

from errata.errors import UsageError

# What counters of the machine hold: beyond it, libraries fail in words of their own.
LARGEST = 2**63 - 1


def refuse_empty(command: Any, arguments: Sequence[str]) -> None:
    """Raise if an option among the arguments of a command, or of one of its subcommands, has an empty value."""
    options = _options_with_values(command)
    for argument, value in pairwise((*arguments, "-")):
        name, equals, rest = argument.partition("=")
        if name in options and not (rest if equals else value):
            raise UsageError(f"{name} is empty: give it a value, or leave it out")


def refuse_no_numbers(command: Any) -> None:
    """Make the options of a command, and of its subcommands, refuse `nan`, `inf` and whole numbers without measure."""
    for parameter in command.params:
        parameter.callback = _finite_before(parameter.callback)
    for subcommand in getattr(command, "commands", {}).values():
        refuse_no_numbers(subcommand)


def describe_number(error: Any) -> str | None:
    """What is wrong with a number, and which ones are allowed: `--k is 0: give a whole number from 1 to 20`.

    None where the option takes no number. Typer's own words are those of a library (`Input should be …`).
    """
    parameter = getattr(error, "param", None)
    found = _find_range(parameter)
    if parameter is None or found is None:
        return None
    is_whole, least, most = found
    kind = "a whole number" if is_whole else "a number"
    if least is not None and most is not None:
        kind += f" from {least:g} to {most:g}"
    elif least is not None:
        kind = f"{kind}, {least:g} or more"
    elif most is not None:
        kind = f"{kind}, {most:g} or less"
    name = parameter.opts[-1] if parameter.opts[-1].startswith("-") else parameter.opts[0]
    return f"{name}{_find_value(error)}: give {kind}"


def _find_range(parameter: Any) -> tuple[bool, float | None, float | None] | None:
    """Whether an option takes whole numbers, and its least and greatest one; None where it takes no numbers."""
    descriptor = getattr(parameter, "type_descriptor", None)
    if descriptor is not None:
        kinds = {descriptor.annotation, *get_args(descriptor.annotation)}
        limits = descriptor.parameter_info
    else:  # Typer before 0.26
        limits = getattr(parameter, "type", None)
        name = str(getattr(limits, "name", ""))
        kinds = {int} if name.startswith("integer") else {float} if name.startswith("float") else set()
    if not kinds & {int, float}:
        return None
    return float not in kinds, getattr(limits, "min", None), getattr(limits, "max", None)


def _find_value(error: Any) -> str:
    """` is 0`, or nothing where it is not known what was given."""
    faults = getattr(error.__cause__, "errors", None)
    if faults is not None:
        return f" is {str(faults()[0]['input'])[:40]}"
    quoted = _GIVEN.match(error.message)
    return f" is {(quoted[1] or quoted[2])[:40]}" if quoted else ""


# How Typer before 0.26 begins: `'x' is not a valid integer.`, `0 is not in the range 1<=x<=20.`
_GIVEN = re.compile(r"'([^']*)' is not a valid|(\S+) is not in the range")


def _finite_before(callback: Any) -> Any:
    """What an option does with its value, for finite numbers and for whatever is no number."""

    def check(context: Any, parameter: Any, value: Any) -> Any:
        if isinstance(value, float) and not math.isfinite(value):
            raise UsageError(f"{parameter.opts[0]} is {value}: give a number")
        if isinstance(value, int) and abs(value) > LARGEST:
            raise UsageError(
                f"{parameter.opts[0]} is {str(value)[:40]}: give a number of {len(str(LARGEST)) - 1} digits at most"
            )
        return value if callback is None else callback(context, parameter, value)

    return check


def _options_with_values(command: Any) -> set[str]:
    options = {
        name for parameter in command.params if not getattr(parameter, "is_flag", True) for name in parameter.opts
    }
    return options.union(*map(_options_with_values, getattr(command, "commands", {}).values()))
