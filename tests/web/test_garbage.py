"""When a server looks for garbage: not while somebody waits, unless it has put that off for long."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from errata.web import run


@pytest.fixture(autouse=True)
def never_by_itself() -> Iterator[None]:
    thresholds = gc.get_threshold()
    gc.set_threshold(thresholds[0], thresholds[1], run.NEVER)
    gc.collect()
    yield
    gc.set_threshold(*thresholds)


def age(times: int) -> None:
    """Let young objects be looked at so many times."""
    for _ in range(times):
        gc.collect(1)


@pytest.mark.parametrize(("n_young", "is_idle"), [(run.YOUNG_BEFORE_IDLE, True), (run.YOUNG_BEFORE_ALL, False)])
def test_all_objects_are_looked_at_when_it_is_time(n_young: int, is_idle: bool) -> None:
    age(n_young)
    assert gc.get_count()[2] >= n_young
    run.collect_garbage(is_idle=is_idle)
    assert gc.get_count()[2] == 0


@pytest.mark.parametrize(("n_young", "is_idle"), [(run.YOUNG_BEFORE_IDLE - 5, True), (run.YOUNG_BEFORE_IDLE, False)])
def test_nobody_is_held_up_before(n_young: int, is_idle: bool) -> None:
    age(n_young)
    before = gc.get_count()[2]
    run.collect_garbage(is_idle=is_idle)
    assert gc.get_count()[2] >= before
