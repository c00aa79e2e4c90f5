"""Pairs of partly corrected sentences, the better one known by the impact of its edits (section 2 of the paper).

The impact of an edit is how far the corrected sentence moves when the edit is left out: 1 minus the cosine of the two
sentences' vectors. Of two subsets of a sentence's edits, the one with the larger sum of impacts makes the better
sentence.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from errata.edits.apply import apply_edits
from errata.judges.vectors import cosines
from errata.model import Edit, Tokens
from errata.training.pairs import Example

log = logging.getLogger(__name__)

Vectors = Callable[[Sequence[Tokens]], np.ndarray]
# Two sets of edits, by their numbers.
Subsets = tuple[frozenset[int], frozenset[int]]
# Sentences whose impacts are computed together.
CHUNK = 512


@dataclass(frozen=True, slots=True)
class RankedPair:
    """Two corrections of a sentence, the better one first."""

    better: Tokens
    worse: Tokens


def draw_subsets(n_edits: int, limit: int, rng: np.random.Generator) -> list[Subsets]:
    """Up to `limit` different pairs of unequal subsets of `n_edits` edits.

    The first has a random size, one edit or more. The second has each edit's membership changed with probability
    1 / `n_edits`, so the two differ in few edits.
    """
    drawn: dict[frozenset[frozenset[int]], Subsets] = {}
    for _ in range(limit):
        size = int(rng.integers(1, n_edits + 1))
        first = frozenset(rng.choice(n_edits, size, replace=False).tolist())
        toggled = frozenset(np.flatnonzero(rng.random(n_edits) < 1 / n_edits).tolist())
        if toggled:
            second = first ^ toggled
            drawn.setdefault(frozenset((first, second)), (first, second))
    return list(drawn.values())


def measure_impacts(examples: Sequence[Example], vectors: Vectors) -> list[np.ndarray]:
    """The impact of each edit of each example."""
    targets = [apply_edits(tokens, edits) for tokens, edits in examples]
    without = [
        apply_edits(tokens, [*edits[:place], *edits[place + 1 :]])
        for tokens, edits in examples
        for place in range(len(edits))
    ]
    counts = [len(edits) for _, edits in examples]
    whole, partial = vectors(targets), vectors(without)
    impacts = 1 - cosines(np.repeat(whole, counts, axis=0), partial) if without else np.zeros(0)
    return np.split(impacts, np.cumsum(counts)[:-1])


def rank_pairs(
    examples: Iterable[Example], vectors: Vectors, *, limit: int | None, each: int, seed: int
) -> list[RankedPair]:
    """Ranked pairs of examples with edits: at most `each` for an example, `limit` in all, drawn from all at random."""
    edited = [(tokens, edits) for tokens, edits in examples if edits]
    rng = np.random.default_rng(seed)
    drawn = [(row, subsets) for row, (_, edits) in enumerate(edited) for subsets in draw_subsets(len(edits), each, rng)]
    if limit is not None and len(drawn) > limit:
        drawn = [drawn[place] for place in np.sort(rng.choice(len(drawn), limit, replace=False))]
    by_row: dict[int, list[Subsets]] = {}
    for row, subsets in drawn:
        by_row.setdefault(row, []).append(subsets)
    pairs = list(_rank(edited, by_row, vectors))
    log.info("%d pairs of %d sentences; %d alike left out", len(pairs), len(by_row), len(drawn) - len(pairs))
    return pairs


def _rank(examples: Sequence[Example], by_row: dict[int, list[Subsets]], vectors: Vectors) -> Iterator[RankedPair]:
    rows = list(by_row)
    for start in range(0, len(rows), CHUNK):
        chosen = rows[start : start + CHUNK]
        for row, impacts in zip(chosen, measure_impacts([examples[row] for row in chosen], vectors), strict=True):
            tokens, edits = examples[row]
            for first, second in by_row[row]:
                gain = float(impacts[list(first)].sum() - impacts[list(second)].sum())
                better, worse = (first, second) if gain > 0 else (second, first)
                pair = RankedPair(_apply(tokens, edits, better), _apply(tokens, edits, worse))
                if gain and pair.better and pair.worse and pair.better != pair.worse:
                    yield pair


def _apply(tokens: Tokens, edits: Sequence[Edit], chosen: frozenset[int]) -> Tokens:
    return apply_edits(tokens, [edits[place] for place in sorted(chosen)])
