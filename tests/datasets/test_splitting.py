"""A corpus in two parts: by the seed, without overlap, near duplicates together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.datasets.splitting import find_groups, split_records
from errata.errors import DataError

WORDS = "the committee will decide about new schools on monday morning before lunch in our town hall".split()
SENTENCE = "The committee will decide about the new school on Monday morning ."
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=14).map(" ".join)
corpora = st.lists(st.lists(sentences, min_size=1, max_size=2).map(tuple), min_size=2, max_size=20)


@given(corpora, st.data())
def test_near_duplicates_are_never_in_both_parts(records: list[tuple[str, ...]], data: st.DataObject) -> None:
    groups = find_groups(records)
    assert sorted(number for group in groups for number in group) == list(range(len(records)))
    number, seed = data.draw(st.integers(1, len(records) - 1)), data.draw(st.integers(0, 5))
    try:
        split = split_records(records, number, seed)
    except DataError as error:
        assert "groups of near duplicates that are too large" in str(error) and max(map(len, groups)) > 1
        return
    assert len(split.held_out) == number
    assert split == split_records(records, number, seed)
    assert all(split.held_out.issuperset(group) or split.held_out.isdisjoint(group) for group in groups)


def test_records_belong_together_through_any_of_their_texts() -> None:
    records = [
        ("A quite different sentence about birds .", SENTENCE),
        ("Birds sing .",),
        (SENTENCE.replace("Monday", "Tuesday"), "Nobody knows it yet ."),
        ("Birds sing !",),
        ("nobody knows it yet",),
        ("Alone .",),
    ]
    assert find_groups(records) == [[0, 2, 4], [1, 3], [5]]
    assert split_records(records, 3, 1).n_groups == 2


def test_another_seed_holds_other_sentences_out() -> None:
    records = [(f"Sentence number {number} .",) for number in range(50)]
    assert len({split_records(records, 10, seed).held_out for seed in range(5)}) == 5
    # Published results are measured on what these seeds hold out.
    assert sorted(split_records(records, 5, 15).held_out) == [4, 8, 28, 34, 46]


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (4, "there are 4 sentences, and 4 to hold out: none to train on"),
        (1, "1 sentences cannot be held out, only 0: the others are in groups of near duplicates that are too large"),
    ],
)
def test_what_cannot_be_held_out(number: int, message: str) -> None:
    with pytest.raises(DataError, match=message):
        split_records([("Birds sing .",), ("birds sing",), ("Fine .",), ("Fine !",)], number, 1)
