"""Pairs of partly corrected sentences, the better one known by the impact of its edits (section 2 of the paper).

The impact of an edit is how far the corrected sentence moves when the edit is left out: 1 minus the cosine of the two
sentences' vectors. Of two subsets of a sentence's edits, the one with the larger sum of impacts makes the better
sentence.

Not in the paper: a sentence may have wrong edits too. The impact of one is how far it moves the corrected sentence, and
counts against the subset that has it. Edits that cannot both be applied are never in one subset.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from errata.edits.apply import apply_edits
from errata.judges.impara.wrong_edits import WrongEdits, conflict
from errata.judges.vectors import cosines
from errata.model import Edit, Tokens
from errata.training.pairs import Example

log = logging.getLogger(__name__)

Vectors = Callable[[Sequence[Tokens]], np.ndarray]
# Two sets of edits, by their numbers.
Subsets = tuple[frozenset[int], frozenset[int]]
# The numbers of the edits with which each edit cannot be applied; those without any are left out.
Conflicts = Mapping[int, Collection[int]]
# Sentences whose impacts are computed together.
CHUNK = 512


@dataclass(frozen=True, slots=True)
class RankedPair:
    """Two corrections of a sentence, the better one first."""

    better: Tokens
    worse: Tokens


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A source with its gold edits and its wrong ones. Edits are numbered, the gold ones first."""

    tokens: Tokens
    gold: tuple[Edit, ...]
    wrong: tuple[Edit, ...]

    @property
    def edits(self) -> tuple[Edit, ...]:
        return self.gold + self.wrong

    def find_conflicts(self) -> Conflicts:
        """Gold edits fit together; a wrong one may conflict with any other."""
        found: dict[int, set[int]] = {}
        for place, edit in enumerate(self.wrong, len(self.gold)):
            for other, second in enumerate(self.edits[:place]):
                if conflict(edit, second):
                    found.setdefault(place, set()).add(other)
                    found.setdefault(other, set()).add(place)
        return found

    def apply(self, chosen: Iterable[int]) -> Tokens:
        return apply_edits(self.tokens, [self.edits[place] for place in sorted(chosen)])

    def spoil(self, wrong: Edit) -> Tokens:
        """The corrected sentence with a wrong edit, which takes the place of gold edits that it conflicts with."""
        return apply_edits(self.tokens, [*(edit for edit in self.gold if not conflict(edit, wrong)), wrong])


def draw_subsets(
    n_edits: int, limit: int, rng: np.random.Generator, conflicts: Conflicts | None = None
) -> list[Subsets]:
    """Up to `limit` different pairs of unequal subsets of `n_edits` edits.

    The first has a random size, one edit or more. The second has each edit's membership changed with probability
    1 / `n_edits`, so the two differ in few edits. Of edits that conflict, the first subset has the one drawn first. In
    the second subset an edit that is put in replaces those it conflicts with.
    """
    drawn: dict[frozenset[frozenset[int]], Subsets] = {}
    for _ in range(limit):
        size = int(rng.integers(1, n_edits + 1))
        first = _keep_compatible(rng.choice(n_edits, size, replace=False).tolist(), conflicts)
        toggled = frozenset(np.flatnonzero(rng.random(n_edits) < 1 / n_edits).tolist())
        if toggled:
            second = _keep_compatible([*sorted(toggled - first), *sorted(first - toggled)], conflicts)
            drawn.setdefault(frozenset((first, second)), (first, second))
    return list(drawn.values())


def _keep_compatible(places: Sequence[int], conflicts: Conflicts | None) -> frozenset[int]:
    """The edits, but for those that conflict with an earlier one."""
    if not conflicts:
        return frozenset(places)
    kept: set[int] = set()
    for place in places:
        if kept.isdisjoint(conflicts.get(place, ())):
            kept.add(place)
    return frozenset(kept)


def measure_impacts(examples: Sequence[Example], vectors: Vectors) -> list[np.ndarray]:
    """The impact of each edit of each example."""
    whole = vectors([apply_edits(tokens, edits) for tokens, edits in examples])
    return _measure_changes(whole, [_leave_each_out(tokens, edits) for tokens, edits in examples], vectors)


def _leave_each_out(tokens: Tokens, edits: Sequence[Edit]) -> list[Tokens]:
    return [apply_edits(tokens, [*edits[:place], *edits[place + 1 :]]) for place in range(len(edits))]


def _measure_changes(whole: np.ndarray, changed: Sequence[Sequence[Tokens]], vectors: Vectors) -> list[np.ndarray]:
    """How far each changed form of each sentence is from the sentence, whose vectors are `whole`."""
    counts = [len(forms) for forms in changed]
    flat = [form for forms in changed for form in forms]
    impacts = 1 - cosines(np.repeat(whole, counts, axis=0), vectors(flat)) if flat else np.zeros(0)
    return np.split(impacts, np.cumsum(counts)[:-1])


def _measure_values(sentences: Sequence[_Sentence], vectors: Vectors) -> list[np.ndarray]:
    """What each edit adds to the value of a subset: a gold one its impact, a wrong one its impact below 0."""
    whole = vectors([apply_edits(sentence.tokens, sentence.gold) for sentence in sentences])
    gold = _measure_changes(whole, [_leave_each_out(one.tokens, one.gold) for one in sentences], vectors)
    wrong = _measure_changes(whole, [[one.spoil(edit) for edit in one.wrong] for one in sentences], vectors)
    return [np.concatenate([good, -bad]) for good, bad in zip(gold, wrong, strict=True)]


def rank_pairs(
    examples: Iterable[Example],
    vectors: Vectors,
    *,
    limit: int | None,
    each: int,
    seed: int,
    wrong: WrongEdits | None = None,
    wrong_share: float | None = None,
) -> list[RankedPair]:
    """Ranked pairs of examples with edits: at most `each` for an example, `limit` in all, drawn from all at random.

    `wrong` has wrong edits by source. With it an example without gold edits makes pairs too. Pairs whose sentences
    differ in wrong edits make `wrong_share` of all (None: as many as are drawn): of the others, or of them, some are
    left out at random.
    """
    found = (_Sentence(tokens, edits, (wrong or {}).get(tokens, ())) for tokens, edits in examples)
    edited = [sentence for sentence in found if sentence.edits]
    rng = np.random.default_rng(seed)
    drawn = [
        (row, subsets)
        for row, sentence in enumerate(edited)
        for subsets in draw_subsets(len(sentence.edits), each, rng, sentence.find_conflicts())
    ]
    if wrong_share is not None:
        drawn = _balance(drawn, edited, wrong_share, rng)
    if limit is not None and len(drawn) > limit:
        drawn = [drawn[place] for place in np.sort(rng.choice(len(drawn), limit, replace=False))]
    by_row: dict[int, list[Subsets]] = {}
    for row, subsets in drawn:
        by_row.setdefault(row, []).append(subsets)
    pairs = list(_rank(edited, by_row, vectors))
    log.info("%d pairs of %d sentences; %d alike left out", len(pairs), len(by_row), len(drawn) - len(pairs))
    return pairs


def _balance(
    drawn: Sequence[tuple[int, Subsets]], sentences: Sequence[_Sentence], share: float, rng: np.random.Generator
) -> list[tuple[int, Subsets]]:
    """The drawn pairs without some of one kind, so that those that differ in wrong edits make `share` of them."""
    is_wrong = np.array([max(first ^ second) >= len(sentences[row].gold) for row, (first, second) in drawn], bool)
    n_wrong = int(is_wrong.sum())
    n_others = len(drawn) - n_wrong
    if not n_wrong or not n_others:
        log.warning(
            "%s of %d pairs differ in wrong edits: wrong_share is not kept", "all" if n_wrong else "none", len(drawn)
        )
        return list(drawn)
    kept = {
        True: min(n_wrong, round(n_others * share / (1 - share))),
        False: min(n_others, round(n_wrong * (1 - share) / share)),
    }
    places = [rng.choice(np.flatnonzero(is_wrong == kind), n, replace=False) for kind, n in kept.items()]
    log.info("%d pairs that differ in wrong edits, %d others", kept[True], kept[False])
    return [drawn[place] for place in np.sort(np.concatenate(places))]


def _rank(sentences: Sequence[_Sentence], by_row: dict[int, list[Subsets]], vectors: Vectors) -> Iterator[RankedPair]:
    rows = list(by_row)
    for start in range(0, len(rows), CHUNK):
        chosen = rows[start : start + CHUNK]
        for row, values in zip(chosen, _measure_values([sentences[row] for row in chosen], vectors), strict=True):
            for first, second in by_row[row]:
                gain = float(values[sorted(first)].sum() - values[sorted(second)].sum())
                better, worse = (first, second) if gain > 0 else (second, first)
                pair = RankedPair(sentences[row].apply(better), sentences[row].apply(worse))
                if gain and pair.better and pair.worse and pair.better != pair.worse:
                    yield pair
