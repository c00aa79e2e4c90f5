"""Edit voting as in MuCGEC: a majority keeps an edit, one vote less is enough for word order and spelling."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from errata.errors import DataError
from errata.model import Edit
from errata.systems.base import ProposedEdit
from errata.systems.ensemble.ballots import Ballot, Candidate


class Electorate(Protocol):
    """What decides a ballot."""

    def elect(self, ballot: Ballot) -> list[ProposedEdit]:
        """The edits to make, in order, without overlaps."""
        ...


@dataclass(frozen=True, slots=True)
class Voting:
    """Keep edits with at least `threshold` votes; None: with more than half.

    Word-order and spelling edits (if `is_lenient`) need one vote less, but at least one. `by_type` sets the votes for
    a type (`R:VERB:SVA`, `W`) or a first part of one (`R`, `R:VERB`), and goes before both.
    """

    n_systems: int
    threshold: float | None = None
    is_lenient: bool = True
    by_type: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.n_systems < 1:
            raise DataError("an ensemble needs at least one system")
        for votes in (self.threshold, *self.by_type.values()):
            if votes is not None and not 0 < votes <= self.n_systems:
                raise DataError(f"a threshold of {votes:g} votes makes no sense with {self.n_systems} systems")

    def needed(self, candidate: Candidate) -> float:
        """The votes an edit needs."""
        parts = candidate.edit.type.split(":")
        for end in range(len(parts), 0, -1):
            if (votes := self.by_type.get(":".join(parts[:end]))) is not None:
                return votes
        votes = self.n_systems // 2 + 1 if self.threshold is None else self.threshold
        lenient = self.is_lenient and (candidate.is_word_order or candidate.is_spelling)
        return max(votes - 1, 1) if lenient else votes

    def elect(self, ballot: Ballot) -> list[ProposedEdit]:
        """The edits with enough votes; of two that overlap the first stays, as in MuCGEC's own ensemble."""
        kept = [one for one in ballot.candidates if len(one.systems) >= self.needed(one)]
        return without_overlaps(ProposedEdit(one.edit, len(one.systems) / self.n_systems) for one in kept)


def without_overlaps(edits: Iterable[ProposedEdit]) -> list[ProposedEdit]:
    """The edits that overlap none before them, in the order of their spans."""
    kept: list[ProposedEdit] = []
    for proposed in edits:
        if not any(clash(proposed.edit, other.edit) for other in kept):
            kept.append(proposed)
    return sorted(kept, key=lambda one: (one.edit.start, one.edit.end))


def clash(a: Edit, b: Edit) -> bool:
    """Whether two edits want the same place: shared tokens, an insertion inside a span, two insertions in one spot."""
    return (a.start, a.end) == (b.start, b.end) or (a.start < b.end and b.start < a.end)
