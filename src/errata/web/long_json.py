"""The JSON of answers that may be long, item by item: other threads run in between, and there may be thousands.

All is bytes: a text of 40 million characters, joined and encoded, holds up other threads for a fifth of a second.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any


def dump_members(members: Mapping[str, bytes]) -> bytes:
    """The object whose members have this JSON."""
    return b"".join([b"{", b",".join(b"".join([dump(name), b":", value]) for name, value in members.items()), b"}"])


def dump_items(items: Iterable[bytes]) -> bytes:
    """The list whose items have this JSON."""
    return b"".join([b"[", b",".join(items), b"]"])


def dump_value(value: Any) -> bytes:
    """The JSON of a value; that of a list is made item by item, and the list is empty afterwards.

    To free thousands of items at once would hold up other threads as much as to write them at once.
    """
    return dump_items(map(dump, _taken(value))) if isinstance(value, list) else dump(value)


def _taken(items: list[Any]) -> Iterator[Any]:
    items.reverse()
    while items:
        yield items.pop()


def dump(value: Any) -> bytes:
    """The JSON of a value, at once."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
