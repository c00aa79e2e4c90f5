"""Intervals and paired tests: reproducible, right on cases one can work out, vectorised in bounded pieces."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from errata.errors import AlignmentError, DataError
from errata.metrics.base import Item, Metric
from errata.metrics.evaluation import sentence_scores
from errata.model import Score
from errata.stats import resampling
from errata.stats.resampling import approximate_randomisation, bootstrap, paired_bootstrap


class Mean(Metric[float]):
    """The mean of numbers: a metric whose statistics are what we say they are."""

    name = "mean"

    def stats(self, items: Sequence[Item]) -> list[float]:
        return [float(one.source.text or 0) for one in items]

    def aggregate(self, stats: Sequence[float]) -> Score:
        return Score(self.name, float(np.mean(stats)), {}, self.signature)

    def resample(self, stats: Sequence[float], indices: np.ndarray) -> np.ndarray:
        means: np.ndarray = np.array(stats)[indices].mean(axis=1)
        return means


RNG = np.random.default_rng(5)
NUMBERS = RNG.normal(0.5, 0.1, 200).tolist()
BETTER = [one + 0.05 + noise for one, noise in zip(NUMBERS, RNG.normal(0, 0.05, 200), strict=True)]
SAME = [one + noise for one, noise in zip(NUMBERS, RNG.normal(0, 0.05, 200), strict=True)]
TESTS = [paired_bootstrap, approximate_randomisation]


def test_the_interval_is_that_of_the_mean() -> None:
    interval = bootstrap(Mean(), NUMBERS, n_resamples=2000, seed=1)
    half_width = 1.96 * np.std(NUMBERS) / np.sqrt(len(NUMBERS))
    assert interval.low == pytest.approx(np.mean(NUMBERS) - half_width, abs=0.003)
    assert interval.high == pytest.approx(np.mean(NUMBERS) + half_width, abs=0.003)
    assert (interval.confidence, interval.n_resamples, interval.seed) == (0.95, 2000, 1)


def test_the_seed_decides() -> None:
    assert bootstrap(Mean(), NUMBERS, seed=1) == bootstrap(Mean(), NUMBERS, seed=1)
    assert bootstrap(Mean(), NUMBERS, seed=1) != bootstrap(Mean(), NUMBERS, seed=2)


@pytest.mark.parametrize("test", TESTS)
def test_a_clear_difference_is_significant(test: object) -> None:
    result = test(Mean(), NUMBERS, BETTER, n_resamples=999, seed=1)  # type: ignore[operator]
    assert result.difference == pytest.approx(np.mean(BETTER) - np.mean(NUMBERS))
    assert result.p_value == 1 / 1000
    assert result.seed == 1


@pytest.mark.parametrize("test", TESTS)
def test_noise_is_not_significant(test: object) -> None:
    assert test(Mean(), NUMBERS, SAME, seed=1).p_value > 0.05  # type: ignore[operator]


@pytest.mark.parametrize("test", TESTS)
def test_equal_systems_have_p_1(test: object) -> None:
    result = test(Mean(), NUMBERS, NUMBERS, n_resamples=50, seed=1)  # type: ignore[operator]
    assert (result.difference, result.p_value) == (0.0, 1.0)


def test_the_paired_bootstrap_says_who_is_ahead() -> None:
    result = paired_bootstrap(Mean(), NUMBERS, BETTER, seed=1)
    assert result.wins == 1.0
    assert result.interval is not None and 0 < result.interval[0] < result.difference < result.interval[1]
    assert paired_bootstrap(Mean(), NUMBERS, NUMBERS, seed=1).wins == 0.5


def test_randomisation_of_two_sentences_is_exact() -> None:
    # Of the four ways to swap two sentences two give the observed difference (none and all), two give 0.
    result = approximate_randomisation(Mean(), [0.0, 0.0], [1.0, 1.0], n_resamples=4000, seed=1)
    assert result.p_value == pytest.approx(0.5, abs=0.03)


def test_sentence_scores() -> None:
    assert sentence_scores(Mean(), [0.1, 0.7]).tolist() == [0.1, 0.7]


def test_a_metric_may_score_sentences_in_its_own_way() -> None:
    class Smoothed(Mean):
        def sentence_scores(self, stats: Sequence[float]) -> list[float]:
            return [one + 1 for one in stats]

    assert sentence_scores(Smoothed(), [0.5]).tolist() == [1.5]


def test_small_pieces_give_as_many_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resampling, "_BATCH", 450)
    shapes = [piece.shape for piece in resampling.draw_with_replacement(200, 5, 1)]
    assert shapes == [(2, 200), (2, 200), (1, 200)]
    bootstrap(Mean(), NUMBERS, n_resamples=5)


def test_what_cannot_be_tested() -> None:
    with pytest.raises(AlignmentError, match="the same sentences: 1 and 2"):
        paired_bootstrap(Mean(), [0.1], [0.1, 0.2])
    with pytest.raises(DataError, match="no sentences"):
        bootstrap(Mean(), [])
    with pytest.raises(DataError, match="at least 1, not 0"):
        bootstrap(Mean(), [0.1], n_resamples=0)
