"""Expected Wins and TrueSkill: values worked out by hand, a published example, and both twins of the games."""

from __future__ import annotations

import os
import time
from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.errors import DataError
from errata.stats import _trueskill
from errata.stats.rankings import RANKINGS, Outcome, count_outcomes, expected_wins, find_clusters, true_skill

# a beats b 3 : 1 and c 1 : 1; b beats c 4 : 0; some ties.
JUDGED: list[Outcome] = [
    *[("a", "b", 1)] * 3,
    ("b", "a", 1),
    ("a", "c", 1),
    ("a", "c", -1),
    *[("b", "c", 1)] * 3,
    ("c", "b", -1),
    *[("a", "b", 0)] * 5,
]


def test_counting() -> None:
    counted = count_outcomes(JUDGED, ["a", "b", "c"])
    assert counted.wins.tolist() == [[0, 3, 1], [1, 0, 4], [1, 0, 0]]
    assert counted.draws.tolist() == [[0, 5, 0], [5, 0, 0], [0, 0, 0]]
    assert counted.n_judgements == len(JUDGED)


def test_expected_wins_leave_ties_out() -> None:
    ranking = expected_wins(count_outcomes(JUDGED, ["a", "b", "c"]), runs=50)
    assert ranking.scores == {"a": (3 / 4 + 1 / 2) / 2, "b": (1 / 4 + 1) / 2, "c": 1 / 4}
    assert ranking.ranges["c"][1] == 3


def test_a_pair_that_nobody_told_apart_does_not_count() -> None:
    judged = [("a", "b", 1), ("a", "c", 0), ("b", "c", 1)]
    assert expected_wins(count_outcomes(judged, ["a", "b", "c"]), runs=5).scores == {"a": 1, "b": 0.5, "c": 0}


def test_a_system_without_judgements() -> None:
    with pytest.raises(DataError, match="nobody judged d"):
        count_outcomes(JUDGED, ["a", "b", "c", "d"])
    with pytest.raises(DataError, match="c is tied in all its judgements"):
        expected_wins(count_outcomes([("a", "b", 1), ("c", "a", 0)], ["a", "b", "c"]))


@pytest.mark.parametrize(
    ("wins", "skills", "deviation"),
    [(1.0, (29.396, 20.604), 7.171), (0.0, (25.0, 25.0), 6.458)],
    ids=["win", "draw"],
)
def test_one_game_as_trueskill_documents_it(wins: float, skills: tuple[float, float], deviation: float) -> None:
    """Two new players of (25, 25/3), β 25/6, τ 25/300, a draw in 10 % of the games: the example of TrueSkill's page."""
    sigma = ((25 / 3) ** 2 + (25 / 300) ** 2) ** 0.5
    beta, margin = 25 / 6, 0.7404665874521482  # Φ⁻¹(0.55)·√2·β
    never = [[-1.0, wins], [0.0, -1.0]]
    draws = [[-1.0, 1 - wins], [1 - wins, -1.0]]
    found, variances = _trueskill.play_games(never, draws, [(0.5, 0.5)], sigma, beta, margin, beta)
    assert [25 + one for one in found] == pytest.approx(skills, abs=5e-4)
    assert [one**0.5 for one in variances] == pytest.approx([deviation] * 2, abs=5e-4)


@st.composite
def _tables(draw: st.DrawFn) -> tuple[list[list[float]], list[list[float]]]:
    n = draw(st.integers(2, 5))
    wins, draws = [[-1.0] * n for _ in range(n)], [[-1.0] * n for _ in range(n)]
    for i, j in combinations(range(n), 2):
        won, tied = draw(st.integers(0, 5)), draw(st.integers(0, 5))
        lost = draw(st.integers(1, 5))
        total = won + tied + lost
        wins[i][j], wins[j][i] = won / total, lost / total
        draws[i][j] = draws[j][i] = tied / total
    return wins, draws


@settings(max_examples=30)
@given(tables=_tables(), seed=st.integers(0, 99), beta=st.sampled_from([0.01, 0.25, 30.0]))
def test_the_twins_play_alike(tables, seed: int, beta: float) -> None:
    compiled = pytest.importorskip("errata.stats._trueskill_c", reason="the kernel is not built")
    chances = np.random.default_rng(seed).random((60, 2))
    options = (*tables, chances, 0.5, beta, 0.3 * beta, 0.25)
    ours, theirs = _trueskill.play_games(*options), compiled.play_games(*options)
    assert np.allclose(ours, theirs, rtol=1e-9, atol=0) and np.isfinite(ours).all()


def test_skills_follow_the_wins() -> None:
    rng = Random(1)
    strength = {"weak": 0, "middling": 1, "strong": 2}
    judged = []
    for _ in range(900):
        first, second = rng.sample(list(strength), 2)
        gap = strength[first] - strength[second] + rng.gauss(0, 1)
        judged.append((first, second, 0 if abs(gap) < 0.3 else 1 if gap > 0 else -1))
    ranking = true_skill(count_outcomes(judged, list(strength)), runs=20)
    assert list(ranking.scores) == ["strong", "middling", "weak"]
    assert ranking.ranges == {"strong": (1, 1), "middling": (2, 2), "weak": (3, 3)}
    assert ranking.clusters == {"strong": 1, "middling": 2, "weak": 3}
    assert sum(ranking.scores.values()) == pytest.approx(0, abs=0.05)


@pytest.mark.parametrize("rank", RANKINGS.values(), ids=RANKINGS)
def test_names_do_not_matter_and_seeds_repeat(rank) -> None:
    names = {"a": "z", "b": "y", "c": "x"}
    renamed = [(names[first], names[second], outcome) for first, second, outcome in JUDGED]
    ours = rank(count_outcomes(JUDGED, "abc"), runs=10, seed=3)
    again = rank(count_outcomes(renamed, "zyx"), runs=10, seed=3)
    assert {names[name]: score for name, score in ours.scores.items()} == again.scores
    assert rank(count_outcomes(JUDGED, "abc"), runs=10, seed=3) == ours


def test_clusters_share_ranks() -> None:
    assert find_clusters({"a": (1, 1), "b": (2, 3), "c": (3, 4), "d": (5, 5)}) == {"a": 1, "b": 2, "c": 2, "d": 3}


def test_the_kernel_is_used_where_it_is_built() -> None:
    pytest.importorskip("errata.stats._trueskill_c", reason="the kernel is not built")
    if os.environ.get("ERRATA_PURE") == "1":
        pytest.skip("ERRATA_PURE asks for the twin")
    judged = [(*pair, n % 3 - 1) for pair in combinations("abcdefgh", 2) for n in range(1000)]
    begun = time.process_time()
    true_skill(count_outcomes(judged, "abcdefgh"), runs=10)
    assert time.process_time() - begun < 2, "280,000 games take the twin more than two seconds"
