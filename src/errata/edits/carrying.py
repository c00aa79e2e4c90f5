"""Corrections carried across a perturbation: a sentence and its variant, in which words were changed.

The two sources are aligned by the fewest changes of tokens. The words that differ are the *perturbation*; the rest is
the frame that both share. Two corrections are the same if they turn the frame into the same text, whatever the
perturbed words are. Whoever changes the perturbed words themselves corrects something that the other sentence does
not have.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from errata.model import Edit, Tokens

SUBSTITUTE, INSERT, DELETE = "substitute", "insert", "delete"


@dataclass(frozen=True, slots=True)
class Change:
    """Tokens [start, end) of one sentence that became tokens [new_start, new_end) of another."""

    start: int
    end: int
    new_start: int
    new_end: int

    @property
    def action(self) -> str:
        """What was done to the first sentence."""
        if self.start == self.end:
            return INSERT
        return DELETE if self.new_start == self.new_end else SUBSTITUTE


def find_changes(before: Sequence[Hashable], after: Sequence[Hashable]) -> tuple[Change, ...]:
    """The runs of tokens in which two sentences differ, in order; tokens that are equal stand between them.

    >>> find_changes("I like hockey .".split(), "I really like football .".split())
    (Change(start=1, end=1, new_start=1, new_end=2), Change(start=2, end=3, new_start=3, new_end=4))
    """
    from rapidfuzz.distance import Levenshtein  # not on machines that only train, which import this module too

    changes: list[Change] = []
    for step in Levenshtein.opcodes(before, after):
        if step.tag == "equal":
            continue
        if changes and (changes[-1].end, changes[-1].new_end) == (step.src_start, step.dest_start):
            changes[-1] = replace(changes[-1], end=step.src_end, new_end=step.dest_end)
        else:
            changes.append(Change(step.src_start, step.src_end, step.dest_start, step.dest_end))
    return tuple(changes)


def find_shared(before: Sequence[Hashable], after: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Where the tokens that two sentences share stand in each of them, in order.

    >>> find_shared("I like hockey .".split(), "I really like football .".split())
    [(0, 0), (1, 2), (3, 4)]
    """
    shared: list[tuple[int, int]] = []
    start, new_start = 0, 0
    for change in (*find_changes(before, after), Change(len(before), len(before), len(after), len(after))):
        shared += zip(range(start, change.start), range(new_start, change.new_start), strict=True)
        start, new_start = change.end, change.new_end
    return shared


def is_same_correction(
    source: Tokens,
    target: Tokens,
    variant: Tokens,
    variant_target: Tokens,
    changes: Sequence[Change] | None = None,
) -> bool:
    """Whether a sentence and its variant are corrected in the same way; `changes` are those of the sources if known.

    >>> split = str.split
    >>> is_same_correction(split("He go home"), split("He goes home"), split("He go back"), split("He goes back"))
    True
    >>> is_same_correction(split("He go home"), split("He goes home"), split("He go back"), split("He went back"))
    False
    """
    if source == target and variant == variant_target:
        return True
    changes = find_changes(source, variant) if changes is None else changes
    frame = _write_frame(source, target, [(one.start, one.end) for one in changes])
    other = _write_frame(variant, variant_target, [(one.new_start, one.new_end) for one in changes])
    if frame is None or other is None:
        return False
    # What one of the two sentences lacks has no place in the frame.
    lacking = {place for place, change in enumerate(changes) if change.action != SUBSTITUTE}
    return [one for one in frame if one not in lacking] == [one for one in other if one not in lacking]


def _write_frame(source: Tokens, target: Tokens, spans: Sequence[tuple[int, int]]) -> list[str | int] | None:
    """The target with the number of each span of the source in its place; None where the words of a span are changed.

    A span that a correction moves is found among the words that it puts in.
    """
    frame: list[str | int] = list(target)
    origins = _find_origins(source, target)
    for number, (start, end) in enumerate(spans):
        if start == end:
            continue
        place = _find_span(frame, origins, source, start, end)
        if place is None:
            return None
        frame[place : place + end - start] = [number]
        origins[place : place + end - start] = [-1]
    return frame


def _find_origins(source: Tokens, target: Tokens) -> list[int | None]:
    """For each token of the target, the token of the source that it is; None where a correction put it in."""
    origins: list[int | None] = []
    position = 0
    for change in find_changes(source, target):
        origins += range(position, change.start)
        origins += [None] * (change.new_end - change.new_start)
        position = change.end
    return [*origins, *range(position, len(source))]


def _find_span(
    frame: Sequence[str | int], origins: Sequence[int | None], source: Tokens, start: int, end: int
) -> int | None:
    """Where the source tokens [start, end) are in the frame: where they stayed, else where a correction put them."""
    size = end - start
    words, stayed, own = list(source[start:end]), list(range(start, end)), {None, *range(start, end)}
    places = [place for place in range(len(frame) - size + 1) if frame[place : place + size] == words]
    for place in places:
        if origins[place : place + size] == stayed:
            return place
    return next((place for place in places if own.issuperset(origins[place : place + size])), None)


def carry_edit(edit: Edit, changes: Sequence[Change]) -> Edit | None:
    """The edit over the tokens of the second sentence of `changes`; None where it touches what was changed.

    An insertion beside a change stays on its side of it.
    """
    shift = 0
    for change in changes:
        is_before = edit.end <= change.start if edit.start < edit.end else edit.start <= change.start
        if is_before:
            break
        if edit.start < change.end:
            return None
        shift = change.new_end - change.end
    return replace(edit, start=edit.start + shift, end=edit.end + shift)
