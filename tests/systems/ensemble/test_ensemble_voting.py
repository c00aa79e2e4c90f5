"""Votes: who proposes what, how many are enough, which of two overlapping edits stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.edits.apply import apply_edits
from errata.errors import DataError
from errata.model import Edit
from errata.systems.base import ProposedEdit
from errata.systems.ensemble.ballots import Ballot, BallotBox, Candidate, make_ballot, spelling_judge
from errata.systems.ensemble.voting import Voting, clash, without_overlaps


def candidate(votes: int, type: str = "R:NOUN", *, is_spelling: bool = False) -> Candidate:
    return Candidate(Edit(0, 1, ("x",), type), tuple(range(votes)), is_spelling)


@pytest.mark.parametrize(
    ("n_systems", "ordinary", "lenient"),
    [(1, 1, 1), (2, 2, 1), (3, 2, 1), (4, 3, 2), (5, 3, 2), (6, 4, 3)],
)
def test_mucgec_thresholds(n_systems: int, ordinary: int, lenient: int) -> None:
    """More than N/2 systems; more than N/2 − 1 for word order and spelling (half of six are enough)."""
    voting = Voting(n_systems)
    assert voting.needed(candidate(1)) == ordinary
    for one in (candidate(1, "R:WO"), candidate(1, "W"), candidate(1, "S", is_spelling=True)):
        assert voting.needed(one) == lenient
        assert Voting(n_systems, is_lenient=False).needed(one) == ordinary
    ballot = Ballot(("a",), (candidate(ordinary),))
    assert len(voting.elect(ballot)) == 1
    assert not voting.elect(Ballot(("a",), (candidate(ordinary - 1),)))


@pytest.mark.parametrize(("kind", "needed"), [("R:VERB:SVA", 3), ("R:VERB", 2), ("R:NOUN", 2), ("M:DET", 1), ("W", 1)])
def test_thresholds_by_type(kind: str, needed: float) -> None:
    voting = Voting(3, by_type={"R:VERB:SVA": 3, "M": 1})
    assert voting.needed(candidate(1, kind)) == needed


@pytest.mark.parametrize("votes", [0, 4, -1])
def test_impossible_thresholds_are_refused(votes: float) -> None:
    with pytest.raises(DataError, match="makes no sense"):
        Voting(3, votes)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ((0, 1), (1, 2), False),
        ((0, 2), (1, 3), True),
        ((1, 1), (1, 1), True),
        ((1, 1), (0, 2), True),
        ((1, 1), (1, 2), False),
        ((1, 1), (0, 1), False),
        ((0, 1), (0, 1), True),
    ],
)
def test_clashes(a: tuple[int, int], b: tuple[int, int], expected: bool) -> None:
    first, second = Edit(*a, ("x",)), Edit(*b, ("y",))
    assert clash(first, second) is clash(second, first) is expected


spans = st.tuples(st.integers(0, 5), st.integers(0, 5)).map(sorted)


@given(st.lists(spans, max_size=8))
def test_what_is_left_can_be_applied(places: list[list[int]]) -> None:
    kept = without_overlaps(ProposedEdit(Edit(a, b, ("x",)), 0.5) for a, b in places)
    apply_edits(tuple("abcde"), [one.edit for one in kept])
    assert [(p.edit.start, p.edit.end) for p in kept] == sorted((p.edit.start, p.edit.end) for p in kept)


@given(st.lists(st.lists(spans, max_size=4), min_size=1, max_size=4))
def test_a_ballot_holds_every_edit_once(proposals: list[list[list[int]]]) -> None:
    edits = [[Edit(a, b, ("x",)) for a, b in places] for places in proposals]
    ballot = make_ballot(tuple("abcde"), edits, lambda tokens, edit: False)
    assert {one.edit for one in ballot.candidates} == {edit for some in edits for edit in some}
    for one in ballot.candidates:
        assert one.systems == tuple(n for n, some in enumerate(edits) if one.edit in some)


def test_chinese_ballots() -> None:
    (ballot,) = BallotBox("zh").hold([("我的喜欢吃苹过", ["我的喜欢吃苹果", "我喜欢吃苹果"])])
    found = {(one.edit.type, one.edit.start): one for one in ballot.candidates}
    assert found["S", 6].systems == (0, 1) and found["S", 6].is_spelling
    assert found["R", 1].systems == (1,)
    assert not spelling_judge("zh")(tuple("我吃饭"), Edit(1, 2, ("爱",), "S"))
