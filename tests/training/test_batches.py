"""Batches: every example once an epoch, within budget, the same from wherever one starts."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy import ToyExamples

from errata.errors import DataError
from errata.training.batches import START, Batch, Position, Share, padding_share, plan_epoch, stream_batches
from errata.training.settings import BatchSettings


@given(
    st.lists(st.integers(0, 60), max_size=80),
    st.integers(1, 200),
    st.none() | st.integers(1, 5),
    st.integers(0, 3),
    st.integers(0, 3),
)
def test_plan(lengths: list[int], tokens: int, sentences: int | None, seed: int, epoch: int) -> None:
    array = np.array(lengths, dtype=np.int64)
    plan = plan_epoch(array, BatchSettings(tokens=tokens, sentences=sentences), seed, epoch)
    assert sorted(i for batch in plan for i in batch.tolist()) == list(range(len(lengths)))
    for batch in plan:
        assert array[batch].max() * len(batch) <= tokens or len(batch) == 1
        assert sentences is None or len(batch) <= sentences


def test_plans_repeat_for_a_seed_and_differ_between_epochs() -> None:
    lengths = np.random.default_rng(0).integers(5, 60, 500)

    def plan(seed: int, epoch: int) -> list[list[int]]:
        return [batch.tolist() for batch in plan_epoch(lengths, BatchSettings(tokens=512), seed, epoch)]

    assert plan(1, 2) == plan(1, 2)
    shared = {frozenset(batch) for batch in plan(1, 2)} & {frozenset(batch) for batch in plan(1, 3)}
    assert len(shared) <= 1 < len(plan(1, 2))


def test_little_is_padding() -> None:
    lengths = np.random.default_rng(0).geometric(0.05, 20_000)
    plan = plan_epoch(lengths, BatchSettings(tokens=4096), 1, 0)
    assert padding_share(lengths, plan) < 0.06


@pytest.fixture(scope="module")
def examples() -> ToyExamples:
    rng = np.random.default_rng(0)
    return ToyExamples([rng.integers(1, 27, rng.integers(1, 20)) for _ in range(60)], noise=0.5)


def take(examples: ToyExamples, n: int, start: Position = START, **settings: object) -> list[Batch]:
    return list(islice(stream_batches(examples, BatchSettings(tokens=64, **settings), 7, start), n))  # type: ignore[arg-type]


def same(left: list[Batch], right: list[Batch]) -> bool:
    return len(left) == len(right) and all(
        a.following == b.following and all(a.tensors[name].equal(b.tensors[name]) for name in a.tensors)
        for a, b in zip(left, right, strict=True)
    )


def test_a_stream_goes_on_from_any_batch(examples: ToyExamples) -> None:
    whole = take(examples, 40)
    assert {batch.following.epoch for batch in whole} >= {0, 1, 2}
    for done in (1, 11, 25):
        assert same(take(examples, 40 - done, whole[done - 1].following), whole[done:])


@pytest.mark.parametrize("start_method", ["fork", "spawn"])
def test_worker_processes_change_nothing(examples: ToyExamples, start_method: str) -> None:
    assert same(take(examples, 15, workers=2, start_method=start_method), take(examples, 15))


def test_noise_is_fresh_every_epoch(examples: ToyExamples) -> None:
    batches = take(examples, 40)
    noisy = [(b.tensors["letters"] % 3 != b.tensors["labels"]).sum() for b in batches]
    assert len(set(map(int, noisy))) > 5


def test_processes_share_the_batches_in_turn() -> None:
    lengths, settings = np.arange(1, 30), BatchSettings(tokens=40)
    alone = list(islice(Share(lengths, settings, 1, START), 30))
    shares = [list(islice(Share(lengths, settings, 1, START, rank, 3), 10)) for rank in range(3)]
    dealt = [share[turn] for turn in range(10) for share in shares]
    assert [key[:2] for key in dealt] == [key[:2] for key in alone]
    assert all(len({share[turn][3] for share in shares}) == 1 for turn in range(10))


def test_no_examples() -> None:
    with pytest.raises(DataError, match="no training examples"):
        next(stream_batches(ToyExamples([], 0.0), BatchSettings(), 1))
