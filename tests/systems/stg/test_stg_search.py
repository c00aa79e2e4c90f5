"""The search for an order: always a permutation, and with a wide beam the best one."""

from __future__ import annotations

from itertools import permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from errata.systems.stg.search import find_order, order_score


def log_probabilities(n: int) -> st.SearchStrategy[np.ndarray]:
    raw = arrays(np.float64, (n + 1, n + 1), elements=st.floats(-20, 0, width=32))
    return raw.map(lambda a: a - np.logaddexp.reduce(a, axis=1, keepdims=True))


@given(st.integers(1, 9).flatmap(log_probabilities), st.integers(1, 6))
def test_every_token_comes_once(scores: np.ndarray, beam: int) -> None:
    assert sorted(find_order(scores, beam)) == list(range(len(scores) - 1))


@given(st.integers(1, 5).flatmap(log_probabilities))
def test_a_wide_beam_finds_the_best_order(scores: np.ndarray) -> None:
    best = max(order_score(scores, order) for order in permutations(range(len(scores) - 1)))
    assert order_score(scores, find_order(scores, 200)) >= best - 1e-9


def test_pointers_into_a_circle_are_not_followed() -> None:
    """Tokens 0 and 1 point at each other: an order has to leave the circle, and the end comes last."""
    scores = np.full((4, 4), -5.0)
    for slot, following in ((0, 1), (1, 2), (2, 1), (3, 0)):
        scores[slot, following] = -0.1
    assert find_order(scores, 3) == (0, 1, 2)
