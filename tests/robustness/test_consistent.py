"""The paper's definition: the same corrections, carried across the perturbation."""

from __future__ import annotations

from dataclasses import replace

import pytest
from robust_cases import PARA, ZH_PARA, judge, make_subset

from errata.model import Counts
from errata.robustness.bounds import choose_alone, choose_best, choose_worst
from errata.robustness.scores import score_consistent


def test_small_cases() -> None:
    cases = judge(make_subset(PARA).cases)
    assert [case.is_alike for case in cases] == [(True, False), (True, False), (False, True), (True, True)]
    found = score_consistent(cases, 100, 1)
    assert (found.crs, found.p_crs) == (1 / 4, 5 / 8)
    assert (found.n_cases, found.n_variants) == (4, 8)
    assert found.original == Counts(2, 0, 1) and found.lower == Counts(0, 2, 3)
    low, high = found.intervals["crs"]
    assert 0 <= low <= found.crs <= high <= 1


def test_the_paper_s_own_example() -> None:
    """Four of five variants share the corrections of the original: CRS 0, P-CRS 0.8."""
    sports = ["golf", "chess", "tennis", "football"]
    blocks = ["O-S I like play cards .\nO-T I like playing cards .\nO-P I like playing cards ."]
    blocks += [
        f"A{n}-S I like play {word} .\nA{n}-T I like playing {word} .\nA{n}-P I like playing {word} ."
        for n, word in enumerate(sports, 1)
    ]
    blocks.append("A5-S I like play hockey .\nA5-T I like playing hockey .\nA5-P I like play ice hockey .")
    found = score_consistent(judge(make_subset("\n".join(blocks)).cases), 0, 0)
    assert (found.crs, found.p_crs) == (0.0, 0.8)


def test_chinese() -> None:
    [case] = judge(make_subset(ZH_PARA, "zh").cases, "zh")
    assert case.is_alike == (True, False)
    assert case.counts == (Counts(1, 0, 0), Counts(1, 0, 0), Counts(0, 0, 1))
    assert [change.action for changes in case.changes for change in changes] == ["substitute", "insert"]


def test_variants_with_another_error_do_not_count() -> None:
    cases = judge(make_subset(PARA).cases)
    marked = [replace(case, case=replace(case.case, changed=frozenset({2}))) for case in cases]
    found = score_consistent(marked, 0, 0)
    assert (found.crs, found.p_crs, found.n_cases, found.n_variants) == (3 / 4, 3 / 4, 4, 4)
    assert found.lower == Counts(1, 1, 2)
    none = [replace(case, case=replace(case.case, changed=frozenset({1, 2}))) for case in cases]
    found = score_consistent(none, 10, 0)
    assert (found.crs, found.p_crs, found.n_cases) == (0.0, 0.0, 0)


@pytest.mark.parametrize("choose", [choose_best, choose_worst])
def test_bounds_do_not_depend_on_the_order(choose) -> None:  # type: ignore[no-untyped-def]
    cases = [[Counts(3, 0, 3), Counts(1, 0, 0)], [Counts(0, 0, 1), Counts(0, 1, 0)], [Counts(1, 1, 0), Counts(0, 0, 0)]]
    assert choose_alone(cases[::-1], choose) == choose_alone(cases, choose)[::-1]
