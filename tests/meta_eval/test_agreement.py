"""Agreement with people: by pairs with each rule for ties, by values, in windows; values worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.meta_eval.agreement import (
    TIES,
    choose_best,
    correlate_order,
    correlate_rated,
    count_pairs,
    count_rated_pairs,
    slide_windows,
    system_intervals,
)
from errata.meta_eval.base import Judgement, Rated

# Of four pairs in which people see a difference, the metric has two right, one wrong, one tied.
JUDGED = [
    Judgement(0, "a", "b", 1),
    Judgement(0, "c", "a", -1),
    Judgement(1, "a", "b", 1),
    Judgement(1, "b", "c", -1),
    Judgement(1, "a", "c", 0),
]
SCORES = {"a": np.array([3.0, 1.0]), "b": np.array([2.0, 2.0]), "c": np.array([1.0, 2.0])}


@pytest.mark.parametrize(
    ("rule", "accuracy", "n_pairs"), [("wrong", 2 / 4, 4), ("half", 2.5 / 4, 4), ("skip", 2 / 3, 3), ("loss", 3 / 4, 4)]
)
def test_rules_for_ties(rule: str, accuracy: float, n_pairs: int) -> None:
    counts = count_pairs(JUDGED, SCORES, ["a", "b", "c"], 2, rule)
    assert counts.values() == pytest.approx({"accuracy": accuracy, "kendall": 2 * accuracy - 1})
    assert counts.n_pairs == n_pairs


def test_only_pairs_of_the_group_count() -> None:
    assert count_pairs(JUDGED, SCORES, ["a", "b"], 2, "wrong").values()["accuracy"] == 1 / 2


def test_without_pairs_there_is_no_accuracy() -> None:
    counts = count_pairs(JUDGED[-1:], SCORES, ["a", "b", "c"], 2, "wrong")
    assert np.isnan(counts.values()["accuracy"]) and counts.intervals(np.zeros((3, 2), dtype=int)) == {}


def test_intervals_over_sentences() -> None:
    counts = count_pairs(JUDGED, SCORES, ["a", "b", "c"], 2, "wrong")
    assert counts.intervals(np.array([[0, 0], [0, 0]])) == {"accuracy": (1, 1), "kendall": (1, 1)}
    assert counts.intervals(np.array([[1, 1]]))["accuracy"] == (0, 0)


@given(st.permutations(range(5)), st.sampled_from(["wrong", "half", "skip"]))
def test_a_reversed_metric_is_wrong_where_it_was_right(order: list[int], rule: str) -> None:
    rated = [Rated(0, tuple("abcde"), (1, 2, 3, 4, 5))]
    scores = [np.array(order, dtype=float)]
    ours = count_rated_pairs(rated, scores, 1, rule).values()["kendall"]
    assert count_rated_pairs(rated, [-scores[0]], 1, rule).values()["kendall"] == pytest.approx(-ours)
    assert correlate_order(rated, [-scores[0]]) == pytest.approx(-correlate_order(rated, scores))
    assert correlate_order(rated, scores) == pytest.approx([ours])  # without ties, both are the same τ


def test_the_rules_are_those_documented() -> None:
    assert list(TIES) == ["wrong", "half", "skip", "loss"]


RATED = [Rated(0, ("a", "b", "c"), (1, 2, 3)), Rated(1, ("d", "e"), (0, 0)), Rated(2, ("f", "g"), (1, 0))]
OWN = [np.array([0.1, 0.3, 0.2]), np.array([0.5, 0.4]), np.array([0.7, 0.7])]


def test_values_of_corrections() -> None:
    assert correlate_order(RATED, OWN).tolist() == pytest.approx([1 / 3, 0])  # nobody orders the second row
    assert count_rated_pairs(RATED, OWN, 3, "wrong").values()["accuracy"] == pytest.approx(2 / 4)
    assert correlate_rated(RATED, OWN)["pearson"] == pytest.approx(
        np.corrcoef(np.concatenate(OWN), [1, 2, 3, 0, 0, 1, 0])[0, 1]
    )


def test_choosing_a_candidate() -> None:
    assert choose_best(RATED, OWN) == {
        "chosen": pytest.approx((2 + 0 + 1) / 3),
        "best": pytest.approx((3 + 0 + 1) / 3),
        "first": pytest.approx((1 + 0 + 1) / 3),
        "mean": pytest.approx((2 + 0 + 0.5) / 3),
    }


def test_windows_follow_the_human_ranking() -> None:
    human = {"w": 1.0, "x": 4.0, "y": 3.0, "z": 2.0}
    metric = {"w": 3.0, "x": 9.0, "y": 7.0, "z": 8.0}
    names, pearsons, spearmans = slide_windows(metric, human, 3)
    assert names == [("x", "y", "z"), ("y", "z", "w")]
    assert spearmans == pytest.approx([0.5, 0.5])
    assert pearsons == pytest.approx([0.5, 4 / np.sqrt(2 * 14)])


def test_system_intervals_leave_rows_without_variation_out() -> None:
    human = np.array([[1.0, 2, 3]] * 3)
    found = system_intervals(np.array([[1.0, 2, 3], [2.0, 4, 6], [5.0, 5, 5]]), human)
    assert found == {"pearson": pytest.approx((1, 1)), "spearman": pytest.approx((1, 1))}
