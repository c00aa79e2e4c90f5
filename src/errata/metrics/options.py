"""Options given by name, handed to the metrics that know them."""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

from errata.errors import UsageError, find_nearest
from errata.metrics.base import Metric, get_metric, metric_class

TRUE, FALSE = frozenset({"true", "yes", "on", "1"}), frozenset({"false", "no", "off", "0"})


def option_types(metric: str) -> dict[str, Any]:
    """The options of a metric and their types: `{"beta": float, …}`."""
    kind = metric_class(metric).Options
    hints = get_type_hints(kind)
    return {one.name: hints[one.name] for one in fields(kind)}


def make_metrics(wanted: Mapping[str, Mapping[str, Any]], given: Mapping[str, Any]) -> list[Metric[Any]]:
    """The wanted metrics, each with its own options and those of `given` it knows.

    Texts in `given` are read as the option's type. An option that no wanted metric knows is a `UsageError`.
    """
    known = {name: option_types(name) for name in wanted}
    for option in given:
        if not any(option in types for types in known.values()):
            raise UsageError(_explain_unknown(option, known))
    made = []
    for name, own in wanted.items():
        chosen = dict(own) | {
            option: read_value(option, value, known[name][option])
            for option, value in given.items()
            if option in known[name]
        }
        made.append(get_metric(name, **chosen))
    return made


def _explain_unknown(option: str, known: Mapping[str, Iterable[str]]) -> str:
    flag = "--" + option.replace("_", "-")
    choices = sorted({name for options in known.values() for name in options})
    near = find_nearest(option, choices)
    hint = f"did you mean {near}? " if near else ""
    told = f"it takes {', '.join(choices)}" if choices else "it takes no options"
    return f"{flag} means nothing to {' or '.join(known)}; {hint}{told}"


def read_value(option: str, value: Any, type_: Any) -> Any:
    """A text as a value of the type: `read_value("beta", "1", float)` is 1.0; other values pass as they are."""
    if not isinstance(value, str):
        return value
    if get_origin(type_) in (Union, types.UnionType):
        inner = [one for one in get_args(type_) if one is not type(None)]
        return None if value.lower() == "none" else read_value(option, value, inner[0])
    if get_origin(type_) is tuple:
        return tuple(part for part in value.split(",") if part)
    if type_ is bool:
        if value.lower() not in TRUE | FALSE:
            raise UsageError(f"{option} is yes or no, not {value!r}")
        return value.lower() in TRUE
    if type_ in (int, float, Path):
        try:
            return type_(value)
        except ValueError:
            raise UsageError(f"{option} must be a number, not {value!r}") from None
    return value
