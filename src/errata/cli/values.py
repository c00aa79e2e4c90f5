"""Values of options that make no sense, whichever option it is: empty ones, and numbers that are none.

`--model "$MODEL"` is empty where the variable is not set, and `nan` is a float that no comparison refuses.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from errata.errors import UsageError


def refuse_empty(command: Any, arguments: Sequence[str]) -> None:
    """Raise if an option among the arguments of a command, or of one of its subcommands, has an empty value."""
    options = _options_with_values(command)
    for argument, value in pairwise((*arguments, "-")):
        name, equals, rest = argument.partition("=")
        if name in options and not (rest if equals else value):
            raise UsageError(f"{name} is empty: give it a value, or leave it out")


def refuse_no_numbers(command: Any) -> None:
    """Make the options of a command, and of its subcommands, refuse `nan` and `inf`."""
    for parameter in command.params:
        parameter.callback = _finite_before(parameter.callback)
    for subcommand in getattr(command, "commands", {}).values():
        refuse_no_numbers(subcommand)


def _finite_before(callback: Any) -> Any:
    """What an option does with its value, for finite numbers and for whatever is no number."""

    def check(context: Any, parameter: Any, value: Any) -> Any:
        if isinstance(value, float) and not math.isfinite(value):
            raise UsageError(f"{parameter.opts[0]} is {value}: give a number")
        return value if callback is None else callback(context, parameter, value)

    return check


def _options_with_values(command: Any) -> set[str]:
    options = {
        name for parameter in command.params if not getattr(parameter, "is_flag", True) for name in parameter.opts
    }
    return options.union(*map(_options_with_values, getattr(command, "commands", {}).values()))
