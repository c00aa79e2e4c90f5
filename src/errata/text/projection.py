"""What a model reads of a text with markup, and where its edits belong in the original.

A text is a sequence of `Part`s: prose, which the model reads as it is, and markup, of which it reads `reads` (nothing,
unless the sentence needs something in that place). `Projection` joins what is read and carries edits back.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from errata.model import TextEdit

# What is read where a block of the original ends, and where a line ends within one: no sentence goes on over them.
BLOCK_END, LINE_END = "\u2029", "\u2028"


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of the original; the model reads `reads` in the place of markup."""

    text: str
    is_markup: bool = False
    reads: str = ""


@dataclass(frozen=True, slots=True)
class PlacedEdit:
    """An edit of what is read (`read`), and the same where it stands in the original (`edit`)."""

    read: TextEdit
    edit: TextEdit


@dataclass(frozen=True, slots=True)
class _Prose:
    """A stretch of prose: where it begins in what is read and in the original, and how long it is."""

    read_start: int
    original_start: int
    length: int

    @property
    def read_end(self) -> int:
        return self.read_start + self.length


class Projection:
    """The text a model reads (`text`) beside the text it came from (`original`).

    >>> view = Projection.of([Part("He "), Part("**", True), Part("go"), Part("**", True), Part(" home")])
    >>> view.text
    'He go home'
    >>> [edit] = view.to_original([TextEdit(3, 5, "goes")])
    >>> view.original[edit.start : edit.end]
    'go'
    """

    def __init__(self, text: str, original: str, prose: Sequence[_Prose]) -> None:
        self.text, self.original, self._prose = text, original, prose
        self._starts = [one.read_start for one in prose]
        self._ends = [one.read_end for one in prose]

    @classmethod
    def of(cls, parts: Iterable[Part]) -> Projection:
        """The projection of parts in their order; neighbouring prose is one stretch."""
        read: list[str] = []
        original: list[str] = []
        prose: list[_Prose] = []
        n_read = n_original = 0
        for is_markup, group in groupby((part for part in parts if part.text or part.reads), lambda p: p.is_markup):
            members = list(group)
            text = "".join(part.text for part in members)
            seen = "".join(part.reads for part in members) if is_markup else text
            if not is_markup:
                prose.append(_Prose(n_read, n_original, len(text)))
            read.append(seen)
            original.append(text)
            n_read += len(seen)
            n_original += len(text)
        return cls("".join(read), "".join(original), prose)

    def to_original(self, edits: Sequence[TextEdit]) -> list[TextEdit]:
        """The edits with original offsets; those whose change touches or crosses markup are left out.

        An insertion beside markup stays with the prose it continues: ` back` with the word before, `the ` with the
        word after.
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

    def _place(self, edit: TextEdit) -> TextEdit | None:
        home = self._home(edit)
        if home is None:
            edit = trim_edit(self.text, edit)
            home = self._home(edit)
            if home is not None and self._extends_markup(edit, home):
                return None
        if home is None:
            return None
        shift = home.original_start - home.read_start
        return replace(edit, start=edit.start + shift, end=edit.end + shift)

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
