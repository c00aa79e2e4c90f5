"""The JSON of answers that may be long, item by item: other threads run in between, and there may be thousands."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any


def dump_members(members: Mapping[str, str]) -> str:
    """The object whose members have this JSON."""
    return "{" + ",".join(f"{dump(name)}:{value}" for name, value in members.items()) + "}"


def dump_items(items: Iterable[str]) -> str:
    """The list whose items have this JSON."""
    return "[" + ",".join(items) + "]"


def dump_value(value: Any) -> str:
    """The JSON of a value; that of a long list is made item by item."""
    return dump_items(map(dump, value)) if isinstance(value, list) else dump(value)


def dump(value: Any) -> str:
    """The JSON of a value, at once."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
