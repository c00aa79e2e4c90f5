"""Edits that do not go together, or leave half a word: `you're` → `your're`, `they is` → `it are`.

A tagger judges every word by itself, so it may mend one mistake at both of its ends. `leave_out_clashes` keeps the
surer of two such edits; `makes_broken_contraction` finds edits that leave half a contraction.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from errata.edits.negation import APOSTROPHE, AUXILIARIES
from errata.model import TextEdit

# What may be written before a contraction; n't has its own list. 's and 'd follow any noun.
_HOSTS: dict[str, frozenset[str]] = {
    "re": frozenset("you we they who what where how there these those why when".split()),
    "m": frozenset({"i"}),
    "ve": frozenset("i you we they who could should would might must may there what where to".split()),
    "ll": frozenset(
        "i you he she it we they who what that this these those there where how why when someone somebody everyone "
        "everybody anyone anybody nobody one".split()
    ),
    "t": AUXILIARIES,
}
_CONTRACTION = re.compile(
    rf"(?<![^\W\d_])(?P<host>[^\W\d_]{{1,20}}?)(?:n?{APOSTROPHE}(?P<not>t)|{APOSTROPHE}(?P<rest>re|m|ve|ll))(?![\w'’])",
    re.IGNORECASE,
)
# A contraction on a contraction, whether or not a space is between them: I'm'n't, I'm n't.
_DOUBLED = re.compile(rf"{APOSTROPHE}(?:m|re|ve|ll|s|d|t)?[^\S\r\n]?n{APOSTROPHE}t(?!\w)", re.IGNORECASE)
_SINGULAR_SUBJECTS, _PLURAL_SUBJECTS = frozenset("he she it".split()), frozenset("we you they".split())
_SINGULAR_VERBS, _PLURAL_VERBS = frozenset("is has does was".split()), frozenset("are have do were".split())
_GAP = re.compile(r"[^\S\r\n]*")
# Longest stretch before and after an edit that is read for a contraction.
REACH = 40


def makes_broken_contraction(text: str, edit: TextEdit) -> bool:
    """Whether a contraction stands on a word that cannot have it, and did not before.

    >>> makes_broken_contraction("I think you're right.", TextEdit(8, 11, "your"))
    True
    >>> makes_broken_contraction("We doesn't know.", TextEdit(3, 7, "do"))
    False
    """
    before, after = text[max(0, edit.start - REACH) : edit.start], text[edit.end : edit.end + REACH]
    broken = _broken(before + edit.replacement + after)
    return bool(broken) and bool(broken - _broken(before + text[edit.start : edit.end] + after))


def _broken(text: str) -> set[str]:
    doubled = {match[0].lower() for match in _DOUBLED.finditer(text)}
    return doubled | {
        match[0].lower()
        for match in _CONTRACTION.finditer(text)
        if not _may_have(match["host"].lower(), (match["not"] or match["rest"]).lower(), has_n="n" in match[0][-3:-1])
    }


def _may_have(host: str, contraction: str, *, has_n: bool) -> bool:
    """Whether a word may stand before a contraction; `'t` without its n may follow no word but `can`."""
    if host == "n" and contraction == "t":
        return True  # in tokenised text n't is a word of its own
    if contraction == "t" and not has_n:
        return host in ("can", "don", "won", "isn") or host.endswith("n")
    return host in _HOSTS[contraction]


def clash(text: str, left: TextEdit, right: TextEdit) -> bool:
    """Whether two edits of neighbouring words, the left one first, mend the same mistake twice.

    >>> clash("They is here.", TextEdit(0, 4, "It"), TextEdit(5, 7, "are"))
    True
    >>> clash("The dog bark.", TextEdit(4, 7, "dogs", "R:NOUN:NUM"), TextEdit(8, 12, "barks", "R:VERB:SVA"))
    True
    """
    if not _GAP.fullmatch(text, left.end, right.start):
        return False
    subject, verb = left.replacement.strip().lower(), right.replacement.strip().lower()
    if subject in _SINGULAR_SUBJECTS:
        return verb in _PLURAL_VERBS
    if subject in _PLURAL_SUBJECTS:
        return verb in _SINGULAR_VERBS
    old_subject, old_verb = text[left.start : left.end].strip().lower(), text[right.start : right.end].strip().lower()
    if left.type != "R:NOUN:NUM" or right.type != "R:VERB:SVA":
        return False
    is_plural_now, was_plural = _is_plural(subject, old_subject), _is_plural(old_subject, subject)
    is_singular_verb = verb in _SINGULAR_VERBS or verb in (f"{old_verb}s", f"{old_verb}es")
    is_plural_verb = verb in _PLURAL_VERBS or old_verb in (f"{verb}s", f"{verb}es")
    return (is_plural_now and is_singular_verb) or (was_plural and is_plural_verb)


def _is_plural(word: str, other: str) -> bool:
    """Whether the first of two forms of a noun is its plural."""
    return word in (f"{other}s", f"{other}es") or (other.endswith("y") and word == f"{other[:-1]}ies")


def leave_out_clashes(text: str, edits: Sequence[TextEdit], doubts: Sequence[float]) -> list[int]:
    """The numbers of the edits that stay when the more doubtful of any two that clash goes."""
    kept: list[int] = []
    for number, edit in enumerate(edits):
        while kept and clash(text, edits[kept[-1]], edit):
            if doubts[kept[-1]] < doubts[number]:
                break
            kept.pop()
        else:
            kept.append(number)
    return kept
