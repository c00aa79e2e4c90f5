"""Scores as the share of erroneous sentences varies, after CWEB (Flachs et al. 2020, section 5.1.1).

A corpus gets denser when correct sentences are removed, and sparser when corrected versions of its own sentences are
added. Where these are used up, erroneous sentences are removed. Every sentence is scored once: its counts of right,
wrong and missing edits are added up again for every share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from errata.errors import UsageError
from errata.metrics.edit_counts import EditCounts
from errata.model import Counts

SHARES = (0.05, *(n / 10 for n in range(1, 11)))
DRAWS = 100
BETA = 0.5
MEASURES = ("precision", "recall", "f0.5")


@dataclass(frozen=True, slots=True)
class Pool:
    """What one annotator's view of a corpus offers: counts (sentences, 3) of right, wrong and missing edits.

    `corrected` are the counts of the system's answers to sentences that the annotator corrected: all its edits there
    are wrong.
    """

    erroneous: np.ndarray
    correct: np.ndarray
    corrected: np.ndarray

    @property
    def share(self) -> float:
        """The share of erroneous sentences in the corpus itself."""
        return len(self.erroneous) / (len(self.erroneous) + len(self.correct))


@dataclass(frozen=True, slots=True)
class Mixture:
    """How many sentences of each kind make a share."""

    n_erroneous: int
    n_correct: int
    n_corrected: int


def make_pool(counts: Sequence[EditCounts | None], corrected: Sequence[Counts]) -> Pool:
    """The pool of one annotator, from the counts of each sentence; those without are not scored."""
    totals = [one.total for one in counts if one is not None]
    rows = [[(one.tp, one.fp, one.fn) for one in part] for part in (
        [one for one in totals if one.tp + one.fn],
        [one for one in totals if not one.tp + one.fn],
        corrected,
    )]  # fmt: skip
    return Pool(*(np.array(part, dtype=np.int64).reshape(-1, 3) for part in rows))


def mix(pool: Pool, share: float) -> Mixture | None:
    """The largest corpus with that share of erroneous sentences; None where there is none.

    >>> pool = Pool(np.zeros((40, 3)), np.zeros((60, 3)), np.zeros((40, 3)))
    >>> mix(pool, 0.8), mix(pool, 0.3)
    (Mixture(n_erroneous=40, n_correct=10, n_corrected=0), Mixture(n_erroneous=40, n_correct=60, n_corrected=33))
    """
    n_erroneous, n_correct, n_corrected = (len(one) for one in (pool.erroneous, pool.correct, pool.corrected))
    wanted = round(n_erroneous * (1 - share) / share)
    if wanted > n_correct + n_corrected:
        n_erroneous = round((n_correct + n_corrected) * share / (1 - share))
        wanted = n_correct + n_corrected
    if not n_erroneous:
        return None
    taken = min(wanted, n_correct)
    return Mixture(n_erroneous, taken, wanted - taken)


def draw_counts(pool: Pool, mixtures: Sequence[Mixture], n_draws: int, rng: np.random.Generator) -> np.ndarray:
    """Counts (draws, mixtures, 3) of sentences drawn at random; a larger mixture of a draw contains the smaller."""
    found = np.empty((n_draws, len(mixtures), 3))
    for draw in range(n_draws):
        sums = [_add_up(part[rng.permutation(len(part))]) for part in (pool.erroneous, pool.correct, pool.corrected)]
        for place, one in enumerate(mixtures):
            sizes = (one.n_erroneous, one.n_correct, one.n_corrected)
            found[draw, place] = sum(own[size] for own, size in zip(sums, sizes, strict=True))
    return found


def _add_up(rows: np.ndarray) -> np.ndarray:
    """The sums of the first 0, 1, 2 … rows."""
    return np.concatenate([np.zeros((1, 3), dtype=np.int64), np.cumsum(rows, axis=0)])


def measure(counts: np.ndarray, beta: float = BETA) -> np.ndarray:
    """Precision, recall and F in the last dimension, as `Counts` has them: 1 where nothing is wrong or missing."""
    tp, fp, fn = np.moveaxis(counts, -1, 0)
    precision = np.divide(tp, tp + fp, out=np.ones_like(tp, dtype=float), where=fp > 0)
    recall = np.divide(tp, tp + fn, out=np.ones_like(tp, dtype=float), where=fn > 0)
    below = beta * beta * precision + recall
    f = np.divide((1 + beta * beta) * precision * recall, below, out=np.zeros_like(below), where=below > 0)
    return np.stack([precision, recall, f], axis=-1)


@dataclass(frozen=True, slots=True)
class Point:
    """The scores at a share, each with the range of 95 % of the draws; the mixture is that of the first annotator."""

    share: float
    values: Mapping[str, float]
    ranges: Mapping[str, tuple[float, float]]
    mixture: Mixture

    def as_dict(self) -> dict[str, Any]:
        return {
            "share": self.share,
            **self.values,
            "ranges": {name: list(bounds) for name, bounds in self.ranges.items()},
            "n_erroneous": self.mixture.n_erroneous,
            "n_correct": self.mixture.n_correct,
            "n_corrected": self.mixture.n_corrected,
        }


@dataclass(frozen=True, slots=True)
class Curve:
    """A system on a corpus: `own` is what it gets on the corpus as it is, `own_share` its share of errors."""

    system: str
    corpus: str
    n_sentences: int
    n_annotators: int
    own_share: float
    own: Mapping[str, float]
    points: Sequence[Point]
    signature: str
    notes: tuple[str, ...] = field(default=())

    def as_dict(self) -> dict[str, Any]:
        """For JSON; shares and scores are fractions."""
        return {
            "system": self.system,
            "corpus": self.corpus,
            "n_sentences": self.n_sentences,
            "n_annotators": self.n_annotators,
            "own": {"share": self.own_share, **self.own},
            "points": [one.as_dict() for one in self.points],
            "signature": self.signature,
            "notes": list(self.notes),
        }


def check_shares(shares: Sequence[float]) -> tuple[float, ...]:
    """The shares in rising order, each once."""
    for one in shares:
        if not 0 < one <= 1:
            raise UsageError(f"a share of erroneous sentences is above 0 and at most 100 %, not {100 * one:g}")
    return tuple(sorted(set(shares)))


def trace_points(pools: Sequence[Pool], shares: Sequence[float], n_draws: int, seed: int) -> list[Point]:
    """The mean over annotators at each share that all of them can have."""
    possible = [(share, [mix(pool, share) for pool in pools]) for share in shares]
    usable = [(share, [one for one in mixtures if one]) for share, mixtures in possible if all(mixtures)]
    if not usable:
        return []
    scores = np.mean(
        [
            measure(
                draw_counts(pool, [mixtures[place] for _, mixtures in usable], n_draws, np.random.default_rng(seed))
            )
            for place, pool in enumerate(pools)
        ],
        axis=0,
    )  # (draws, shares, measures)
    points = []
    for place, (share, mixtures) in enumerate(usable):
        own = scores[:, place]
        low, high = np.percentile(own, [2.5, 97.5], axis=0)
        points.append(
            Point(
                share,
                dict(zip(MEASURES, own.mean(axis=0).tolist(), strict=True)),
                {name: (float(low[n]), float(high[n])) for n, name in enumerate(MEASURES)},
                mixtures[0],
            )
        )
    return points


def score_whole(pools: Sequence[Pool]) -> dict[str, float]:
    """The mean over annotators on the corpus as it is."""
    totals = np.array([pool.erroneous.sum(axis=0) + pool.correct.sum(axis=0) for pool in pools], dtype=float)
    return dict(zip(MEASURES, measure(totals).mean(axis=0).tolist(), strict=True))
