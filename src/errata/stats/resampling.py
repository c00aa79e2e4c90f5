"""Bootstrap intervals, paired bootstrap and approximate randomisation, all from a metric's per-sentence statistics.

Efron and Tibshirani (1993) for the percentile interval, Koehn (2004) for the paired bootstrap with the p-value of
sacreBLEU (differences centred on their mean), Riezler and Maxwell (2005) for approximate randomisation. Every result
carries its seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from errata.errors import AlignmentError, DataError
from errata.model import Score

DEFAULT_SEED = 12345
# Indices drawn at a time: large enough that a thousand resamples of a test set are one piece, small enough (64 MB) for
# corpora of millions of sentences.
_BATCH = 8_000_000


class Resampled(Protocol):
    """What scores a corpus from the statistics of its sentences, and many resamples of it at once: a metric."""

    def aggregate(self, stats: Sequence[Any]) -> Score:
        """The score of the corpus."""
        ...

    def resample(self, stats: Sequence[Any], indices: np.ndarray) -> np.ndarray:
        """The score of the sentences in each row of `indices` (resamples, sentences)."""
        ...


@dataclass(frozen=True, slots=True)
class Interval:
    """A percentile bootstrap interval of a corpus score."""

    low: float
    high: float
    confidence: float
    n_resamples: int
    seed: int


@dataclass(frozen=True, slots=True)
class PairedTest:
    """Two systems compared on the same sentences; `difference` is the second minus the first.

    `p_value` is two-sided. For the bootstrap, `interval` is that of the difference and `wins` the share of resamples in
    which the second system is ahead (half of the ties included).
    """

    method: str
    difference: float
    p_value: float
    n_resamples: int
    seed: int
    interval: tuple[float, float] | None = None
    wins: float | None = None


def bootstrap(
    metric: Resampled,
    stats: Sequence[Any],
    *,
    n_resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = DEFAULT_SEED,
) -> Interval:
    """The interval that holds the corpus score of `confidence` of the resamples."""
    return find_interval(bootstrap_scores(metric, stats, n_resamples, seed), confidence=confidence, seed=seed)


def find_interval(scores: np.ndarray, *, confidence: float = 0.95, seed: int = DEFAULT_SEED) -> Interval:
    """The interval that holds `confidence` of the scores of resamples, which were drawn with that seed."""
    low, high = percentiles(scores, confidence)
    return Interval(low, high, confidence, len(scores), seed)


def bootstrap_scores(metric: Resampled, stats: Sequence[Any], n_resamples: int, seed: int) -> np.ndarray:
    """The corpus score of each resample. The same seed draws the same sentences of every system."""
    draws = draw_with_replacement(len(stats), n_resamples, seed)
    return np.concatenate([metric.resample(stats, indices) for indices in draws])


def paired_bootstrap(
    metric: Resampled,
    first: Sequence[Any],
    second: Sequence[Any],
    *,
    n_resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = DEFAULT_SEED,
) -> PairedTest:
    """Whether two systems differ: both are scored on the same resampled sentences."""
    observed = _observed_difference(metric, first, second)
    first_scores = bootstrap_scores(metric, first, n_resamples, seed)
    second_scores = bootstrap_scores(metric, second, n_resamples, seed)
    return compare_resampled(first_scores, second_scores, observed, confidence=confidence, seed=seed)


def compare_resampled(
    first: np.ndarray, second: np.ndarray, observed: float, *, confidence: float = 0.95, seed: int = DEFAULT_SEED
) -> PairedTest:
    """The paired bootstrap of two systems whose scores on the same resamples are known, and their difference."""
    differences = second - first
    centred = differences - differences.mean()
    wins = float(((differences > 0) + 0.5 * (differences == 0)).mean())
    interval = percentiles(differences, confidence)
    p_value = _p_value(centred, observed)
    return PairedTest("paired-bootstrap", observed, p_value, len(differences), seed, interval, wins)


def approximate_randomisation(
    metric: Resampled,
    first: Sequence[Any],
    second: Sequence[Any],
    *,
    n_resamples: int = 1000,
    seed: int = DEFAULT_SEED,
) -> PairedTest:
    """Whether two systems differ: how often does swapping their outputs at random give as large a difference?"""
    return randomise(metric, first, second, _observed_difference(metric, first, second), n_resamples, seed)


def randomise(
    metric: Resampled, first: Sequence[Any], second: Sequence[Any], observed: float, n_resamples: int, seed: int
) -> PairedTest:
    """Approximate randomisation of two systems whose difference is known."""
    n = len(first)
    both = [*first, *second]  # sentence i of the first system is i, of the second n + i
    straight = np.arange(n)
    differences = []
    for swap in _draw(n_resamples, n, seed, lambda rng, shape: rng.integers(0, 2, shape)):
        # Both sides of every trial go through the metric at once: it has less to do than in two turns.
        sides = np.concatenate([straight + n * (1 - swap), straight + n * swap])
        second_scores, first_scores = np.split(metric.resample(both, sides), 2)
        differences.append(second_scores - first_scores)
    p_value = _p_value(np.concatenate(differences), observed)
    return PairedTest("approximate-randomisation", observed, p_value, n_resamples, seed)


PAIRED_TESTS: dict[str, Callable[..., PairedTest]] = {
    "bootstrap": paired_bootstrap,
    "randomisation": approximate_randomisation,
}


def _observed_difference(metric: Resampled, first: Sequence[Any], second: Sequence[Any]) -> float:
    if len(first) != len(second):
        raise AlignmentError(f"paired tests need the same sentences: {len(first)} and {len(second)}")
    return metric.aggregate(second).value - metric.aggregate(first).value


def _p_value(differences: np.ndarray, observed: float) -> float:
    """The two-sided p-value; the observed difference itself counts as one resample."""
    # Sums in another order differ in the last bits; a difference equal to the observed one must count.
    as_large = np.abs(differences) >= abs(observed) - 1e-12
    return float((as_large.sum() + 1) / (len(differences) + 1))


def percentiles(scores: np.ndarray, confidence: float) -> tuple[float, float]:
    """The bounds between which `confidence` of the scores lie, as many below as above."""
    tail = 50 * (1 - confidence)
    low, high = np.percentile(scores, [tail, 100 - tail])
    return float(low), float(high)


def draw_with_replacement(n: int, n_resamples: int, seed: int) -> Iterator[np.ndarray]:
    """Rows of places among `n`, (resamples, n), in pieces of bounded size."""
    return _draw(n_resamples, n, seed, lambda rng, shape: rng.integers(0, n, shape))


def _draw(
    rows: int, columns: int, seed: int, draw: Callable[[np.random.Generator, tuple[int, int]], np.ndarray]
) -> Iterator[np.ndarray]:
    """Rows of random integers in pieces of bounded size; the pieces do not depend on the machine."""
    if columns == 0:
        raise DataError("there are no sentences to resample")
    if rows < 1:
        raise DataError(f"the number of resamples must be at least 1, not {rows}")
    rng = np.random.default_rng(seed)
    step = max(1, _BATCH // columns)
    for start in range(0, rows, step):
        yield draw(rng, (min(step, rows - start), columns))
