"""The kind of a Chinese edit: ChERRANT's operations (M missing, R redundant, S substituted, W word order), and what it
is about where the characters say so."""

from __future__ import annotations

import re

from errata.model import TextEdit
from errata.text.projection import trim_edit

_DE = frozenset("的地得")
_ASPECT = frozenset("了着过")
_IS_WORD = re.compile(r"\w")


def classify_chinese(text: str, edit: TextEdit) -> str:
    """The type of an edit of `text`: M, R, S or W, with `:PUNCT`, `:DE`, `:ASPECT` or `:SPELL` where it fits."""
    change = trim_edit(text, edit)
    old, new = text[change.start : change.end].strip(), change.replacement.strip()
    if not old and not new:
        return "S:SPACE"
    operation = "M" if not old else "R" if not new else "W" if sorted(old) == sorted(new) else "S"
    if not _IS_WORD.search(old + new):
        return f"{operation}:PUNCT"
    if operation == "W":
        return "W"
    touched = set(old + new)
    if touched <= _DE:
        return f"{operation}:DE"
    if touched <= _ASPECT:
        return f"{operation}:ASPECT"
    return "S:SPELL" if operation == "S" and sound_alike(old, new) else operation


def sound_alike(old: str, new: str) -> bool:
    """Whether two different texts of the same length are read alike, character by character, tones aside."""
    from errata.edits.zh.readings import toneless_readings

    if len(old) != len(new) or old.isascii() or new.isascii():
        return False
    pairs = zip(toneless_readings(list(old)), toneless_readings(list(new)), strict=True)
    return all(left & right for left, right in pairs)
