"""Edits stay exact: built from slots, and when noise is put on noise."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.model import Edit
from errata.synth.noisy import Noisy, Slot, build, collides, compose, trim

WORDS = st.lists(st.sampled_from("abcde"), min_size=0, max_size=12).map(tuple)


@st.composite
def noise(draw: st.DrawFn, clean: tuple[str, ...]) -> Noisy:
    slots: list[Slot] = []
    for _ in range(draw(st.integers(0, 5))):
        start = draw(st.integers(0, len(clean)))
        end = draw(st.integers(start, min(len(clean), start + 3)))
        new = draw(st.lists(st.sampled_from("abcxyz"), max_size=3).map(tuple))
        if clean[start:end] != new and not collides(start, end, slots):
            slots.append((start, end, new, "t"))
    return build(clean, slots)


@given(st.data(), WORDS)
def test_edits_undo_the_noise(data: st.DataObject, clean: tuple[str, ...]) -> None:
    noisy = data.draw(noise(clean))
    assert noisy.clean == clean


@given(st.data(), WORDS)
def test_composed_edits_undo_both_noises(data: st.DataObject, clean: tuple[str, ...]) -> None:
    first = data.draw(noise(clean))
    second = data.draw(noise(first.tokens))
    both = compose(first, second)
    assert both.tokens == second.tokens
    assert both.clean == clean
    assert all(both.tokens[e.start : e.end] != e.replacement for e in both.edits)


def test_dropped_neighbours_are_one_insertion() -> None:
    noisy = build(("a", "b", "c"), [(0, 1, (), "drop"), (1, 2, (), "drop")])
    assert noisy == Noisy(("c",), (Edit(0, 0, ("a", "b"), "drop"),))


def test_composing_keeps_edits_apart_that_do_not_meet() -> None:
    first = build(("a", "b", "c", "d"), [(0, 1, ("x",), "one")])
    second = build(first.tokens, [(3, 4, ("y", "z"), "two")])
    assert compose(first, second).edits == (Edit(0, 1, ("a",), "one"), Edit(3, 5, ("d",), "two"))


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        pytest.param((0, 1), (1, 2), False, id="side-by-side"),
        pytest.param((0, 2), (1, 3), True, id="overlap"),
        pytest.param((0, 1), (1, 1), True, id="insertion-touches"),
        pytest.param((0, 1), (2, 2), False, id="insertion-apart"),
        pytest.param((1, 1), (1, 1), True, id="same-gap"),
    ],
)
def test_collisions(first: tuple[int, int], second: tuple[int, int], expected: bool) -> None:
    assert collides(*first, [(*second, (), "t")]) is expected
    assert collides(*second, [(*first, (), "t")]) is expected


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        pytest.param("abc", None, id="nothing"),
        pytest.param("axc", (1, 2, ("x",)), id="middle"),
        pytest.param("ac", (1, 2, ()), id="dropped"),
        pytest.param("abbc", (2, 2, ("b",)), id="doubled"),
    ],
)
def test_trim(new: str, expected: tuple[int, int, tuple[str, ...]] | None) -> None:
    assert trim(tuple("abc"), 0, 3, tuple(new)) == expected
