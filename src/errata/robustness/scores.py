"""The numbers of a set of judged cases, in both definitions, with bootstrap intervals over cases.

`official` is what the script published with RobustGEC computes, `consistent` what the paper says: docs/robust.md has
both word for word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from errata.metrics.edit_counts import f_scores, sentence_weights
from errata.metrics.edit_metric import score_parts
from errata.model import Counts
from errata.robustness.bounds import (
    BETA,
    add_chosen,
    choose_alone,
    choose_best,
    choose_official,
    choose_worst,
    resample_official,
)
from errata.robustness.judging import JudgedCase
from errata.stats.resampling import draw_with_replacement, percentiles

OFFICIAL, CONSISTENT = "official", "consistent"
# What has an interval, in the order of the tables.
VALUES = ("original", "upper", "lower", "delta", "crs", "p_crs")
CONFIDENCE = 0.95
# Cases drawn in the resamples that are scored together: 16 MB of weights, however many cases there are.
_AT_ONCE = 2_000_000


@dataclass(frozen=True, slots=True)
class RobustScores:
    """What a corrector reaches on some cases under a definition; fractions.

    `original`, `upper` and `lower` are the counts of the original samples and of the chosen ones. `n_cases` and
    `n_variants` are those that CRS and P-CRS are shares of.
    """

    definition: str
    original: Counts
    upper: Counts
    lower: Counts
    crs: float
    p_crs: float
    n_cases: int
    n_variants: int
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def delta(self) -> float:
        """F0.5 of the upper bound minus that of the lower bound."""
        return self.upper.f(BETA) - self.lower.f(BETA)

    def as_dict(self) -> dict[str, Any]:
        """All numbers, for JSON."""
        return {
            "definition": self.definition,
            "n_cases": self.n_cases,
            "n_variants": self.n_variants,
            **{
                name: score_parts(counts, BETA)
                for name, counts in (("original", self.original), ("upper", self.upper), ("lower", self.lower))
            },
            "delta": self.delta,
            "crs": self.crs,
            "p_crs": self.p_crs,
            "intervals": {name: list(bounds) for name, bounds in self.intervals.items()},
        }


Scorer = Callable[[Sequence[JudgedCase], int, int], RobustScores]


def score_official(cases: Sequence[JudgedCase], n_resamples: int, seed: int) -> RobustScores:
    """What the released script computes."""
    counts = [case.counts for case in cases]
    best, worst = (choose_official(counts, choose) for choose in (choose_best, choose_worst))
    shares = [float(np.mean(case.has_same_f)) for case in cases]

    def resample(weights: np.ndarray) -> dict[str, np.ndarray]:
        upper, lower, same = resample_official(counts, weights)
        return _bounds(counts, upper, lower, weights) | {
            "crs": same / len(cases),
            "p_crs": weights @ np.array(shares) / len(cases),
        }

    return RobustScores(
        OFFICIAL,
        add_chosen(counts, [0] * len(cases)),
        add_chosen(counts, best),
        add_chosen(counts, worst),
        sum(one == other for one, other in zip(best, worst, strict=True)) / len(cases),
        sum(shares) / len(cases),
        len(cases),
        sum(case.case.n_variants for case in cases),
        _intervals(len(cases), n_resamples, seed, resample),
    )


def score_consistent(cases: Sequence[JudgedCase], n_resamples: int, seed: int) -> RobustScores:
    """What the paper defines; variants whose error was changed do not count."""
    counts = [case.comparable_counts for case in cases]
    best, worst = (choose_alone(counts, choose) for choose in (choose_best, choose_worst))
    alike = np.array([sum(a for a, b in zip(one.is_alike, one.is_comparable, strict=True) if b) for one in cases])
    variants = np.array([sum(one.is_comparable) for one in cases])
    compared = variants > 0
    same = compared & (alike == variants)
    chosen = [
        np.array([_as_row(samples[place]) for samples, place in zip(counts, places, strict=True)])
        for places in (best, worst)
    ]

    def resample(weights: np.ndarray) -> dict[str, np.ndarray]:
        upper, lower = (np.rint(weights @ rows).astype(np.int64) for rows in chosen)
        return _bounds(counts, upper, lower, weights) | {
            "crs": _shares(weights @ same, weights @ compared),
            "p_crs": _shares(weights @ alike, weights @ variants),
        }

    return RobustScores(
        CONSISTENT,
        add_chosen(counts, [0] * len(cases)),
        add_chosen(counts, best),
        add_chosen(counts, worst),
        float(_shares(same.sum(), compared.sum())),
        float(_shares(alike.sum(), variants.sum())),
        int(compared.sum()),
        int(variants.sum()),
        _intervals(len(cases), n_resamples, seed, resample),
    )


DEFINITIONS: dict[str, Scorer] = {OFFICIAL: score_official, CONSISTENT: score_consistent}


def _as_row(counts: Counts) -> tuple[int, int, int]:
    return counts.tp, counts.fp, counts.fn


def _shares(part: Any, whole: Any) -> Any:
    """Part of whole; 0 of 0 is 0."""
    return part / np.maximum(whole, 1)


def _bounds(
    counts: Sequence[Sequence[Counts]], upper: np.ndarray, lower: np.ndarray, weights: np.ndarray
) -> dict[str, np.ndarray]:
    """F0.5 of the originals and of both bounds, and their difference, in each resample."""
    originals = np.array([_as_row(samples[0]) for samples in counts])
    original = f_scores(np.rint(weights @ originals).astype(np.int64), BETA)
    best, worst = f_scores(upper, BETA), f_scores(lower, BETA)
    return {"original": original, "upper": best, "lower": worst, "delta": best - worst}


def _intervals(
    n_cases: int, n_resamples: int, seed: int, resample: Callable[[np.ndarray], Mapping[str, np.ndarray]]
) -> dict[str, tuple[float, float]]:
    """The percentile interval of every value; none without resamples."""
    if not n_resamples:
        return {}
    step = max(1, _AT_ONCE // n_cases)
    parts = [
        resample(sentence_weights(indices[start : start + step], n_cases))
        for indices in draw_with_replacement(n_cases, n_resamples, seed)
        for start in range(0, len(indices), step)
    ]
    return {name: percentiles(np.concatenate([part[name] for part in parts]), CONFIDENCE) for name in VALUES}
