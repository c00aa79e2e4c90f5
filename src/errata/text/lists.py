"""Checks on the lists of texts that errata's verbs take, so that a mistake is one line and not a strange score."""

from __future__ import annotations

from collections.abc import Sequence

from errata.errors import AlignmentError


def check_texts(name: str, texts: Sequence[str]) -> None:
    """Refuse what is no list of texts."""
    check_list(name, texts)
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"{name}[{place}] is of type {type(text).__name__}: give a str")


def check_list(name: str, entries: object) -> None:
    """Refuse what is no list; a single text would be taken for a list of letters."""
    if isinstance(entries, str) or not isinstance(entries, Sequence):
        raise TypeError(f"{name} is of type {type(entries).__name__}: give a list with one entry for each sentence")


def check_length(name: str, size: int, other: str, wanted: int) -> None:
    """Refuse lists that must be parallel and are not."""
    if size != wanted:
        raise AlignmentError(f"{size} {name} and {wanted} {other}: give one for each, in the same order")
