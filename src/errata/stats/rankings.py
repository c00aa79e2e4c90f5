"""Rankings of systems from pairwise judgements: Expected Wins and TrueSkill, with the ranges of their ranks.

Expected Wins (Koehn 2012; Bojar et al. 2013) leaves ties out; TrueSkill (Sakaguchi et al. 2014) takes them as draws.
Both are those of WMT, which Grundkiewicz et al. (2015) used for grammatical error correction. Every result depends on
its seed alone, and not on what the systems are called.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from errata.errors import DataError
from errata.stats.resampling import DEFAULT_SEED, percentiles

if TYPE_CHECKING or os.environ.get("ERRATA_PURE") == "1":
    from errata.stats._trueskill import play_games
else:
    try:
        from errata.stats._trueskill_c import play_games
    except ImportError:
        from errata.stats._trueskill import play_games

# The settings of WMT's program. A performance varies by sigma for every 40 judgements (BETA_SHARE), so no judgement
# counts for more than another, however many there are.
SIGMA, BETA_SHARE, DRAW_CHANCE = 0.5, 1 / 40, 0.25
# Opponents are drawn by how near their skills are. With this width the skills come nearest to the published ones of
# SEEDA (at most 0.02 off, in the same order); with an even draw they are up to 0.11 off.
NEAR = SIGMA / 2
# Runs of TrueSkill, and resamples for Expected Wins. Means of so many runs differ by about 0.002.
RUNS = 100
CONFIDENCE = 0.95

Outcome = tuple[str, str, int]
"""Two systems, and whether the first is better (1), worse (-1) or as good (0)."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How often each system was better than each other one, `wins[i, j]`, and how often as good, `draws[i, j]`."""

    systems: tuple[str, ...]
    wins: np.ndarray
    draws: np.ndarray

    @property
    def n_judgements(self) -> int:
        return int(self.wins.sum() + self.draws.sum() // 2)


@dataclass(frozen=True, slots=True)
class Ranking:
    """The score of each system, the best first; `ranges` are the ranks it has in 95 % of the runs.

    Systems whose ranges overlap are in one cluster; cluster 1 is the best.
    """

    method: str
    scores: Mapping[str, float]
    ranges: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    clusters: Mapping[str, int] = field(default_factory=dict)


def count_outcomes(judgements: Iterable[Outcome], systems: Sequence[str]) -> Outcomes:
    """The judgements of pairs among `systems`, counted; a system without a single one is a `DataError`."""
    places = {name: place for place, name in enumerate(systems)}
    wins = np.zeros((len(places), len(places)))
    draws = np.zeros_like(wins)
    for first, second, outcome in judgements:
        i, j = places[first], places[second]
        if outcome > 0:
            wins[i, j] += 1
        elif outcome < 0:
            wins[j, i] += 1
        else:
            draws[i, j] += 1
            draws[j, i] += 1
    seen = wins + wins.T + draws
    if unseen := [name for name in systems if not seen[places[name]].any()]:
        raise DataError(f"nobody judged {unseen[0]}: a system without judgements has no rank")
    return Outcomes(tuple(systems), wins, draws)


def expected_wins(outcomes: Outcomes, *, runs: int = RUNS, seed: int = DEFAULT_SEED) -> Ranking:
    """The chance of each system to be better than a system taken at random, where people see a difference.

    A pair that nobody tells apart does not count; a system that is never told apart from any other is a `DataError`.
    """
    exact = _win_shares(outcomes.wins[None])[0]
    if np.isnan(exact).any():
        name = outcomes.systems[int(np.flatnonzero(np.isnan(exact))[0])]
        raise DataError(f"{name} is tied in all its judgements: it has no Expected Wins")
    return _rank("EW", outcomes.systems, exact, _win_shares(_resample_wins(outcomes, runs, seed)))


def _win_shares(wins: np.ndarray) -> np.ndarray:
    """The mean share of wins against each other system, for each table of (tables, systems, systems)."""
    decided = wins + np.swapaxes(wins, 1, 2)
    n_opponents = (decided > 0).sum(axis=2)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.where(decided > 0, wins / decided, 0.0).sum(axis=2) / n_opponents
    means: np.ndarray = np.where(n_opponents > 0, shares, np.nan)
    return means


def _resample_wins(outcomes: Outcomes, runs: int, seed: int) -> np.ndarray:
    """Tables of wins when as many judgements are drawn with replacement, (runs, systems, systems)."""
    rng = np.random.default_rng(seed)
    ties = np.array([outcomes.draws.sum() / 2])
    counts = np.concatenate([outcomes.wins.ravel(), ties])
    drawn = rng.multinomial(int(counts.sum()), counts / counts.sum(), size=runs)
    tables: np.ndarray = drawn[:, :-1].reshape(runs, *outcomes.wins.shape).astype(float)
    return tables


def true_skill(outcomes: Outcomes, *, runs: int = RUNS, seed: int = DEFAULT_SEED) -> Ranking:
    """The mean skill of each system over `runs`; each run draws as many judgements as there are, with replacement."""
    beta = SIGMA * BETA_SHARE * outcomes.n_judgements
    margin = NormalDist().inv_cdf((DRAW_CHANCE + 1) / 2) * sqrt(2) * beta
    played = outcomes.wins + outcomes.wins.T + outcomes.draws
    with np.errstate(divide="ignore", invalid="ignore"):
        wins = np.where(played > 0, outcomes.wins / played, -1.0).tolist()
        draws = np.where(played > 0, outcomes.draws / played, -1.0).tolist()
    rng = np.random.default_rng(seed)
    skills = []
    for _ in range(runs):
        chances = rng.random((outcomes.n_judgements, 2))
        skills.append(play_games(wins, draws, chances, SIGMA, beta, margin, NEAR)[0])
    return _rank("TS", outcomes.systems, np.mean(skills, axis=0), np.array(skills))


RANKINGS = {"EW": expected_wins, "TS": true_skill}


def _rank(method: str, systems: Sequence[str], scores: np.ndarray, runs: np.ndarray) -> Ranking:
    """The ranking by `scores`; ranges of ranks from the scores of each run (runs, systems)."""
    order = sorted(range(len(systems)), key=lambda place: -scores[place])
    filled = np.nan_to_num(runs, nan=-np.inf)
    ranks = 1 + (filled[:, None, :] > filled[:, :, None]).sum(axis=2)  # (runs, systems)
    bounds = [percentiles(ranks[:, place], CONFIDENCE) for place in range(len(systems))]
    ranges = {systems[place]: (round(bounds[place][0]), round(bounds[place][1])) for place in order}
    return Ranking(method, {systems[place]: float(scores[place]) for place in order}, ranges, find_clusters(ranges))


def find_clusters(ranges: Mapping[str, tuple[int, int]]) -> dict[str, int]:
    """The cluster of each system; a new one begins where no range reaches across."""
    clusters: dict[str, int] = {}
    number, reached = 0, 0
    for name, (low, high) in sorted(ranges.items(), key=lambda one: one[1]):
        if low > reached:
            number += 1
        clusters[name] = number
        reached = max(reached, high)
    return {name: clusters[name] for name in ranges}
