"""Correlations and Williams' test: numbers of scipy 1.17.1, and what must hold for any numbers."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from errata.errors import AlignmentError, DataError
from errata.stats.correlation import (
    COEFFICIENTS,
    kendall,
    pearson,
    rank_numbers,
    spearman,
    student_tail,
    williams,
)

X = [0.2, 0.4, 0.4, 0.1, 0.9, 0.55, 0.3]
Y = [1, 3, 2, 2, 7, 4, 2]
LISTS = st.lists(st.integers(-5, 5), min_size=2, max_size=12)


@pytest.mark.parametrize(
    ("name", "value"),
    [("pearson", 0.937977684965255), ("spearman", 0.8601512308077806), ("kendall", 0.7905694150420949)],
)
def test_as_scipy_computes_them(name: str, value: float) -> None:
    assert COEFFICIENTS[name](X, Y) == pytest.approx(value, abs=1e-14)


@pytest.mark.parametrize("coefficient", COEFFICIENTS.values(), ids=COEFFICIENTS)
@given(numbers=LISTS)
def test_properties(coefficient, numbers) -> None:
    assume(len(set(numbers)) > 1)
    reversed_numbers = [-one for one in numbers]
    assert coefficient(numbers, numbers) == pytest.approx(1)
    assert coefficient(numbers, reversed_numbers) == pytest.approx(-1)
    other = list(range(len(numbers)))
    assert coefficient(numbers, other) == pytest.approx(coefficient(other, numbers))
    assert coefficient(reversed_numbers, other) == pytest.approx(-coefficient(numbers, other))


@pytest.mark.parametrize("coefficient", COEFFICIENTS.values(), ids=COEFFICIENTS)
def test_what_does_not_vary_has_none(coefficient) -> None:
    assert isnan(coefficient([0.1, 0.1, 0.1], [1, 2, 3])) and isnan(coefficient([1, 2, 3], [0.7, 0.7, 0.7]))


def test_ranks_of_equal_numbers_are_shared() -> None:
    assert rank_numbers(np.array([3, 1, 3, 2])).tolist() == [3.5, 1, 3.5, 2]


def test_lists_that_do_not_fit() -> None:
    with pytest.raises(AlignmentError, match="as many numbers on both sides, not 2 and 3"):
        pearson([1, 2], [1, 2, 3])
    with pytest.raises(DataError, match="at least two pairs"):
        spearman([1], [2])


@pytest.mark.parametrize(
    ("t", "degrees", "tail"),
    [
        (0, 1, 0.5),
        (2.5, 1, 0.12111894159084341),
        (1, 2, 0.2113248654051871),
        (-1.3, 2, 0.8383764840919798),
        (2.1, 9, 0.03255914120607598),
        (0.7, 10, 0.2499437850864422),
        (-3, 10, 0.9933281724887152),
    ],
)
def test_student_tail(t: float, degrees: int, tail: float) -> None:
    assert student_tail(t, degrees) == pytest.approx(tail, abs=1e-13)


@pytest.mark.parametrize(
    ("numbers", "t", "p_value"),
    [
        ((0.9, 0.8, 0.7, 12), 1.0034138671442119, 0.1709373110811048),
        ((0.3, 0.6, 0.5, 13), -1.173036780778321, 0.8660175149264784),
        ((0.8, 0.8, 1.0, 13), 0.0, 0.5),
    ],
)
def test_williams(numbers: tuple[float, float, float, int], t: float, p_value: float) -> None:
    found = williams(*numbers)
    assert (found.t, found.p_value) == pytest.approx((t, p_value), abs=1e-12)
    assert found.difference == pytest.approx(numbers[0] - numbers[1])


def test_williams_the_other_way_round() -> None:
    assert williams(0.9, 0.8, 0.7, 12).p_value == pytest.approx(1 - williams(0.8, 0.9, 0.7, 12).p_value)


def test_williams_needs_four_systems() -> None:
    with pytest.raises(DataError, match="at least 4 systems, not 3"):
        williams(0.9, 0.8, 0.7, 3)


def test_kendall_of_a_long_list_is_that_of_its_pairs() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 5, 60), rng.integers(0, 5, 60)
    pairs = [(np.sign(x[i] - x[j]), np.sign(y[i] - y[j])) for i in range(60) for j in range(i)]
    agree = sum(a * b for a, b in pairs)
    untied = (sum(a != 0 for a, _ in pairs) * sum(b != 0 for _, b in pairs)) ** 0.5
    assert kendall(x, y) == pytest.approx(agree / untied)
