"""JSON without its loose ends: no repeated keys, no NaN, no half characters; and values checked for their kind."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar

T = TypeVar("T")

_NAMES = {str: "a string", int: "a number", list: "a list", dict: "an object", bool: "true or false"}


def loads(text: str) -> Any:
    """The value of a JSON text; `ValueError` (or `json.JSONDecodeError`, with a position) saying what is wrong."""
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ValueError as error:
        if str(error).startswith("Exceeds the limit"):  # of Python, for reasons of its own
            raise ValueError("a number has thousands of digits") from None
        raise
    if "\\u" in text:
        try:
            dumps(value).encode("utf-8")
        except UnicodeEncodeError:
            raise ValueError("a \\u escape is half of a surrogate pair") from None
    return value


def dumps(value: Any, *, indent: int | None = None) -> str:
    """JSON text as people read it: no ASCII escapes; `ValueError` or `TypeError` when a value has no JSON form."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)


def get(record: Mapping[str, Any], key: str, kind: type[T]) -> T:
    """The value at `key`; `ValueError` unless it is there and of that kind."""
    if key not in record:
        raise ValueError(f"{key!r} is missing")
    return expect(record[key], key, kind)


def expect(value: Any, what: str, kind: type[T]) -> T:
    """The value itself; `ValueError` unless it is of that kind (true and false are no numbers)."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ValueError(f"{what!r} is not {_NAMES[kind]}")
    return value


def expect_all(values: Any, what: str, kind: type[T]) -> tuple[T, ...]:
    """The members of a list, all of one kind."""
    return tuple(expect(value, what, kind) for value in expect(values, what, list))


def refuse_others(record: Mapping[str, Any], known: frozenset[str]) -> None:
    """`ValueError` when a record has a key that would be dropped."""
    if not record.keys() <= known:
        raise ValueError(f"unknown field {sorted(record.keys() - known)[0]!r}")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ValueError(f"the key {key!r} comes twice")
            seen.add(key)
    return record


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
