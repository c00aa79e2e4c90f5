"""Parts of words and numbers that an edit must not lose: the `re-` of re-download, the point of 0.5.

A tagger reads a hyphen or a point as punctuation, and may take it for a wrong one.
"""

from __future__ import annotations

import re

from errata.model import TextEdit
from errata.text.projection import trim_edit

# Prefixes that change what a word means. Negative ones are the affair of `errata.edits.negation`.
_PREFIXED = re.compile(r"(?<![\w-])(re|de|pre|post|co|sub)-(?=[a-z]{2})", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_VERSION = re.compile(r"v\d")
# No word is longer than this many characters.
LONGEST = 40
_WORD_BEFORE, _WORD_AFTER = re.compile(rf"[\w-]{{0,{LONGEST}}}\Z"), re.compile(rf"[\w-]{{0,{LONGEST}}}")


def drops_prefix(text: str, edit: TextEdit) -> bool:
    """Whether the edit takes a prefix with a hyphen off a word. In W&I no annotator did that.

    >>> drops_prefix("You only re-download it.", TextEdit(9, 20, "download"))
    True
    >>> drops_prefix("You only re-download it.", TextEdit(9, 20, "redownload"))
    False
    """
    before = _WORD_BEFORE.search(text[max(0, edit.start - LONGEST) : edit.start])
    after = _WORD_AFTER.match(text, edit.end)
    head, tail = before[0] if before else "", after[0] if after else ""
    old, new = head + text[edit.start : edit.end] + tail, head + edit.replacement + tail
    words = [word.lower() for word in _WORD.findall(new)]
    return any(not any(word.startswith(prefix.lower()) for word in words) for prefix in _PREFIXED.findall(old))


def breaks_number(text: str, edit: TextEdit) -> bool:
    """Whether the edit puts a space or a hyphen for the point or comma of a number, or a hyphen before a version.

    In W&I no annotator did that.

    >>> breaks_number("It takes 0.5 ms.", TextEdit(10, 11, "-"))
    True
    >>> breaks_number("At 5.30 p.m.", TextEdit(4, 5, ":"))
    False
    """
    change = trim_edit(text, edit)
    if change.replacement == "-" and _VERSION.match(text, change.end):
        return True
    if text[change.start : change.end] not in (".", ",") or change.replacement not in (" ", "-"):
        return False
    return text[max(0, change.start - 1) : change.start].isdigit() and text[change.end : change.end + 1].isdigit()
