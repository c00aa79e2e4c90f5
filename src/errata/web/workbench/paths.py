"""Ids and numbers that stand in the address of a request."""

from __future__ import annotations

from collections.abc import Mapping

from errata.web.ids import ALPHABET, N_RANDOM, N_TIME
from errata.web.refusals import Refusal

_LETTERS = frozenset(ALPHABET)


def check_id(text: str) -> str:
    """The id itself. What cannot be one is not there, and never reaches the database."""
    if len(text) != N_TIME + N_RANDOM or not _LETTERS.issuperset(text):
        raise Refusal(404, "there is no such thing, or you may not see it")
    return text


def read_number(query: Mapping[str, str], name: str, default: int, *, least: int = 0, most: int = 1_000_000) -> int:
    """A number of the query, or its default."""
    text = query.get(name, "")
    if not text:
        return default
    if not text.isascii() or not text.isdigit() or len(text) > 9 or not least <= int(text) <= most:
        raise Refusal(422, f"{name} is a whole number from {least} to {most}")
    return int(text)


def read_choice(query: Mapping[str, str], name: str, choices: tuple[str, ...]) -> str:
    """One of the choices, by default the first."""
    text = query.get(name, "") or choices[0]
    if text not in choices:
        raise Refusal(422, f"{name} is one of {', '.join(choice for choice in choices if choice)}")
    return text
