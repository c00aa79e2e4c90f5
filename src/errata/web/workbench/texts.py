"""What people write: answers, comments and names, checked and made comparable."""

from __future__ import annotations

import unicodedata

from errata.text.tokens import NO_ERROR, NOT_ANNOTATABLE
from errata.web.refusals import Refusal

# An answer may be this many times as long as its source, in characters, and so many longer.
TIMES_SOURCE, BESIDE_SOURCE = 4, 200
# Longer pairs cannot be aligned (`errata.edits.zh.align`): nobody could review them.
MAX_SOURCE, MAX_ANSWER = 5_000, 8_000
MAX_NAME, MAX_COMMENT, MAX_GUIDELINES = 200, 5_000, 200_000
MAX_ANSWERS = 20
# Characters of all that a file says of one sentence.
MAX_ORIGIN = 1_000_000

# Line and paragraph separators break lines, but do not count as control characters.
_LINE_BREAKS = frozenset("\u2028\u2029")
_IN_PROSE = frozenset("\n\t")


def same(target: str) -> str:
    """What two texts have in common that are one answer: they may differ in white space."""
    return " ".join(target.split())


def clean_line(text: str, what: str, max_length: int) -> str:
    """One line without white space at its ends; refused where it is empty, too long or has control characters."""
    text = text.replace("\r\n", "\n").strip()
    if not text:
        raise Refusal(422, f"{what} is empty")
    return _check(text, what, max_length, allowed=frozenset())


def clean_prose(text: str, what: str, max_length: int = MAX_COMMENT) -> str:
    """Some lines of text, or none."""
    return _check(text.replace("\r\n", "\n").strip(), what, max_length, allowed=_IN_PROSE)


def longest_answer(source: str) -> int:
    """Characters that a correction of this sentence may have."""
    return min(TIMES_SOURCE * len(source) + BESIDE_SOURCE, MAX_ANSWER)


def clean_answer(text: str, source: str) -> str:
    """A whole corrected sentence."""
    target = clean_line(text, "the answer", longest_answer(source))
    if same(target) in (NO_ERROR, NOT_ANNOTATABLE):
        raise Refusal(422, f"{same(target)} is no sentence: choose “error free” or “not annotatable” instead")
    return target


def find_fault(text: str, allowed: frozenset[str] = frozenset()) -> str | None:
    """What a text has that no text should have: control characters, line breaks, halves of characters."""
    for character in text:
        category = unicodedata.category(character)
        if category == "Cs":
            return "half a character (a lone surrogate)"
        if (category == "Cc" and character not in allowed) or character in _LINE_BREAKS - allowed:
            name = (
                "a line break" if character in "\r\n\u2028\u2029" else f"the control character U+{ord(character):04X}"
            )
            return "a tab" if character == "\t" else name
    return None


def _check(text: str, what: str, max_length: int, allowed: frozenset[str]) -> str:
    if len(text) > max_length:
        raise Refusal(422, f"{what} has {len(text)} characters; {max_length} is the most")
    if fault := find_fault(text, allowed):
        raise Refusal(422, f"{what} has {fault}: remove it")
    return text
