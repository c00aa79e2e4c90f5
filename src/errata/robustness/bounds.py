"""The best and the worst that a corrector can do on robustness cases: one sample of each case is chosen.

`choose_official` does what the released script of RobustGEC does: a sample is chosen for what it makes of the totals so
far, so the order of the cases matters. `choose_alone` looks at each case by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from errata.metrics.edit_counts import f_scores, round_scores, rounded_f
from errata.model import Counts

# The script computes F0.5, as all of the field does.
BETA = 0.5

CaseCounts = Sequence[Counts]
"""The counts of each sample of a case, the original first."""


def choose_best(samples: CaseCounts, so_far: Counts) -> int:
    """The place of the sample with the highest F; ties: more true positives, fewer false ones, the earlier sample."""
    return max(range(len(samples)), key=lambda place: (*_rank(samples[place], so_far), -place))


def choose_worst(samples: CaseCounts, so_far: Counts) -> int:
    """The place of the sample with the lowest F; ties: fewer true positives, more false ones, the earlier sample."""
    return min(range(len(samples)), key=lambda place: (*_rank(samples[place], so_far), place))


def _rank(counts: Counts, so_far: Counts) -> tuple[float, int, int, int]:
    return rounded_f(so_far + counts, BETA), counts.tp, -counts.fp, -counts.fn


Chooser = Callable[[CaseCounts, Counts], int]


def choose_official(cases: Sequence[CaseCounts], choose: Chooser) -> list[int]:
    """The place of the chosen sample of each case; each choice sees the totals of those before it."""
    chosen = []
    so_far = Counts()
    for samples in cases:
        place = choose(samples, so_far)
        so_far += samples[place]
        chosen.append(place)
    return chosen


def choose_alone(cases: Sequence[CaseCounts], choose: Chooser) -> list[int]:
    """The place of the chosen sample of each case, whatever the other cases are."""
    return [choose(samples, Counts()) for samples in cases]


def add_chosen(cases: Sequence[CaseCounts], places: Sequence[int]) -> Counts:
    """The counts of the chosen samples, added up."""
    return sum((samples[place] for samples, place in zip(cases, places, strict=True)), Counts())


def resample_official(cases: Sequence[CaseCounts], weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What the script would find in resamples of the cases, in which each case stands `weights` times in its place.

    `weights` is (resamples, cases). The answers are the totals of the upper and the lower bound, (resamples, 3), and
    how many cases have the same sample chosen for both, (resamples,). A sample is chosen once for all times that a case
    was drawn, which makes this three times faster than choosing anew.
    """
    totals = np.zeros((2, len(weights), 3), dtype=np.int64)  # of the upper bound, of the lower bound
    same = np.zeros(len(weights), dtype=np.int64)
    for samples, column in zip(cases, weights.T, strict=True):
        drawn = column.astype(np.int64)
        distinct = _sort_distinct(samples)
        if len(distinct) == 1:  # nothing to choose: all samples have the same counts
            totals += drawn[:, None] * distinct[0]
            same += drawn
            continue
        ranks = _ranks(totals, distinct)
        best, worst = ranks[0].argmax(axis=1), ranks[1].argmin(axis=1)
        totals += drawn[:, None] * distinct[np.stack([best, worst])]
        same += drawn * (best == worst)
    return totals[0], totals[1], same


def _sort_distinct(samples: CaseCounts) -> np.ndarray:
    """The different counts of a case, (counts, 3), in the order that decides between equal F."""
    distinct = sorted({(one.tp, -one.fp, -one.fn) for one in samples})
    return np.array([(tp, -fp, -fn) for tp, fp, fn in distinct], dtype=np.int64)


def _ranks(totals: np.ndarray, distinct: np.ndarray) -> np.ndarray:
    """A number for each of the totals and each of the counts, (…, counts), that orders them as `_rank` does."""
    f = round_scores(f_scores(totals[..., None, :] + distinct, BETA))
    ranks: np.ndarray = f * len(distinct) + np.arange(len(distinct))
    return ranks
