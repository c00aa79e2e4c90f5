"""What a model reads of a text with markup, and where its edits belong in the original.

A text is a sequence of `Part`s: prose, which the model reads as it is, and markup, of which it reads `reads` (nothing,
unless the sentence needs something in that place). `Projection` joins what is read and carries edits back.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import groupby, takewhile

from errata.model import TextEdit
from errata.text.words import Span

# What is read where a block of the original ends, and where a line ends within one: no sentence goes on over them.
BLOCK_END, LINE_END = "\u2029", "\u2028"
# A hyphen or an apostrophe between letters is part of a word.
_PUNCTUATION = re.compile(r"[^\w\s'’-]|(?<!\w)['’-]|['’-](?!\w)")


class Role(Enum):
    """What a stretch of markup is to the prose around it."""

    NONE = "none"
    OPENS = "opens"  # an element with prose in it: emphasis, a link
    CLOSES = "closes"
    STANDS_IN = "stands in"  # code, a formula, an image: what is read there is no evidence for a correction


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of the original; the model reads `reads` in the place of markup."""

    text: str
    is_markup: bool = False
    reads: str = ""
    role: Role = Role.NONE


@dataclass(frozen=True, slots=True)
class PlacedEdit:
    """An edit of what is read (`read`), and the same where it stands in the original (`edit`)."""

    read: TextEdit
    edit: TextEdit


@dataclass(frozen=True, slots=True)
class _Prose:
    """A stretch of prose: where it begins in what is read and in the original, and how long it is.

    `n_closing` characters of markup right after it close all elements it is in: punctuation goes behind them.
    """

    read_start: int
    original_start: int
    length: int
    is_enclosed: bool = False
    n_closing: int = 0

    @property
    def read_end(self) -> int:
        return self.read_start + self.length


def _depth_after(part: Part, depth: int) -> int:
    """In how many elements the text after this part is; none goes on over the end of a block."""
    if BLOCK_END in part.reads:
        return 0
    if part.role is Role.OPENS:
        return depth + 1
    return max(0, depth - 1) if part.role is Role.CLOSES else depth


def _is_punctuation(text: str) -> bool:
    return bool(text.strip()) and not any(char.isalnum() for char in text)


class Projection:
    """The text a model reads (`text`) beside the text it came from (`original`).

    >>> view = Projection.of([Part("He "), Part("**", True), Part("go"), Part("**", True), Part(" home")])
    >>> view.text
    'He go home'
    >>> [edit] = view.to_original([TextEdit(3, 5, "goes")])
    >>> view.original[edit.start : edit.end]
    'go'
    """

    def __init__(self, text: str, original: str, prose: Sequence[_Prose], stand_ins: Sequence[Span] = ()) -> None:
        self.text, self.original, self._prose, self.stand_ins = text, original, prose, stand_ins
        self._starts = [one.read_start for one in prose]
        self._ends = [one.read_end for one in prose]

    @classmethod
    def of(cls, parts: Iterable[Part]) -> Projection:
        """The projection of parts in their order; neighbouring prose is one stretch."""
        read: list[str] = []
        original: list[str] = []
        prose: list[_Prose] = []
        stand_ins: list[Span] = []
        n_read = n_original = depth = 0
        for is_markup, group in groupby((part for part in parts if part.text or part.reads), lambda p: p.is_markup):
            members = list(group)
            if not is_markup:
                prose.append(_Prose(n_read, n_original, sum(len(part.text) for part in members), depth > 0))
            elif prose:
                closing = list(takewhile(lambda part: part.role is Role.CLOSES, members))
                if len(closing) >= depth:
                    prose[-1] = replace(prose[-1], n_closing=sum(len(part.text) for part in closing))
            for part in members:
                seen = part.reads if is_markup else part.text
                if part.role is Role.STANDS_IN:
                    stand_ins.append((n_read, n_read + len(seen)))
                depth = _depth_after(part, depth)
                read.append(seen)
                original.append(part.text)
                n_read += len(seen)
                n_original += len(part.text)
        return cls("".join(read), "".join(original), prose, stand_ins)

    def to_original(self, edits: Sequence[TextEdit]) -> list[TextEdit]:
        """The edits with original offsets; those whose change touches or crosses markup are left out.

        An insertion beside markup stays with the prose it continues: ` back` with the word before, `the ` with the
        word after. Punctuation goes behind the link or the emphasis that ends there, and none is put into them.
        """
        return [placed.edit for placed in self.place(edits)]

    def place(self, edits: Sequence[TextEdit]) -> list[PlacedEdit]:
        """What `to_original` gives, each with the edit it was."""
        placed = ((edit, self._place(edit)) for edit in edits)
        return [PlacedEdit(read, edit) for read, edit in placed if edit is not None]

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Where the prose in [start, end) of what is read lies in the original; markup at its ends is left out."""
        first, last = bisect_right(self._ends, start), bisect_left(self._starts, end) - 1
        if first > last:  # no prose: what is read stands for markup
            place = self._prose[first].original_start if first < len(self._prose) else len(self.original)
            return place, place
        head, tail = self._prose[first], self._prose[last]
        return (
            head.original_start + max(0, start - head.read_start),
            tail.original_start + min(tail.length, end - tail.read_start),
        )

    def to_read(self, edit: TextEdit) -> TextEdit:
        """An edit of the original, in prose or right behind markup, with the offsets of what is read."""
        at = max(0, bisect_right(self._prose, edit.start, key=lambda one: one.original_start) - 1)
        home = self._prose[at]
        start, end = (min(place - home.original_start, home.length) for place in (edit.start, edit.end))
        return replace(edit, start=home.read_start + start, end=home.read_start + end)

    def revised(self, edits: Sequence[TextEdit]) -> Projection:
        """The projection after edits of the original, in prose or right behind markup; the markup stays as it is."""
        rest = deque(edits)
        parts: list[Part] = []
        read = original = 0

        def take(end: int, *, is_markup: bool, reads: str = "") -> None:
            """Add the original up to `end`, with the edits in it."""
            nonlocal original
            while rest and (rest[0].end < end or (rest[0].end == end and not is_markup)):
                edit = rest.popleft()
                parts.append(Part(self.original[original : edit.start], is_markup, reads))
                parts.append(Part(edit.replacement))
                original, reads = edit.end, ""
            parts.append(Part(self.original[original:end], is_markup, reads))
            original = end

        for prose in self._prose:
            take(prose.original_start, is_markup=True, reads=self.text[read : prose.read_start])
            take(prose.original_start + prose.length, is_markup=False)
            read = prose.read_end
        take(len(self.original), is_markup=True, reads=self.text[read:])
        return Projection.of([*parts, *(Part(edit.replacement) for edit in rest)])

    def _place(self, edit: TextEdit) -> TextEdit | None:
        change = trim_edit(self.text, edit)
        if _is_punctuation(change.replacement) and change.start == change.end:
            behind = self._behind_closing(change.start)
            if behind is not None:
                return replace(change, start=behind, end=behind)
        home = self._home(edit)
        if home is None:
            edit = change
            home = self._home(edit)
            if home is not None and self._extends_markup(edit, home):
                return None
        if home is None or (home.is_enclosed and self._marks_element(change, home)):
            return None
        shift = home.original_start - home.read_start
        return replace(edit, start=edit.start + shift, end=edit.end + shift)

    def _behind_closing(self, place: int) -> int | None:
        """Where the original goes on after the elements that end at this place; None where none does."""
        at = bisect_left(self._ends, place)
        if at == len(self._prose) or self._ends[at] != place or not self._prose[at].n_closing:
            return None
        home = self._prose[at]
        return home.original_start + home.length + home.n_closing

    def _marks_element(self, change: TextEdit, home: _Prose) -> bool:
        """Whether the change adds punctuation to a link or to what is emphasised, or takes it from its end."""
        before, after = self.text[max(0, change.start - 1) : change.start], self.text[change.end : change.end + 1]
        old = Counter(_PUNCTUATION.findall(before + self.text[change.start : change.end] + after))
        new = Counter(_PUNCTUATION.findall(before + change.replacement + after))
        is_edge = change.start == home.read_start or change.end == home.read_end
        return bool(new - old) or (is_edge and old != new)

    def _extends_markup(self, edit: TextEdit, home: _Prose) -> bool:
        """Whether letters are put onto a word that stands for markup."""
        if edit.start < edit.end:
            return False
        at = bisect_left(self._starts, home.read_start)
        follows = edit.start == home.read_start and home.read_start > (self._ends[at - 1] if at else 0)
        following = self._starts[at + 1] if at + 1 < len(self._prose) else len(self.text)
        precedes = edit.start == home.read_end and home.read_end < following
        return (follows and edit.replacement[:1].isalnum()) or (precedes and edit.replacement[-1:].isalnum())

    def _home(self, edit: TextEdit) -> _Prose | None:
        """The stretch of prose that holds the whole edit."""
        if edit.start == edit.end:
            return self._home_of_insertion(edit)
        at = bisect_right(self._starts, edit.start) - 1
        return self._prose[at] if at >= 0 and edit.end <= self._ends[at] else None

    def _home_of_insertion(self, edit: TextEdit) -> _Prose | None:
        first = bisect_left(self._ends, edit.start)  # the first stretch that ends here or later
        last = bisect_right(self._starts, edit.start)  # the first one that begins later
        around = self._prose[first:last]
        if len(around) < 2:
            return around[0] if around else None
        left, right = around[0], around[-1]
        continues_right = edit.replacement[-1:].isspace() and not edit.replacement[:1].isspace()
        starts_line = self.text[edit.start - 1] in f"\r\n{BLOCK_END}{LINE_END}"
        return right if continues_right or starts_line else left


def trim_edit(text: str, edit: TextEdit) -> TextEdit:
    """The edit without what it leaves as it is at its ends; the corrected text is the same.

    >>> trim_edit("a good ideas", TextEdit(2, 12, "good idea"))
    TextEdit(start=11, end=12, replacement='', type='UNK', confidence=None)
    """
    old, new = text[edit.start : edit.end], edit.replacement
    limit = min(len(old), len(new))
    head = next((i for i in range(limit) if old[i] != new[i]), limit)
    tail = next((i for i in range(limit - head) if old[-1 - i] != new[-1 - i]), limit - head)
    return replace(edit, start=edit.start + head, end=edit.end - tail, replacement=new[head : len(new) - tail])
