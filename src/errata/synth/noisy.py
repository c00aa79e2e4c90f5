"""A corrupted sentence and the edits that undo it; built from replaced spans, composed when noise is put on noise."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from errata.edits.apply import apply_edits
from errata.model import Edit, Tokens

# Clean tokens [start, end) are replaced by these tokens; the type names the noise.
Slot = tuple[int, int, Tokens, str]


@dataclass(frozen=True, slots=True)
class Noisy:
    """Corrupted tokens with the edits, in order and apart, that turn them back into the clean ones."""

    tokens: Tokens
    edits: tuple[Edit, ...] = ()

    @property
    def clean(self) -> Tokens:
        """The tokens before the corruption."""
        return apply_edits(self.tokens, self.edits)


def trim(tokens: Tokens, start: int, end: int, new: Tokens) -> tuple[int, int, Tokens] | None:
    """The change without what it leaves as it is at both ends; None when nothing is left."""
    while start < end and new and tokens[start] == new[0]:
        start, new = start + 1, new[1:]
    while start < end and new and tokens[end - 1] == new[-1]:
        end, new = end - 1, new[:-1]
    return None if start == end and not new else (start, end, new)


def collides(start: int, end: int, slots: Sequence[Slot]) -> bool:
    """Whether the span [start, end) overlaps one of the slots, or an insertion touches one.

    A word inserted beside a deleted one could put back what was taken away, so insertions keep their distance.
    """
    for other_start, other_end, _, _ in slots:
        if start == end or other_start == other_end:
            if start <= other_end and other_start <= end:
                return True
        elif start < other_end and other_start < end:
            return True
    return False


def build(clean: Tokens, slots: Iterable[Slot]) -> Noisy:
    """The clean tokens with the slots (apart from each other, in any order) put in place.

    >>> build(("I", "like", "the", "sea"), [(2, 3, (), "drop"), (1, 2, ("likes",), "inflect")]).tokens
    ('I', 'likes', 'sea')
    """
    out: list[str] = []
    edits: list[Edit] = []
    position = 0
    for start, end, tokens, kind in sorted(slots):
        out += clean[position:start]
        begin = len(out)
        out += tokens
        position = end
        if edits and not tokens and edits[-1].start == edits[-1].end == begin:
            # Neighbouring words were dropped one by one: what has to be inserted there is one phrase.
            previous = edits.pop()
            edits.append(Edit(begin, begin, previous.replacement + clean[start:end], previous.type))
        else:
            edits.append(Edit(begin, len(out), clean[start:end], kind))
    out += clean[position:]
    return Noisy(tuple(out), tuple(edits))


def compose(first: Noisy, second: Noisy) -> Noisy:
    """Noise upon noise: `second` corrupts the tokens of `first`; its answer undoes both.

    Edits that meet become one edit of the first one's type; all others stay as they are.
    """
    # Both layers as spans over the tokens in the middle: what they are in the noisy text, what they are in the clean.
    spans: list[tuple[int, int, int, Edit]] = [(e.start, e.end, 1, e) for e in first.edits]
    shift = 0
    for edit in second.edits:
        start = edit.start + shift
        spans.append((start, start + len(edit.replacement), 2, edit))
        shift += len(edit.replacement) - (edit.end - edit.start)
    spans.sort(key=lambda span: span[:3])

    edits: list[Edit] = []
    shift = 0  # noisy position − middle position, before the group
    for group in _groups(spans):
        start, end = min(s[0] for s in group), max(s[1] for s in group)
        clean = apply_edits(
            first.tokens[start:end],
            [Edit(e.start - start, e.end - start, e.replacement) for _, _, layer, e in group if layer == 1],
        )
        growth = sum(e.end - e.start - len(e.replacement) for _, _, layer, e in group if layer == 2)
        begin, finish = start + shift, end + shift + growth
        shift += growth
        if second.tokens[begin:finish] != clean:
            edits.append(Edit(begin, finish, clean, group[0][3].type))
    return Noisy(second.tokens, tuple(edits))


def _groups(spans: Iterable[tuple[int, int, int, Edit]]) -> list[list[tuple[int, int, int, Edit]]]:
    """Runs of spans that overlap, or that touch where one of them is empty."""
    groups: list[list[tuple[int, int, int, Edit]]] = []
    end = -1
    for span in spans:
        touches = span[0] == end and (span[0] == span[1] or groups[-1][-1][0] == groups[-1][-1][1])
        if groups and (span[0] < end or touches):
            groups[-1].append(span)
            end = max(end, span[1])
        else:
            groups.append([span])
            end = span[1]
    return groups
