"""Capitals in the middle of a sentence: "I like it, its good" → "I like it, It's good".

A tagger that takes a clause for a sentence gives it a capital, but not always the full stop that goes with it, or a
full stop, but not the capital.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from errata.model import TextEdit
from errata.text.english_words import CLAUSE_OPENERS, CONJUNCTIONS
from errata.text.words import ABBREVIATIONS, Span

_COMMA = re.compile(r",\s{0,3}\Z")
# The word that an edit begins with, up to an apostrophe: It|'s.
_FIRST_WORD = re.compile(r"\s*(?P<word>[A-Za-z]+)")
# Words that begin a clause as well as a sentence, and are no names. "I" has its capital everywhere.
_SMALL = frozenset({*CLAUSE_OPENERS, *CONJUNCTIONS}) - {"I"}
# The word behind a full stop, if it has no capital and is no name such as eBay, and the word before one.
_SMALL_WORD, _WORD_BEFORE = re.compile(r"\s{1,3}(?P<word>[a-z]+)(?![\w.@/])"), re.compile(r"[A-Za-z.]{1,20}\s?\Z")
# Spaces and the comma before an edit.
REACH = 4


def comma_before_capital(text: str, edit: TextEdit) -> int | None:
    """Where the comma stands after which the edit gives a small word a capital; None if it does no such thing.

    >>> comma_before_capital("It is, its good.", TextEdit(7, 10, "It's"))
    5
    """
    comma = _COMMA.search(text[max(0, edit.start - REACH) : edit.start])
    old, new = _FIRST_WORD.match(text[edit.start : edit.end]), _FIRST_WORD.match(edit.replacement)
    if comma is None or old is None or new is None or not old["word"][0].islower() or new["word"][0].islower():
        return None
    return edit.start - len(comma[0]) if new["word"].lower() in _SMALL else None


def small_after_stop(text: str, edit: TextEdit) -> Span | None:
    """The word without a capital behind a full stop that the edit puts in; None if it does no such thing.

    >>> small_after_stop("It was late we left", TextEdit(11, 11, "."))
    (12, 14)
    """
    if edit.replacement.strip() != "." or "." in text[edit.start : edit.end]:
        return None
    before = _WORD_BEFORE.search(text[max(0, edit.start - 21) : edit.start])
    known = before[0].strip() if before else ""
    if known in ABBREVIATIONS or known.lower() in ABBREVIATIONS or (len(known) == 1 and known not in "Ii"):
        return None
    small = _SMALL_WORD.match(text, edit.end)
    return small.span("word") if small else None


def bring_capitals(text: str, edits: Sequence[TextEdit], sentence: Span) -> list[TextEdit]:
    """The edits of a sentence, in order; a full stop inside it brings a capital, unless the next word changes anyhow.

    >>> bring_capitals("It was late we left", [TextEdit(11, 11, ".")], (0, 19))[0].replacement
    '. We'
    """
    found: list[TextEdit] = []
    for edit, following in zip_longest(edits, edits[1:]):
        word = small_after_stop(text, edit)
        if word is None or word[1] > sentence[1] or (following is not None and following.start <= word[1]):
            found.append(edit)
            continue
        start, end = word
        capital = text[edit.end : start] + text[start].upper() + text[start + 1 : end]
        found.append(replace(edit, end=end, replacement=edit.replacement + capital, alternatives=()))
    return found


def begins_list_item(text: str, edit: TextEdit, sentence: Span) -> bool:
    """Whether the edit gives a capital to an item of a list: what begins with a small letter and ends with a semicolon.

    >>> begins_list_item("the title, if supplied;", TextEdit(0, 3, "The"), (0, 23))
    True
    """
    start, end = sentence
    is_first = not text[start : edit.start].strip()
    is_capital = text[edit.start : edit.end].islower() and edit.replacement[:1].isupper()
    return is_first and is_capital and text[start:end].rstrip().endswith(";")


def without_capital(edit: TextEdit) -> TextEdit:
    """The edit with a small letter at its beginning.

    >>> without_capital(TextEdit(7, 10, "It's")).replacement
    "it's"
    """
    word = edit.replacement.lstrip()
    blank = edit.replacement[: len(edit.replacement) - len(word)]
    return replace(edit, replacement=blank + word[:1].lower() + word[1:])
