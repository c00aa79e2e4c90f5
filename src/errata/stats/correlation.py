"""How well two lists of numbers agree: Pearson, Spearman, Kendall, and Williams' test between two such numbers.

A coefficient of a list without any variation is not defined: it is `nan`, never 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan, cos, nan, pi, sin, sqrt

import numpy as np

from errata.errors import AlignmentError, DataError

Numbers = Sequence[float] | np.ndarray
# Williams' test compares two metrics on the same systems; with three there is no degree of freedom left.
LEAST_FOR_WILLIAMS = 4


def pearson(first: Numbers, second: Numbers) -> float:
    """Pearson's coefficient; `nan` where one list does not vary."""
    x, y = _as_pair(first, second)
    return float(row_pearson(x[None], y[None])[0])


def spearman(first: Numbers, second: Numbers) -> float:
    """Spearman's coefficient: Pearson's of the ranks, where equal numbers share the mean of their ranks."""
    x, y = _as_pair(first, second)
    return pearson(rank_numbers(x), rank_numbers(y))


def kendall(first: Numbers, second: Numbers) -> float:
    """Kendall's τ-b, which leaves out of the denominator what is tied on either side."""
    x, y = _as_pair(first, second)
    above = np.triu_indices(len(x), 1)
    signs_x = np.sign(x[:, None] - x[None])[above]
    signs_y = np.sign(y[:, None] - y[None])[above]
    untied = sqrt(float(np.count_nonzero(signs_x))) * sqrt(float(np.count_nonzero(signs_y)))
    return float(signs_x @ signs_y) / untied if untied else nan


COEFFICIENTS = {"pearson": pearson, "spearman": spearman, "kendall": kendall}


def row_pearson(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Pearson's coefficient of each row (rows, numbers) with the same row of the other table."""
    x = first - first.mean(axis=1, keepdims=True)
    y = second - second.mean(axis=1, keepdims=True)
    product = np.sqrt((x * x).sum(axis=1)) * np.sqrt((y * y).sum(axis=1))
    # Sums of equal numbers differ in the last bits; what varies less than that does not vary.
    noise = 1e-14 * np.abs(first).max(axis=1, initial=0) * np.abs(second).max(axis=1, initial=0) * first.shape[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        coefficients = np.where(product > noise, (x * y).sum(axis=1) / product, nan)
    clipped: np.ndarray = np.clip(coefficients, -1, 1)
    return clipped


def rank_numbers(numbers: np.ndarray) -> np.ndarray:
    """The rank of each number, the smallest being 1; equal numbers share the mean of their ranks."""
    _, places, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: np.ndarray = (last - (counts - 1) / 2)[places]
    return ranks


def _as_pair(first: Numbers, second: Numbers) -> tuple[np.ndarray, np.ndarray]:
    x, y = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if x.shape != y.shape or x.ndim != 1:
        raise AlignmentError(f"correlations need as many numbers on both sides, not {x.size} and {y.size}")
    if len(x) < 2:
        raise DataError(f"correlations need at least two pairs of numbers, not {len(x)}")
    return x, y


@dataclass(frozen=True, slots=True)
class WilliamsTest:
    """Whether the first metric agrees better with people than the second; `p_value` is one-sided."""

    difference: float
    t: float
    n_systems: int
    p_value: float


def williams(human_first: float, human_second: float, between: float, n_systems: int) -> WilliamsTest:
    """Williams' test (1959) of two correlations with the same human scores, of metrics that correlate with each other.

    `between` is the correlation of the two metrics' scores. The p-value is of "the first is not better".
    """
    if n_systems < LEAST_FOR_WILLIAMS:
        raise DataError(f"Williams' test needs at least {LEAST_FOR_WILLIAMS} systems, not {n_systems}")
    difference = human_first - human_second
    k = 1 - human_first**2 - human_second**2 - between**2 + 2 * human_first * human_second * between
    mean = (human_first + human_second) / 2
    spread = 2 * k * (n_systems - 1) / (n_systems - 3) + mean**2 * (1 - between) ** 3
    if not spread > 1e-15:  # the two metrics order and space the systems alike
        return WilliamsTest(difference, 0.0, n_systems, 0.5)
    t = difference * sqrt((n_systems - 1) * (1 + between) / spread)
    return WilliamsTest(difference, t, n_systems, student_tail(t, n_systems - 3))


def student_tail(t: float, degrees: int) -> float:
    """The chance that Student's t with whole degrees of freedom is larger than `t`.

    Abramowitz and Stegun 26.7.3 and 26.7.4: for whole degrees the distribution is a finite sum.
    """
    angle = atan(t / sqrt(degrees))
    cosine, sine = cos(angle), sin(angle)
    if degrees % 2:
        term, total = cosine, 0.0
        for k in range(1, degrees // 2 + 1):
            total += term
            term *= cosine * cosine * 2 * k / (2 * k + 1)
        inside = 2 / pi * (angle + sine * total)
    else:
        term, total = 1.0, 0.0
        for k in range(1, degrees // 2 + 1):
            total += term
            term *= cosine * cosine * (2 * k - 1) / (2 * k)
        inside = sine * total
    return (1 - inside) / 2
