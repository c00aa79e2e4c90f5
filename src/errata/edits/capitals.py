"""Capitals in the middle of a sentence: "I like it, its good" → "I like it, It's good".

A tagger that takes a clause for a sentence gives it a capital, but not always the full stop that goes with it.
"""

from __future__ import annotations

import re
from dataclasses import replace

from errata.model import TextEdit
from errata.text.english_words import CLAUSE_OPENERS, CONJUNCTIONS
from errata.text.words import Span

_COMMA = re.compile(r",\s{0,3}\Z")
# The word that an edit begins with, up to an apostrophe: It|'s.
_FIRST_WORD = re.compile(r"\s*(?P<word>[A-Za-z]+)")
# Words that begin a clause as well as a sentence, and are no names. "I" has its capital everywhere.
_SMALL = frozenset({*CLAUSE_OPENERS, *CONJUNCTIONS}) - {"I"}
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
