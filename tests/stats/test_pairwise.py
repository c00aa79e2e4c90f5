"""Tests of every pair of systems: corrections for their number, shared resamples, ranks and groups."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_resampling import Mean

from errata.errors import AlignmentError
from errata.stats.pairwise import (
    CORRECTIONS,
    CorrectedTest,
    System,
    adjust_benjamini_hochberg,
    adjust_holm,
    compare_pairs,
    enough_resamples,
    group_name,
    is_resampled_enough,
    rank_systems,
)
from errata.stats.resampling import PAIRED_TESTS, PairedTest, bootstrap_scores

probabilities = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def test_holm_of_a_worked_example() -> None:
    """0.01 · 4, 0.02 · 3, 0.03 · 2 and 0.04 · 1, none below the one before."""
    assert adjust_holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert adjust_holm([0.9, 0.8]) == [1.0, 1.0] and adjust_holm([]) == []


def test_benjamini_hochberg_of_a_worked_example() -> None:
    """0.01 · 4/1, 0.02 · 4/2, 0.03 · 4/3 and 0.04 · 4/4, none above the one after."""
    assert adjust_benjamini_hochberg([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.04] * 4)
    assert adjust_benjamini_hochberg([0.01, 0.5]) == pytest.approx([0.02, 0.5])


@given(probabilities, st.sampled_from(sorted(CORRECTIONS)))
def test_corrections_keep_order_and_never_lower_a_p_value(p_values: list[float], name: str) -> None:
    adjusted = CORRECTIONS[name](p_values)
    assert all(p <= q <= 1 or q == pytest.approx(p) for p, q in zip(p_values, adjusted, strict=True))
    for (p, q), (r, s) in combinations(zip(p_values, adjusted, strict=True), 2):
        assert q <= s + 1e-12 if p < r else s <= q + 1e-12 if r < p else q == pytest.approx(s)


@given(probabilities)
def test_holm_is_stricter_than_benjamini_hochberg_and_milder_than_bonferroni(p_values: list[float]) -> None:
    for p, holm, bh in zip(p_values, adjust_holm(p_values), adjust_benjamini_hochberg(p_values), strict=True):
        assert bh <= holm + 1e-12 <= min(1, p * len(p_values)) + 2e-12


@pytest.mark.parametrize(
    ("n_systems", "correction", "level", "enough"),
    [(2, "holm", 0.05, 1000), (12, "holm", 0.05, 2000), (12, "none", 0.05, 1000), (12, "bh", 0.01, 10000)],
)
def test_resamples_leave_room_below_the_level(n_systems: int, correction: str, level: float, enough: int) -> None:
    assert enough_resamples(n_systems, correction, level) == enough
    assert is_resampled_enough(enough, n_systems, correction, level)


def test_too_few_resamples_are_known() -> None:
    """66 / 1001 is above 0.05: whatever the systems are, none would differ from another."""
    assert not is_resampled_enough(1000, 12, "holm", 0.05)
    assert is_resampled_enough(1320, 12, "holm", 0.05)


def make_systems(columns: Sequence[Sequence[float]], n_resamples: int) -> list[System]:
    metric = Mean()
    return [
        System(one, metric.aggregate(one).value, bootstrap_scores(metric, one, n_resamples, seed=7)) for one in columns
    ]


@pytest.mark.parametrize("method", PAIRED_TESTS)
def test_every_pair_is_tested_as_it_would_be_alone(method: str) -> None:
    rng = np.random.default_rng(1)
    columns = [list(rng.random(20) + shift) for shift in (0, 0.1, 0.5)]
    found = compare_pairs(Mean(), make_systems(columns, 50), method, "holm", n_resamples=50, seed=7)
    assert list(found) == [(0, 1), (0, 2), (1, 2)]
    for (first, second), one in found.items():
        alone = PAIRED_TESTS[method](Mean(), columns[first], columns[second], n_resamples=50, seed=7)
        assert one.test == alone
        assert one.p_value >= alone.p_value


def test_systems_need_the_same_sentences() -> None:
    systems = make_systems([[1.0, 2.0], [1.0]], 5)
    with pytest.raises(AlignmentError, match="paired tests need the same sentences: 1 and 2"):
        compare_pairs(Mean(), systems, "bootstrap", "holm", n_resamples=5, seed=7)


def judged(p_value: float) -> CorrectedTest:
    return CorrectedTest(PairedTest("paired-bootstrap", 0.0, p_value, 10, 7), p_value)


def test_ranks_and_groups_of_a_worked_example() -> None:
    """The best system differs from the worst only, the others from nobody: they are in both groups."""
    values = [0.2, 0.5, 0.4, 0.3]
    differing = {(0, 1)}
    tests = {pair: judged(0.01 if pair in differing else 0.5) for pair in combinations(range(4), 2)}
    standings = rank_systems(values, tests, 0.05)
    assert [(one.system, one.rank, one.groups) for one in standings] == [
        (1, 1, ("a",)),
        (2, 1, ("a", "b")),
        (3, 1, ("a", "b")),
        (0, 2, ("b",)),
    ]


@given(st.integers(1, 7), st.data())
def test_systems_share_a_group_exactly_if_they_do_not_differ(n_systems: int, data: st.DataObject) -> None:
    values = data.draw(st.lists(st.floats(0, 1), min_size=n_systems, max_size=n_systems))
    tests = {pair: judged(data.draw(st.sampled_from([0.01, 0.5]))) for pair in combinations(range(n_systems), 2)}
    standings = {one.system: one for one in rank_systems(values, tests, 0.05)}
    assert sorted(standings) == list(range(n_systems)) and all(one.groups for one in standings.values())
    for (first, second), one in tests.items():
        shared = set(standings[first].groups) & set(standings[second].groups)
        assert bool(shared) == (one.p_value >= 0.05)


@pytest.mark.parametrize(("number", "name"), [(0, "a"), (25, "z"), (26, "aa"), (701, "zz"), (702, "aaa")])
def test_names_of_groups(number: int, name: str) -> None:
    assert group_name(number) == name
