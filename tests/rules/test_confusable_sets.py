"""Words that sound alike: what their contexts say, how the sets are stored, and where a word is left alone."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.model import Edit, Tokens
from errata.rules import load_rules
from errata.rules.confusables import Confusables, ConfusableSet, _read_sets, digest, format_sets, load_confusables

RIGHT = np.array([[-100, 100]], dtype=np.int8)


def make_set(bound: float | None = 5.0) -> ConfusableSet:
    """`desert` and `dessert`, told apart by `the` before them: it speaks for the second, by 12.5."""
    bounds = ((None, bound), (None, None))
    keys = np.array([digest("lthe")], dtype=np.uint32)
    return ConfusableSet((("desert",), ("dessert",)), bounds, np.zeros(2, dtype=np.float32), keys, RIGHT)


def propose(sets: Confusables, text: str) -> list[tuple[Edit, bool]]:
    tokens: Tokens = tuple(text.split())
    return list(sets.propose([token.lower() for token in tokens], tokens))


def test_a_difference_beyond_the_bound_is_sure_and_a_lower_one_a_hint() -> None:
    edit = Edit(1, 2, ("dessert",))
    assert propose(Confusables([make_set(5.0)]), "the desert") == [(edit, True)]
    assert propose(Confusables([make_set(50.0)]), "the desert") == [(edit, False)]
    assert propose(Confusables([make_set(None)]), "the desert") == [(edit, False)]


def test_a_word_that_fits_stays() -> None:
    assert propose(Confusables([make_set()]), "the dessert") == []
    assert propose(Confusables([make_set()]), "a desert") == []  # nothing is known of this place


@pytest.mark.parametrize(
    "text", ["the Desert", "the - desert", "the desert - fox", 'the " desert "', "THE DESERT", "the desert / sea"]
)
def test_names_compounds_and_words_that_are_spoken_of_stay(text: str) -> None:
    assert propose(Confusables([make_set()]), text) == []


def test_capitals_are_kept() -> None:
    first = ConfusableSet(
        (("your",), ("you", "'re")),
        ((None, 1.0), (None, None)),
        np.zeros(2, dtype=np.float32),
        np.array([digest("rright")], dtype=np.uint32),
        RIGHT,
    )
    assert propose(Confusables([first]), "Your right") == [(Edit(0, 1, ("You", "'re")), True)]


def test_what_is_written_is_read_again() -> None:
    content = format_sets([make_set(), make_set(None)])
    head, _, data = content.partition(b"\n")
    first, second = _read_sets(json.loads(head), data)
    assert (first.members, first.bounds) == (make_set().members, make_set().bounds)
    assert second.bounds == ((None, None), (None, None))
    assert first.keys.tolist() == [digest("lthe")] and second.weights.tolist() == RIGHT.tolist()


def test_the_sets_of_errata_have_bounds_for_their_members() -> None:
    sets = load_confusables().sets
    assert len(sets) > 50
    for one in sets:
        assert len(one.bounds) == len(one.members) == one.weights.shape[1]
        assert all(row[n] is None for n, row in enumerate(one.bounds)), one.members
        assert (np.diff(one.keys.astype(np.int64)) > 0).all(), one.members


@given(st.lists(st.sampled_from("the a your you 're its it 's desert to too . I - Their".split()), max_size=12))
def test_no_two_edits_of_the_book_overlap(tokens: list[str]) -> None:
    book = load_rules()
    found = book.propose_all(tuple(tokens))
    assert all(one.edit.end <= other.edit.start for one, other in pairwise(found))
    assert [one for one in found if not one.is_hint] == book.propose(tuple(tokens))
