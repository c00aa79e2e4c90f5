"""Paired tests of every two among several systems, corrected for their number, and the ranking that follows.

With twelve systems there are 66 pairs, and at a level of 0.05 three of them differ by chance alone. Holm (1979) keeps
the probability of any such mistake below the level; Benjamini and Hochberg (1995) keep the expected share of mistakes
among the differences found below it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil
from typing import Any

import numpy as np

from errata.errors import AlignmentError
from errata.stats.resampling import PairedTest, Resampled, compare_resampled, randomise

ROOM = 1.5  # 2,000 resamples for twelve systems at 0.05; more are slower and change no decision there

Pair = tuple[int, int]
"""The places of two systems, the smaller first."""


@dataclass(frozen=True, slots=True)
class System:
    """What the tests need of a system: statistics, the corpus score, and the scores of bootstrap resamples."""

    stats: Sequence[Any]
    value: float
    resampled: np.ndarray


@dataclass(frozen=True, slots=True)
class CorrectedTest:
    """A paired test, and its p-value after correction for the number of pairs."""

    test: PairedTest
    p_value: float


@dataclass(frozen=True, slots=True)
class Standing:
    """A system's place among others: 1 and one more for each system that is better, and the groups it is in.

    Systems that share a group do not differ; systems that share none do.
    """

    system: int
    rank: int
    groups: tuple[str, ...]


def adjust_holm(p_values: Sequence[float]) -> list[float]:
    """The p-values after Holm: the smallest times their number, the next times one less, and so on; never falling."""
    order = np.argsort(p_values, kind="stable")
    factors = np.arange(len(order), 0, -1)
    adjusted = np.empty(len(order))
    adjusted[order] = np.minimum(np.maximum.accumulate(np.asarray(p_values)[order] * factors), 1.0)
    return [float(one) for one in adjusted]


def adjust_benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """The p-values after Benjamini and Hochberg: each times the number of all, divided by its place; never falling."""
    order = np.argsort(p_values, kind="stable")
    factors = len(order) / np.arange(1, len(order) + 1)
    scaled = np.asarray(p_values)[order] * factors
    adjusted = np.empty(len(order))
    adjusted[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    return [float(one) for one in adjusted]


CORRECTIONS: dict[str, Callable[[Sequence[float]], list[float]]] = {
    "holm": adjust_holm,
    "bh": adjust_benjamini_hochberg,
    "none": list,
}


def enough_resamples(n_systems: int, correction: str, level: float) -> int:
    """How many resamples leave room below the level after correction, in thousands.

    The smallest p-value of n resamples is 1 / (n + 1). Corrected for 66 pairs, it is above 0.05 if n is 1,000: then no
    systems would ever differ. `ROOM` times as many as needed tell p-values near the level apart.
    """
    n_pairs = n_systems * (n_systems - 1) // 2
    needed = 0 if correction == "none" or n_pairs == 1 else ROOM * n_pairs / level
    return max(1, ceil(needed / 1000)) * 1000


def is_resampled_enough(n_resamples: int, n_systems: int, correction: str, level: float) -> bool:
    """Whether the corrected p-value of a pair can be below the level, however much the two differ."""
    n_pairs = n_systems * (n_systems - 1) // 2
    return correction != "holm" or n_pairs / (n_resamples + 1) < level


def bootstrap_pairs(
    metric: Resampled, systems: Sequence[System], n_resamples: int, seed: int
) -> dict[Pair, PairedTest]:
    """The paired bootstrap of every pair. Resamples are the same for all systems, so each is scored on them once."""
    return {
        (first, second): compare_resampled(
            systems[first].resampled,
            systems[second].resampled,
            systems[second].value - systems[first].value,
            seed=seed,
        )
        for first, second in combinations(range(len(systems)), 2)
    }


def randomise_pairs(
    metric: Resampled, systems: Sequence[System], n_resamples: int, seed: int
) -> dict[Pair, PairedTest]:
    """Approximate randomisation of every pair; the same sentences are swapped in all of them."""
    return {
        (first, second): randomise(
            metric,
            systems[first].stats,
            systems[second].stats,
            systems[second].value - systems[first].value,
            n_resamples,
            seed,
        )
        for first, second in combinations(range(len(systems)), 2)
    }


PAIRWISE_TESTS: dict[str, Callable[[Resampled, Sequence[System], int, int], dict[Pair, PairedTest]]] = {
    "bootstrap": bootstrap_pairs,
    "randomisation": randomise_pairs,
}


def compare_pairs(
    metric: Resampled, systems: Sequence[System], method: str, correction: str, *, n_resamples: int, seed: int
) -> dict[Pair, CorrectedTest]:
    """The test of every pair of systems; their p-values are corrected together."""
    sizes = {len(system.stats) for system in systems}
    if len(sizes) > 1:
        raise AlignmentError(f"paired tests need the same sentences: {' and '.join(map(str, sorted(sizes)))}")
    tests = PAIRWISE_TESTS[method](metric, systems, n_resamples, seed)
    adjusted = CORRECTIONS[correction]([test.p_value for test in tests.values()])
    return {pair: CorrectedTest(test, p_value) for (pair, test), p_value in zip(tests.items(), adjusted, strict=True)}


def rank_systems(values: Sequence[float], tests: Mapping[Pair, CorrectedTest], level: float) -> list[Standing]:
    """The systems from best to worst; two of them differ if the corrected p-value is below the level."""
    order = sorted(range(len(values)), key=lambda place: (-values[place], place))
    differing = {frozenset(pair) for pair, one in tests.items() if one.p_value < level}
    groups = [sorted(group, key=order.index) for group in _maximal_groups(range(len(values)), differing)]
    groups.sort(key=lambda group: [order.index(place) for place in group])
    return [
        Standing(
            place,
            1 + sum(values[other] > values[place] and frozenset((place, other)) in differing for other in order),
            tuple(group_name(number) for number, group in enumerate(groups) if place in group),
        )
        for place in order
    ]


def _maximal_groups(places: Iterable[int], differing: set[frozenset[int]]) -> list[set[int]]:
    """The largest sets of systems of which no two differ (Bron and Kerbosch 1973)."""
    alike = {
        place: {other for other in places if other != place and frozenset((place, other)) not in differing}
        for place in places
    }
    found: list[set[int]] = []

    def extend(group: set[int], candidates: set[int], done: set[int]) -> None:
        if not candidates and not done:
            found.append(group)
            return
        pivot = max(candidates | done, key=lambda place: len(alike[place] & candidates))
        for place in sorted(candidates - alike[pivot]):
            extend(group | {place}, candidates & alike[place], done & alike[place])
            candidates = candidates - {place}
            done = done | {place}

    extend(set(), set(alike), set())
    return found


def group_name(number: int) -> str:
    """`a`, `b` … `z`, `aa` …"""
    name = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, 26)
        name = chr(ord("a") + letter) + name
    return name
