"""What a model reads of a document, and how its edits go back: plain text, markup, or text that came in parts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from errata.edits.apply import apply_text_edits
from errata.errors import UnknownName
from errata.model import TextEdit
from errata.pipeline.markup import Markup
from errata.text.projection import Part, PlacedEdit, Projection

# Kinds of text that have no markup: every line is read by itself, or sentences may go on in the next line.
LINES, TEXT = "none", "text"
BOM = "\ufeff"
# Files that were put together have the mark in their middle.
_MARK = re.compile(rf"((?:\A|(?<=[\r\n])){BOM}+)")


class Writing(Protocol):
    """How a document is written; `joins_lines` says that its sentences may go on in the next line."""

    joins_lines: bool

    def carry_back(self, view: Projection, edits: Sequence[TextEdit]) -> list[PlacedEdit]:
        """The edits of what was read that may be made, and where."""
        ...

    def revise(self, view: Projection, edits: Sequence[TextEdit]) -> Projection:
        """The view of the document after edits of the original."""
        ...

    def keeps_markup(self, view: Projection, edits: Sequence[TextEdit]) -> bool:
        """Whether the edits of the original, together, leave the markup as it is."""
        ...


class PlainText:
    """Text without markup."""

    def __init__(self, *, joins_lines: bool = True) -> None:
        self.joins_lines = joins_lines

    def read(self, text: str) -> Projection:
        """The text without byte order marks, which are no characters of the first word of a file or line."""
        marked = enumerate(_MARK.split(text))
        return Projection.of(Part(part, is_markup=bool(number % 2)) for number, part in marked)

    def carry_back(self, view: Projection, edits: Sequence[TextEdit]) -> list[PlacedEdit]:
        return view.place(edits)

    def revise(self, view: Projection, edits: Sequence[TextEdit]) -> Projection:
        return self.read(apply_text_edits(view.original, edits))

    def keeps_markup(self, view: Projection, edits: Sequence[TextEdit]) -> bool:
        return True


class MarkedUpText(Markup):
    """Text with markup, which is read again after it has changed."""

    joins_lines = True

    def revise(self, view: Projection, edits: Sequence[TextEdit]) -> Projection:
        return self.read(apply_text_edits(view.original, edits))

    def keeps_markup(self, view: Projection, edits: Sequence[TextEdit]) -> bool:
        return self.skeleton(apply_text_edits(view.original, edits)) == self.skeleton(view.original)


class GivenParts:
    """Text whose sender says what is markup."""

    joins_lines = True

    def carry_back(self, view: Projection, edits: Sequence[TextEdit]) -> list[PlacedEdit]:
        return view.place(edits)

    def revise(self, view: Projection, edits: Sequence[TextEdit]) -> Projection:
        return view.revised(edits)

    def keeps_markup(self, view: Projection, edits: Sequence[TextEdit]) -> bool:
        return True


def find_writing(markup: str) -> PlainText | MarkedUpText:
    """The writing of a kind of markup; `UnknownName` if there is none."""
    if markup in (LINES, TEXT):
        return PlainText(joins_lines=markup == TEXT)
    try:
        return MarkedUpText(markup)
    except UnknownName as error:
        raise UnknownName("markup", markup, [LINES, TEXT, *error.choices]) from None
