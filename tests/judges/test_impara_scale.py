"""The scale of IMPARA's scores: orders stay as they are, and σ says how sure one may be of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.judges.impara.calibration import fit_scale


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


@pytest.mark.parametrize("scale", [0.1, 1.0, 30.0])
def test_the_sigmoid_of_a_difference_is_the_chance_that_it_is_right(scale: float) -> None:
    rng = np.random.default_rng(0)
    gaps = np.abs(rng.normal(0, 2, 20_000))
    is_right = rng.random(20_000) < sigmoid(gaps)
    level = rng.normal(5, 1, 20_000)
    better, worse = level + np.where(is_right, gaps, -gaps) / 2, level - np.where(is_right, gaps, -gaps) / 2
    assert fit_scale(scale * better, scale * worse) * scale == pytest.approx(1, rel=0.05)


@pytest.mark.parametrize(
    ("better", "worse"),
    [([1.0, 2.0], [0.0, 0.5]), ([1.0], [-1e6]), ([1e-9], [0.0])],
    ids=["always right", "far apart", "close together"],
)
def test_a_judge_without_mistakes_has_a_finite_scale(better: list[float], worse: list[float]) -> None:
    assert 0 < fit_scale(np.array(better), np.array(worse)) < np.inf


@pytest.mark.parametrize(
    ("better", "worse"), [([], []), ([1.0, 1.0], [1.0, 1.0]), ([0.0, 0.0], [1.0, 2.0])], ids=["none", "ties", "wrong"]
)
def test_scores_that_say_nothing_are_not_scaled(better: list[float], worse: list[float]) -> None:
    assert fit_scale(np.array(better), np.array(worse)) == 1.0


@given(st.lists(st.tuples(st.floats(-100, 100), st.floats(-100, 100)), min_size=1, max_size=50))
def test_no_order_changes(pairs: list[tuple[float, float]]) -> None:
    better, worse = np.array(pairs).T
    assert 0 < fit_scale(better, worse) < np.inf
