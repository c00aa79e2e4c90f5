"""Sentences shared out among threads: nothing lost, order kept, nothing taken too early."""

from __future__ import annotations

import threading
import time
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.systems.tagger.sharing import AHEAD, MIN_CHUNK, cut_chunks, map_threads

lengths = st.lists(st.integers(0, 300), max_size=60)


@given(lengths, st.integers(1, 2000), st.integers(1, 4))
def test_chunks_hold_every_sentence_in_order(lengths, largest, workers):
    sentences = [(str(number),) * length for number, length in enumerate(lengths)]
    chunks = list(cut_chunks(iter(sentences), largest, workers))
    assert [one for chunk in chunks for one in chunk] == sentences
    assert all(chunk for chunk in chunks)
    assert all(len(chunk) == 1 or sum(len(one) + 2 for one in chunk) <= max(largest, 1) for chunk in chunks)


def test_chunks_shrink_towards_the_end():
    sizes = [len(chunk) * 10 for chunk in cut_chunks([("a",) * 8] * 1000, 1000, 2)]
    assert sizes[0] == 1000 and sizes == sorted(sizes, reverse=True)
    assert sizes[-1] <= MIN_CHUNK


def test_sentences_are_not_taken_too_early():
    taken = []

    def endless():
        for number in count():
            taken.append(number)
            yield ("a",) * 8

    next(cut_chunks(endless(), 100, 2))
    assert len(taken) <= 41


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 100])
def test_values_are_in_order(workers, n):
    def slow_at_first(item):
        time.sleep(0.01 if item % 7 == 0 else 0)
        return item * item

    assert list(map_threads(slow_at_first, iter(range(n)), workers)) == [item * item for item in range(n)]


def test_threads_work_at_the_same_time():
    meeting = threading.Barrier(3, timeout=20)
    assert list(map_threads(lambda item: meeting.wait() >= 0, range(6), 3)) == [True] * 6


def test_errors_come_through_and_work_ends():
    seen = []

    def fail(item):
        seen.append(item)
        if item == 3:
            raise KeyError("three")
        return item

    with pytest.raises(KeyError, match="three"):
        list(map_threads(fail, range(1000), 2))
    assert len(seen) <= 3 + 2 * AHEAD * 2


def test_leaving_early_ends_the_threads():
    before = threading.active_count()
    values = map_threads(lambda item: item, count(), 3)
    assert [next(values) for _ in range(5)] == [0, 1, 2, 3, 4]
    values.close()
    assert threading.active_count() == before
