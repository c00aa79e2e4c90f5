"""Cohen's κ and Krippendorff's α: textbook cases computed by hand, and what must hold for any labels."""

from __future__ import annotations

from fractions import Fraction
from math import isnan, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.errors import AlignmentError
from errata.stats.agreement import cohen_kappa, krippendorff_alpha, mean_defined

# Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", example C: four observers, twelve units.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
LABELS = st.sampled_from("abc")
UNITS = st.lists(st.lists(LABELS, max_size=5), max_size=12)


@pytest.mark.parametrize(
    ("first", "second", "value"),
    [
        # 20 both yes, 15 both no, 5 and 10 apart: 0.7 observed, 0.5 by chance.
        ("y" * 25 + "n" * 25, "y" * 20 + "n" * 5 + "y" * 10 + "n" * 15, 0.4),
        ("abc", "abc", 1.0),
        ("ab", "ba", -1.0),
        ("aabb", "abab", 0.0),
        ("aaa", "bbb", 0.0),
    ],
)
def test_kappa_by_hand(first: str, second: str, value: float) -> None:
    assert cohen_kappa(first, second) == pytest.approx(value, abs=1e-15)


@pytest.mark.parametrize(("first", "second"), [("", ""), ("aaa", "aaa")])
def test_kappa_of_one_label_is_not_defined(first: str, second: str) -> None:
    assert isnan(cohen_kappa(first, second))


def test_kappa_needs_as_many_labels() -> None:
    with pytest.raises(AlignmentError, match="2 labels of one person, 3 of the other"):
        cohen_kappa("ab", "abc")


def test_alpha_as_krippendorff_computes_it() -> None:
    units = [[label for label in column if label is not None] for column in zip(*OBSERVERS, strict=True)]
    assert krippendorff_alpha(units) == pytest.approx(0.743, abs=0.0005)


@pytest.mark.parametrize(
    ("units", "value"),
    [
        (["aa", "bb"], 1.0),
        (["ab", "ab"], 1 - 3 * 4 / 8),  # four labels, two of each; every pair differs
        (["aa", "bb", "ab", "c"], 1 - 5 * 2 / 18),
    ],
)
def test_alpha_by_hand(units: list[str], value: float) -> None:
    assert krippendorff_alpha(units) == pytest.approx(value, abs=1e-15)


@pytest.mark.parametrize("units", [[], ["a", "b"], ["aa", "aaa"]])
def test_alpha_without_variation_is_not_defined(units: list[str]) -> None:
    assert isnan(krippendorff_alpha(units))


@given(st.lists(st.tuples(LABELS, LABELS), max_size=20))
def test_kappa_equals_its_definition(pairs: list[tuple[str, str]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    found = cohen_kappa(first, second)
    n = len(pairs)
    chance = sum(Fraction(first.count(x) * second.count(x), n * n) for x in "abc") if n else Fraction(1)
    if chance == 1:
        assert isnan(found)
        return
    observed = Fraction(sum(a == b for a, b in pairs), n)
    assert found == pytest.approx(float((observed - chance) / (1 - chance)), abs=1e-12)
    assert found == cohen_kappa(second, first)


@given(UNITS)
def test_alpha_equals_its_definition(units: list[list[str]]) -> None:
    """Observed and expected disagreement from the matrix of coincidences, as Krippendorff defines them."""
    matrix: dict[tuple[str, str], Fraction] = {}
    for unit in units:
        for i, a in enumerate(unit):
            for j, b in enumerate(unit):
                if i != j:
                    matrix[a, b] = matrix.get((a, b), Fraction(0)) + Fraction(1, len(unit) - 1)
    margins = {a: sum((v for (x, _), v in matrix.items() if x == a), Fraction(0)) for a in "abc"}
    n = sum(margins.values())
    expected = sum(margins[a] * margins[b] for a in "abc" for b in "abc" if a != b)
    found = krippendorff_alpha(units)
    if not expected:
        assert isnan(found)
        return
    observed = sum((v for (a, b), v in matrix.items() if a != b), Fraction(0))
    assert found == pytest.approx(float(1 - (n - 1) * observed / expected), abs=1e-12)


@given(UNITS)
def test_alpha_does_not_ask_who_is_who(units: list[list[str]]) -> None:
    shuffled = [sorted(unit) for unit in units][::-1]
    a, b = krippendorff_alpha(units), krippendorff_alpha(shuffled)
    assert (isnan(a) and isnan(b)) or a == pytest.approx(b)


def test_mean_leaves_out_what_is_not_defined() -> None:
    assert mean_defined([0.5, nan, 1.0]) == 0.75
    assert isnan(mean_defined([nan]))
