"""Checks on what errata's verbs are given, so that a mistake is one line and no strange score or error deep inside."""

from __future__ import annotations

import os
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import is_dataclass
from numbers import Integral, Real
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

from errata.errors import AlignmentError, UsageError

# What to give, where the name of a type does not say it well. Numbers may be NumPy's.
_WORDS: dict[Any, str] = {
    None: "None",
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "a str",
    Path: "a Path",
    os.PathLike: "a Path",
    Callable: "a function",
    Mapping: "a dict",
    Sequence: "a list",
    tuple: "a list of texts",
}


def check_type(name: str, value: object, kind: Any) -> None:
    """Raise a `TypeError` unless the value is of a kind, which is written as in a signature: `float`, `str | None`.

    >>> check_type("min_confidence", True, float)
    Traceback (most recent call last):
    TypeError: min_confidence is of type bool: give a number
    """
    kinds = get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)
    plain = [None if one in (None, type(None)) else get_origin(one) or one for one in kinds]
    if not any(_is_a(value, one) for one in plain):
        wanted = " or ".join(dict.fromkeys(_WORDS.get(one) or f"a {getattr(one, '__name__', one)}" for one in plain))
        raise TypeError(f"{name} is of type {type(value).__name__}: give {wanted}")


def _is_a(value: object, kind: Any) -> bool:
    if kind is None:
        return value is None
    if kind in (int, float):  # True is a number to Python, but nobody means it as one
        return isinstance(value, Integral if kind is int else Real) and not isinstance(value, bool)
    if kind is Callable:
        return callable(value)
    if kind is tuple:
        return _is_list(value) and all(isinstance(one, str) for one in value)  # type: ignore[attr-defined]
    if getattr(kind, "_is_protocol", False):
        can_do = (hasattr(value, name) for name in vars(kind) if not name.startswith("_"))
        return not isinstance(value, type) and all(can_do)
    return isinstance(value, kind) if isinstance(kind, type) else True


def check_options(maker: Any, options: Mapping[str, object]) -> None:
    """Check the types of options by the signature of what takes them: a dataclass, a class or a function."""
    if options:
        is_class = isinstance(maker, type) and not is_dataclass(maker)
        hints = get_type_hints(maker.__init__ if is_class else maker)
        for name, value in options.items():
            check_type(name, value, hints.get(name, Any))


def check_path(name: str, path: object) -> None:
    """Refuse what cannot be the path of a file."""
    check_type(name, path, str | os.PathLike)
    written = os.fspath(path)  # type: ignore[call-overload]
    if not isinstance(written, str):
        raise TypeError(f"{name} is a path of bytes: give a str or a Path")
    if not written:
        raise UsageError(f"{name} is '': a file has a name")
    try:
        is_name = b"\0" not in os.fsencode(written)
    except UnicodeEncodeError:  # half a character
        is_name = False
    if not is_name:
        raise UsageError(f"{name} is {written!r}, which no file can be called")


def check_words(name: str, words: object) -> tuple[str, ...]:
    """The words or phrases as they were given; a single text would be taken for a list of letters."""
    if isinstance(words, str | bytes) or not isinstance(words, Iterable):
        raise TypeError(f"{name} is of type {type(words).__name__}: give a list of words, such as {name}=['errata']")
    given = tuple(words)
    for place, word in enumerate(given):
        check_type(f"{name}[{place}]", word, str)
        check_encodable(f"{name}[{place}]", word)
        if not word.strip():
            raise UsageError(f"{name}[{place}] is blank: give the words that stay as they are")
    return given


def check_texts(name: str, texts: Sequence[str]) -> None:
    """Refuse what is no list of texts."""
    check_list(name, texts)
    for place, text in enumerate(texts):
        check_type(f"{name}[{place}]", text, str)
        check_encodable(f"{name}[{place}]", text)


def check_encodable(name: str, text: str) -> None:
    """Refuse a text with half a character in it, which no file can hold."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UsageError(f"{name} has half a character (a lone surrogate) at {error.start}: take it out") from None


def check_list(name: str, entries: object) -> None:
    """Refuse what is no list; a single text would be taken for a list of letters."""
    if not _is_list(entries):
        raise TypeError(f"{name} is of type {type(entries).__name__}: give a list with one entry for each sentence")


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def check_length(name: str, size: int, other: str, wanted: int) -> None:
    """Refuse lists that must be parallel and are not."""
    if size != wanted:
        raise AlignmentError(f"{size} {name} and {wanted} {other}: give one for each, in the same order")
