"""One line that says how a score was computed: `errant|F0.5|v:0.1.0|mode:cs`; `compared` adds what was compared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from errata import __version__


def _text(value: Any) -> str:
    """A value as it stands in a signature; `|` and spaces would make the line ambiguous."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, str):
        return value.replace("|", "/").replace(" ", "_")
    if isinstance(value, Iterable):
        return ",".join(_text(part) for part in value)
    return str(value)


def make_signature(name: str, headline: str = "", **fields: Any) -> str:
    """`make_signature("errant", "F0.5", mode="cs")` is `errant|F0.5|v:0.1.0|mode:cs`, without fields that are None."""
    told = [f"{key}:{_text(value)}" for key, value in fields.items() if value is not None]
    return "|".join([name, *([headline] if headline else []), f"v:{__version__}", *told])
