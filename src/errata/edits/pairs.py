"""Edits that only make sense together: a word that moves, and a verb that loses or gets an auxiliary.

A tagger judges every word by itself. It moves a word by deleting it in one place and inserting it in another, and may
trust the halves differently. Half a move loses a word or doubles it. In the same way `have seen` becomes `saw` by two
edits, one of which leaves `he never seen it` or `I have saw it`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from errata.model import Edit, Tokens

# Tokens that a word moves across at most, by language. Two edits of the same word that are farther apart are mostly two
# corrections: on W&I dev, 16 of 17 pairs across 1–2 words were moves, and none of 13 across 4 or more was one. Chinese
# tokens are characters; on MuCGEC dev, words move across up to 7 of them.
REACH = {"en": 3, "zh": 7}
# Articles come and go by themselves: `the` goes here, and another `the` is missing two words on. So do particles.
_INDEPENDENT = frozenset("a an the 的 地 得 了 着 过".split())
_AUXILIARIES = frozenset("am is are was were be been being have has had having do does did will would".split())


@dataclass(frozen=True, slots=True)
class Pair:
    """The numbers of two edits that belong together, in order; a pair is a move or an auxiliary with its verb."""

    left: int
    right: int
    is_move: bool


def find_pairs(tokens: Tokens, edits: Sequence[Edit], types: Sequence[str], language: str) -> list[Pair]:
    """The pairs among edits of `tokens`, which are in order; each edit is in one pair at most.

    >>> find_pairs(("We", "only", "could", "go"), [Edit(1, 2, ()), Edit(3, 3, ("only",))], ["U:ADV", "M:ADV"], "en")
    [Pair(left=0, right=1, is_move=True)]
    """
    found: list[Pair] = []
    taken: set[int] = set()
    candidates = sorted(_moves(tokens, edits, REACH.get(language, 0)))
    if language == "en":
        candidates += [(0, left, left + 1, False) for left in _verbs(tokens, edits, types)]
    for _, left, right, is_move in candidates:  # the shortest moves first
        if not {left, right} & taken:
            taken |= {left, right}
            found.append(Pair(left, right, is_move))
    return sorted(found, key=lambda pair: pair.left)


def _moves(tokens: Tokens, edits: Sequence[Edit], reach: int) -> list[tuple[int, int, int, bool]]:
    """Deletions and insertions of the same words near each other, with how many tokens are between them."""
    found: list[tuple[int, int, int, bool]] = []
    for left, first in enumerate(edits):
        for right in range(left + 1, len(edits)):
            gap = edits[right].start - first.end
            if gap > reach:
                break
            words = _moved(tokens, first, edits[right]) or _moved(tokens, edits[right], first)
            if gap and words and not set(words) <= _INDEPENDENT and any(map(str.isalnum, words)):
                found.append((gap, left, right, True))
    return found


def _moved(tokens: Tokens, deletion: Edit, insertion: Edit) -> Tokens:
    """The words, in lower case, that one edit deletes and the other inserts; none if they do anything else."""
    if deletion.replacement or insertion.start != insertion.end:
        return ()
    words = _lower(tokens[deletion.start : deletion.end])
    return words if words == _lower(insertion.replacement) else ()


def _lower(words: Tokens) -> Tokens:
    return tuple(word.lower() for word in words)


def _verbs(tokens: Tokens, edits: Sequence[Edit], types: Sequence[str]) -> list[int]:
    """The numbers of the edits that delete or insert an auxiliary and are followed by a new form of its verb."""
    return [
        number
        for number, (edit, following) in enumerate(pairwise(edits))
        if edit.end == following.start
        and following.start < following.end
        and _is_about_auxiliary(tokens, edit)
        # A past tense can do without a missing auxiliary, a participle cannot.
        and types[number + 1].startswith("R:VERB" if edit.start < edit.end else "R:VERB:FORM")
    ]


def _is_about_auxiliary(tokens: Tokens, edit: Edit) -> bool:
    """Whether the edit deletes or inserts auxiliaries, and does nothing else."""
    old, new = _lower(tokens[edit.start : edit.end]), _lower(edit.replacement)
    return bool(old) != bool(new) and _AUXILIARIES.issuperset((*old, *new))
