"""The numbers of the script published with RobustGEC: on its own data, on small cases, and against an obvious twin."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robust_cases import PARA, judge, make_subset

from errata.metrics.inputs import read_texts
from errata.model import Counts
from errata.robustness.bounds import choose_best, choose_official, choose_worst, resample_official
from errata.robustness.cases import check_subset, read_subset, with_hypotheses
from errata.robustness.judging import JudgedCase
from errata.robustness.scores import score_official

SAMPLES = st.lists(st.builds(Counts, *[st.integers(0, 3)] * 3), min_size=2, max_size=4)
CASES = st.lists(SAMPLES, min_size=1, max_size=8)


def test_small_cases() -> None:
    found = score_official(judge(make_subset(PARA).cases), 0, 0)
    assert found.original == found.upper == Counts(2, 0, 1)
    assert found.lower == Counts(0, 2, 3)
    assert found.crs == 1 / 4
    assert found.p_crs == pytest.approx((1 / 2 + 1 / 2 + 1 / 2 + 1) / 4)
    assert (found.n_cases, found.n_variants, found.intervals) == (4, 8, {})


def test_the_oracle_is_reproduced(oracles: Path) -> None:
    """Counts of all three, CRS and P-CRS to the last digit that the script printed."""
    folder = oracles / "robustgec"
    told = (folder / "conll14.official.txt").read_text("utf-8")
    wanted = [tuple(map(float, line.split())) for line in told.splitlines() if re.match(r"\d+\t", line)]
    subset = read_subset(folder / "conll14.para")
    [filled] = with_hypotheses([subset], read_texts(folder / "conll14.harper.hyp.txt"), "harper")
    cases = judge(check_subset(filled, "en", lenient=True).cases)
    found = score_official(cases, 0, 0)
    for counts, (tp, fp, fn, precision, recall, f) in zip(
        (found.original, found.upper, found.lower), wanted, strict=True
    ):
        assert (counts.tp, counts.fp, counts.fn) == (tp, fp, fn)
        numbers = [round(100 * one, 2) for one in (counts.precision, counts.recall, counts.f(0.5))]
        assert numbers == [round(one, 2) for one in (precision, recall, f)]
    crs, p_crs = (tuple(map(float, pair)) for pair in re.findall(r"CRS: ([\d.]+) \(([\d.]+)%\)", told))
    assert (found.crs * len(cases), 100 * found.crs) == pytest.approx(crs, abs=1e-9)
    assert (found.p_crs * len(cases), 100 * found.p_crs) == pytest.approx(p_crs, abs=1e-9)


def twin(cases: list[list[Counts]], times: Sequence[int] | None = None) -> tuple[Counts, Counts, int]:
    """Upper bound, lower bound and the number of consistent cases, written down as the specification says it.

    `times` says how often the counts of each case are added.
    """
    best, worst, same = Counts(), Counts(), 0
    for samples, n in zip(cases, times or [1] * len(cases), strict=True):
        up = down = 0
        for place, sample in enumerate(samples):
            f_up, f_down = (round((total + sample).f(0.5), 4) for total in (best, worst))
            kept_up, kept_down = (round((total + samples[at]).f(0.5), 4) for total, at in ((best, up), (worst, down)))
            if f_up > kept_up or (f_up == kept_up and is_better(sample, samples[up])):
                up = place
            if f_down < kept_down or (f_down == kept_down and is_better(samples[down], sample)):
                down = place
        for _ in range(n):
            best, worst, same = best + samples[up], worst + samples[down], same + (up == down)
    return best, worst, same


def is_better(sample: Counts, other: Counts) -> bool:
    if sample.tp != other.tp:
        return sample.tp > other.tp
    if sample.fp != other.fp:
        return sample.fp < other.fp
    return sample.fn < other.fn


def choose(cases: list[list[Counts]]) -> tuple[Counts, Counts, int]:
    up, down = (choose_official(cases, choose) for choose in (choose_best, choose_worst))
    best, worst = (
        sum((samples[at] for samples, at in zip(cases, places, strict=True)), Counts()) for places in (up, down)
    )
    return best, worst, sum(one == other for one, other in zip(up, down, strict=True))


@given(CASES)
def test_choices_are_those_of_the_specification(cases: list[list[Counts]]) -> None:
    assert choose(cases) == twin(cases)


@given(CASES, st.integers(0, 2**32))
def test_resamples_are_chosen_like_the_corpus(cases: list[list[Counts]], seed: int) -> None:
    """Each row of the fast version is the obvious one on the drawn cases, which stay in the order of the file."""
    weights = np.random.default_rng(seed).integers(0, 3, (5, len(cases)))
    upper, lower, same = resample_official(cases, weights)
    for row, times in enumerate(weights.tolist()):
        best, worst, n_same = twin(cases, times)
        assert tuple(upper[row]) == (best.tp, best.fp, best.fn)
        assert tuple(lower[row]) == (worst.tp, worst.fp, worst.fn)
        assert same[row] == n_same


def test_the_order_of_cases_matters() -> None:
    """The same cases, the other way round: each is chosen for what the totals are by then."""
    cases = [[Counts(3, 0, 3), Counts(1, 0, 0)], [Counts(0, 0, 1), Counts(0, 1, 0)], [Counts(1, 1, 0), Counts(0, 0, 0)]]
    assert choose(cases)[:2] != choose(cases[::-1])[:2]


def test_intervals_hold_the_value_and_repeat() -> None:
    cases: list[JudgedCase] = judge(make_subset(PARA).cases) * 10
    found = score_official(cases, 200, 7)
    assert found.intervals == score_official(cases, 200, 7).intervals != score_official(cases, 200, 8).intervals
    low, high = found.intervals["p_crs"]
    assert low <= found.p_crs <= high
    low, high = found.intervals["original"]
    assert low <= found.original.f(0.5) <= high
