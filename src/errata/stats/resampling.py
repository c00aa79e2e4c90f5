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
    draws = draw_with_replacement(len(stats), n_resamples, seed)
    scores = np.concatenate([metric.resample(stats, indices) for indices in draws])
    low, high = percentiles(scores, confidence)
    return Interval(low, high, confidence, n_resamples, seed)


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
    draws = draw_with_replacement(len(first), n_resamples, seed)
    differences = np.concatenate([metric.resample(second, rows) - metric.resample(first, rows) for rows in draws])
    centred = differences - differences.mean()
    wins = float(((differences > 0) + 0.5 * (differences == 0)).mean())
    p_value = _p_value(centred, observed)
    interval = percentiles(differences, confidence)
    return PairedTest("paired-bootstrap", observed, p_value, n_resamples, seed, interval, wins)


def approximate_randomisation(
    metric: Resampled,
    first: Sequence[Any],
    second: Sequence[Any],
    *,
    n_resamples: int = 1000,
    seed: int = DEFAULT_SEED,
) -> PairedTest:
    """Whether two systems differ: how often does swapping their outputs at random give as large a difference?"""
    observed = _observed_difference(metric, first, second)
    n = len(first)
    both = [*first, *second]  # sentence i of the first system is i, of the second n + i
    straight = np.arange(n)
    differences = []
    for swap in _draw(n_resamples, n, seed, lambda rng, shape: rng.integers(0, 2, shape)):
        differences.append(
            metric.resample(both, straight + n * (1 - swap)) - metric.resample(both, straight + n * swap)
        )
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
