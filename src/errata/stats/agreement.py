"""How far people agree who gave the same things a label: Cohen's κ of two people, Krippendorff's α of any number.

Labels are names without an order. A number is `nan` where it is not defined, because everybody used one label only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from math import isnan, nan

from errata.errors import AlignmentError


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """Cohen's κ (1960): agreement beyond what two people reach who draw their labels at random, each from their own.

    >>> cohen_kappa(["error", "right", "right", "error"], ["error", "right", "error", "error"])
    0.5
    """
    if len(first) != len(second):
        raise AlignmentError(f"{len(first)} labels of one person, {len(second)} of the other: they must be parallel")
    n_pairs = len(first)
    n_agreed = sum(a == b for a, b in zip(first, second, strict=True))
    own, other = Counter(first), Counter(second)
    # In units of 1 / n²: whole numbers tell exactly whether chance alone would agree on everything.
    by_chance = sum(count * other[label] for label, count in own.items())
    if by_chance == n_pairs * n_pairs:
        return nan
    return (n_agreed * n_pairs - by_chance) / (n_pairs * n_pairs - by_chance)


def krippendorff_alpha(units: Iterable[Sequence[Hashable]]) -> float:
    """Krippendorff's α for nominal labels; a unit has the labels of whoever looked at it, in any number.

    A unit that one person alone looked at says nothing of agreement and is left out.

    >>> krippendorff_alpha([["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"], ["b"]])
    0.5333333333333333
    """
    totals: Counter[Hashable] = Counter()
    disagreed = 0.0
    for labels in units:
        if len(labels) < 2:
            continue
        counts = Counter(labels)
        totals += counts
        n_pairs = len(labels) ** 2 - sum(count * count for count in counts.values())  # ordered, of different labels
        disagreed += n_pairs / (len(labels) - 1)
    n_labels = totals.total()
    expected = n_labels**2 - sum(count * count for count in totals.values())
    return 1 - (n_labels - 1) * disagreed / expected if expected else nan


def mean_defined(values: Iterable[float]) -> float:
    """The mean of the numbers that are defined; `nan` where none is."""
    known = [value for value in values if not isnan(value)]
    return sum(known) / len(known) if known else nan
