"""How patterns of both languages are written: the brackets, the words in them, and what is said of slips.

A slip of notation that were read as text would never match, or match everywhere. So a sign stands where it means
something, or alone, or in quotes.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import NamedTuple
from unicodedata import category

from errata.errors import DataError

BECOMES = ">"
QUOTE = '"'
# Signs that are no part of a word, and their wide twins, which Chinese keyboards give.
_SIGNS = frozenset('[]|>~^$*?!"')
_WIDE = {
    "［": "[", "］": "]", "｜": "|", "＞": ">", "＾": "^", "＄": "$", "＊": "*", "？": "?", "！": "!", "…": "...",
}  # fmt: skip
# Marks that are tokens of their own beside letters.
_MARKS = frozenset("(){}/+=<,;:“”")
# Categories of characters that cannot be seen: a zero-width space, a line separator.
_INVISIBLE = frozenset(("Cc", "Cf", "Zl", "Zp"))
# Characters of a pattern that a message shows.
SHOWN = 40


class Marked(NamedTuple):
    """The elements of a pattern before, inside and behind its brackets, and what stands behind ` > `."""

    before: list[str]
    old: list[str]
    after: list[str]
    new: list[str]


def split_marked(text: str, where: str, example: str, *, replaces: bool) -> Marked:
    """The parts of a pattern; `replaces` is whether it says what the words in brackets become, as `find` does."""
    n_open, n_closed = text.count("["), text.count("]")
    if n_open != 1 or n_closed != 1 or text.index("[") > text.index("]"):
        slip = (
            "a bracket is not closed; "
            if n_open > n_closed
            else "a bracket is not opened; "
            if n_closed > n_open
            else ""
        )
        raise DataError(f"{where}: {slip}mark what is replaced, once: {example}")
    before, _, rest = text.partition("[")
    inside, _, after = rest.partition("]")
    parts = inside.split()
    n_becomes = parts.count(BECOMES)
    if BECOMES in (*before.split(), *after.split()) or n_becomes > 1:
        raise DataError(f"{where}: “ > ” stands once, in the brackets: {example}")
    if replaces and not n_becomes:
        raise DataError(f"{where}: [{shorten(inside)}] lacks “ > ” and what comes instead; “[of > ]” takes a word out")
    if n_becomes and not replaces:
        raise DataError(f"{where}: skip has no “ > ”: it only says where the rule does not count")
    if parts == [BECOMES]:
        raise DataError(f"{where}: the brackets are empty: {example}")
    at = parts.index(BECOMES) if n_becomes else len(parts)
    return Marked(before.split(), parts[:at], after.split(), parts[at + 1 :])


def split_choices(part: str, where: str, element: str) -> list[str]:
    """The words of an element with `|` between them, none of which is empty; `element` is all of it, for messages."""
    entries = part.split("|")
    if "" in entries:
        raise DataError(f"{where}: {shorten(element)} has an empty word, which would fit everywhere: take it out")
    return entries


def check_word(word: str, where: str) -> None:
    """Refuse a word with a sign of the notation in it; marks alone (`?`, `!!`) are words."""
    if word.isalpha():
        return
    _check_visible(word, where)
    if not any(map(str.isalnum, word)):
        return
    has_letters = any(map(str.isalpha, word))
    for character in word:
        if character in _WIDE:
            advice = f"write {_WIDE[character]}, or put a space beside it"
            raise DataError(f"{where}: {shorten(word)} has a wide {character}: {advice}")
        if character in _MARKS and has_letters:
            advice = f"put a space beside {character}, or {QUOTE} around all of it"
            raise DataError(f"{where}: {shorten(word)} is no word: {advice}")
        if character in _SIGNS:
            raise DataError(f"{where}: {shorten(word)} is no word: {character} has no meaning there{_hint(character)}")
    if ".." in word:
        raise DataError(f"{where}: {shorten(word)} is no word: “...” has no meaning there")


def _check_visible(word: str, where: str) -> None:
    """Refuse an empty word, and characters that nobody sees and that are there by mistake."""
    if not word:
        raise DataError(f"{where}: an empty word would fit everywhere: take it out")
    for character in word:
        if category(character) in _INVISIBLE:
            raise DataError(f"{where}: {shorten(word)!r} has U+{ord(character):04X}, which nobody sees: take it out")


def _hint(sign: str) -> str:
    if sign == QUOTE:
        return "; quotes stand around one token"
    if sign == "|":
        return "; in a class, spaces stand between words"
    return ""


def unquote(entry: str, where: str) -> str | None:
    """The word in quotes, as it is written; None where there are no quotes around it."""
    if entry == QUOTE or not (entry.startswith(QUOTE) and entry.endswith(QUOTE)):
        return None
    word = entry[1:-1]
    _check_visible(word, where)
    if QUOTE in word and any(map(str.isalnum, word)):
        raise DataError(f"{where}: {shorten(entry)} is no word: {QUOTE} has no meaning there{_hint(QUOTE)}")
    return word


def no_class(name: str, known: Iterable[str], where: str) -> DataError:
    """What is said of a class that nobody has defined, with the nearest that is there."""
    near = get_close_matches(name.upper(), known, n=1)
    advice = f"did you mean {near[0]}?" if near else "classes stand above the rules that use them;"
    return DataError(f"{where}: there is no class {shorten(name)}; {advice} words are in small letters, or in quotes")


def shorten(text: str) -> str:
    """A text as messages show it."""
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
