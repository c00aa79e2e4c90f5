"""Pairs of partly corrected sentences: subsets, impacts, order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.edits.apply import apply_edits
from errata.judges.impara.supervision import draw_subsets, measure_impacts, rank_pairs
from errata.judges.vectors import cosines
from errata.model import Edit, Tokens

TOKENS = tuple("he go to the school yesterday".split())
EDITS = (Edit(1, 2, ("went",)), Edit(3, 4, ()), Edit(5, 6, ("yesterday", "morning")))


def letters(sentences: Sequence[Tokens]) -> np.ndarray:
    """How often each letter occurs: vectors that anyone can check."""
    rows = [["".join(tokens).count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for tokens in sentences]
    return np.array(rows, float).reshape(len(sentences), 26)


@given(n_edits=st.integers(1, 9), limit=st.integers(1, 40), seed=st.integers(0, 99))
def test_subsets_differ_and_no_two_pairs_are_alike(n_edits: int, limit: int, seed: int) -> None:
    drawn = draw_subsets(n_edits, limit, np.random.default_rng(seed))
    assert len(drawn) <= limit
    assert all(first != second and first <= set(range(n_edits)) >= second for first, second in drawn)
    assert all(first for first, _ in drawn)  # an edit or more
    assert len({frozenset(pair) for pair in drawn}) == len(drawn)


def test_subsets_of_one_edit_are_it_and_nothing() -> None:
    assert draw_subsets(1, 30, np.random.default_rng(0)) == [(frozenset({0}), frozenset())]


def test_subsets_differ_in_few_edits() -> None:
    drawn = draw_subsets(20, 500, np.random.default_rng(0))
    # Each of 20 is toggled with probability 1/20, and pairs in which none was are left out.
    assert np.mean([len(first ^ second) for first, second in drawn]) == pytest.approx(1 / (1 - 0.95**20), abs=0.1)


def test_impact_is_how_far_the_correction_moves_without_an_edit() -> None:
    impacts = measure_impacts([(TOKENS, EDITS), (TOKENS, EDITS[:1])], letters)
    target = apply_edits(TOKENS, EDITS)
    without = apply_edits(TOKENS, EDITS[1:])
    assert [len(one) for one in impacts] == [3, 1]
    assert impacts[0][0] == pytest.approx(1 - cosines(letters([target]), letters([without]))[0])


@settings(max_examples=50)
@given(seed=st.integers(0, 200), limit=st.one_of(st.none(), st.integers(1, 20)), each=st.integers(1, 30))
def test_the_larger_impact_is_better(seed: int, limit: int | None, each: int) -> None:
    impacts = dict(zip(EDITS, measure_impacts([(TOKENS, EDITS)], letters)[0], strict=True))
    sums = {
        apply_edits(TOKENS, chosen): sum(impacts[edit] for edit in chosen)
        for n in range(8)
        for chosen in [[edit for place, edit in enumerate(EDITS) if n >> place & 1]]
    }
    pairs = rank_pairs([(TOKENS, EDITS), (TOKENS, ())], letters, limit=limit, each=each, seed=seed)
    assert len(pairs) <= min(each, limit or each)
    assert all(sums[pair.better] > sums[pair.worse] for pair in pairs)
    assert pairs == rank_pairs([(TOKENS, EDITS), (TOKENS, ())], letters, limit=limit, each=each, seed=seed)


def test_edits_that_change_nothing_make_no_pairs() -> None:
    assert rank_pairs([(("a",), (Edit(0, 1, ("a",)),))], letters, limit=None, each=30, seed=0) == []


def test_vectors_without_length_are_unlike_everything() -> None:
    assert cosines(np.array([[0.0, 0.0], [3.0, 4.0]]), np.array([[1.0, 0.0], [3.0, 4.0]])).tolist() == [0.0, 1.0]
