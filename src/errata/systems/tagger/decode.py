"""Tags to edits: applying the tags of a pass, and carrying edits of several passes back to the original tokens.

A `Draft` is a sentence under correction. It knows for every current token which original tokens it stands for, so
after any number of passes `Draft.edits` are edits of the original: applied to it they give the draft's tokens exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from errata.model import Edit, Tokens
from errata.systems.base import ProposedEdit
from errata.systems.tagger.inventory import Inventory
from errata.systems.tagger.tags import Op, Tag


@dataclass(frozen=True, slots=True)
class Change:
    """Replace current tokens [start, end) by words, with the probability the model gives to it."""

    start: int
    end: int
    words: Tokens
    confidence: float


def changes(tokens: Sequence[str], tagged: Iterable[tuple[int, Tag, float]], inventory: Inventory) -> Iterator[Change]:
    """What tags do, in order; `tagged` are slots in order, with tag and confidence. Tags that do not apply do nothing.

    The second token of a merge loses its own tag: it may have it in the next pass.
    """
    merged_until = 0
    for slot, tag, confidence in tagged:
        if tag.op is Op.KEEP or slot < merged_until:
            continue
        word = tokens[slot - 1] if slot else None
        made = inventory.realise(tag, word, tokens[slot] if slot < len(tokens) else None)
        if made is None:
            continue
        if tag.op is Op.APPEND:
            yield Change(slot, slot, tag.words, confidence)
        else:
            width = 2 if tag.op is Op.MERGE else 1
            merged_until = slot + width
            yield Change(slot - 1, slot - 1 + width, made, confidence)


def apply_tags(tokens: Sequence[str], tags: Sequence[Tag], inventory: Inventory) -> Tokens:
    """The tokens after one pass, with a tag for every slot."""
    draft = Draft(tuple(tokens))
    draft.apply(list(changes(tokens, [(slot, tag, 1.0) for slot, tag in enumerate(tags)], inventory)))
    return draft.tokens


@dataclass(slots=True)
class _Segment:
    """Original tokens [start, end) and the tokens that now stand for them."""

    start: int
    end: int
    tokens: list[str]
    is_changed: bool = False
    confidence: float = 1.0


@dataclass(slots=True)
class Draft:
    """A sentence under correction; `tokens` is how it stands."""

    original: Tokens
    tokens: Tokens = field(init=False)
    _segments: list[_Segment] = field(init=False, default_factory=list)  # none before the first change

    def __post_init__(self) -> None:
        self.tokens = self.original

    def apply(self, changes: Sequence[Change]) -> bool:
        """Make the changes, which are in order and do not overlap; whether the tokens differ now."""
        if not changes:
            return False
        self._segments = self._segments or [_Segment(i, i + 1, [token]) for i, token in enumerate(self.original)]
        where = [
            (number, offset) for number, segment in enumerate(self._segments) for offset in range(len(segment.tokens))
        ]
        for change in reversed(changes):
            if change.start == change.end:
                self._insert(change, where[change.start - 1] if change.start else None)
            else:
                self._replace(change, where[change.start], where[change.end - 1])
        before = self.tokens
        self.tokens = tuple([token for segment in self._segments for token in segment.tokens])
        return self.tokens != before

    def _insert(self, change: Change, after: tuple[int, int] | None) -> None:
        number = -1
        if after is not None:
            number, offset = after
            segment = self._segments[number]
            if segment.is_changed:
                segment.tokens[offset + 1 : offset + 1] = change.words
                segment.confidence *= change.confidence
                return
        follower = self._segments[number + 1] if number + 1 < len(self._segments) else None
        place = self._segments[number].end if number >= 0 else 0
        if follower is not None and follower.start == follower.end == place:
            follower.tokens[:0] = change.words
            follower.confidence *= change.confidence
        else:
            self._segments.insert(number + 1, _Segment(place, place, list(change.words), True, change.confidence))

    def _replace(self, change: Change, first: tuple[int, int], last: tuple[int, int]) -> None:
        touched = self._segments[first[0] : last[0] + 1]
        tail = touched[-1].tokens[last[1] + 1 :]
        confidence = change.confidence
        for segment in touched:
            confidence *= segment.confidence
        tokens = [*touched[0].tokens[: first[1]], *change.words, *tail]
        self._segments[first[0] : last[0] + 1] = [_Segment(touched[0].start, touched[-1].end, tokens, True, confidence)]

    def edits(self) -> list[ProposedEdit]:
        """The edits of the original tokens; one that took several steps has the product of their probabilities."""
        joined: list[_Segment] = []
        for segment in self._segments:
            previous = joined[-1] if joined else None
            if previous is not None and previous.is_changed and segment.start == segment.end:
                # An insertion right after a changed token is one edit with it: `alot → a lot`.
                confidence = previous.confidence * segment.confidence
                joined[-1] = _Segment(previous.start, segment.end, previous.tokens + segment.tokens, True, confidence)
            else:
                joined.append(segment)
        return [
            ProposedEdit(Edit(segment.start, segment.end, tuple(segment.tokens)), segment.confidence)
            for segment in joined
            if segment.is_changed and tuple(segment.tokens) != self.original[segment.start : segment.end]
        ]
