"""English verbs that must not come to say something else: "stopped to smoke", "the sun rised", "should of not gone"."""

from __future__ import annotations

import re
from dataclasses import replace

from errata.model import TextEdit

# Verbs that mean one thing before "to do" and another before "doing". In W&I and FCE (dev and train) editors exchange
# the two after `try` in 10 of 665 places, after `forget` in 1 of 58, after `remember` in none of 16.
_TWO_MEANINGS = r"(?:stop(?:s|ped|ping)?|remember(?:s|ed|ing)?|forg[eo]t(?:s|ten|ting)?|tr(?:y|ies|ied|ying))"
# "He stopped to read" is what he wanted to do. "He can't stop to read" and "he has stopped to read" are mistakes: of 22
# places where people wrote `stop to`, editors made `doing` of 11, most of them such ones.
_MISTAKEN = re.compile(
    r"(?:\b(?:not|never|cannot|have|has|had|(?:ca|do|did|does|wo)nt)|n['’]t|['’]ve)\s+(?:(?!to\b)\w+\s+)?stop\w*\s",
    re.IGNORECASE,
)
_INFINITIVE = re.compile(
    rf"\b{_TWO_MEANINGS}\s+(?P<form>to\s+(?!\w+ing\b(?<!\bbring)(?<!\bring)(?<!\bsing))[a-z]+)\b", re.IGNORECASE
)
_GERUND = re.compile(
    rf"\b{_TWO_MEANINGS}\s+(?P<form>(?!\w*thing\b|s?p?ring\b|bring\b|sing\b)[a-z]{{2,30}}ing)\b", re.IGNORECASE
)
# Characters on either side of an edit in which such a verb and the words that go with it stand.
REACH = 60

# Who raises something says what. "rised" without that is "rose" or "risen", and no edit is better than a wrong one.
_OBJECT = re.compile(
    r"\s{1,4}(?:the|a|an|this|that|these|those|my|your|his|her|its|our|their|some|any|no|money|it|them|him|us|me|you)\b",
    re.IGNORECASE,
)
_OF_NOT = re.compile(r"\b(?:should|could|would|might|must)(?:n['’]t)?\s+(?P<of>of)\s+not\b", re.IGNORECASE)


def changes_verb(text: str, edit: TextEdit) -> bool:
    """Whether an edit makes "doing" of "to do", or the other way round, where that means something else, or "raised"
    of a "rised" that has no object.

    >>> changes_verb("He stopped to smoke.", TextEdit(11, 19, "smoking"))
    True
    >>> changes_verb("He can't stop to smoke.", TextEdit(14, 22, "smoking"))
    False
    """
    return _changes_form(text, edit) or _raises_nothing(text, edit)


def _changes_form(text: str, edit: TextEdit) -> bool:
    first = max(0, edit.start - REACH)
    old = text[first : edit.end + REACH]
    start, end = edit.start - first, edit.end - first
    new = old[:start] + edit.replacement + old[end:]
    for pattern in (_INFINITIVE, _GERUND):
        for match in pattern.finditer(old):
            form_start, form_end = match.span("form")
            is_touched = start < form_end and form_start < end and start >= match.start()
            if is_touched and not _MISTAKEN.search(old, 0, form_start) and not pattern.match(new, match.start()):
                return True
    return False


def _raises_nothing(text: str, edit: TextEdit) -> bool:
    is_raised = text[edit.start : edit.end].strip().lower() == "rised" and edit.replacement.strip().lower() == "raised"
    return is_raised and not _OBJECT.match(text, edit.end)


def mend_of(text: str, edit: TextEdit) -> TextEdit:
    """An edit that takes out the "of" of "should of not gone" as one that writes "have"; any other as it is.

    >>> mend_of("You should of not gone.", TextEdit(10, 13, ""))
    TextEdit(start=11, end=13, replacement='have', type='UNK', confidence=None)
    """
    if text[edit.start : edit.end].strip().lower() != "of" or edit.replacement.strip():
        return edit
    match = _OF_NOT.search(text, max(0, edit.start - REACH), edit.end + REACH)
    if match is None or not (edit.start <= match.start("of") and match.end("of") <= edit.end):
        return edit
    return replace(edit, start=match.start("of"), end=match.end("of"), replacement="have")
