"""What a model reads of a document, and how its edits go back: plain text, markup, or text that came in parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from errata.edits.apply import apply_text_edits
from errata.model import TextEdit
from errata.pipeline.markup import Markup
from errata.text.projection import Part, PlacedEdit, Projection

# Kinds of text that have no markup: every line by itself, or sentences that go on in the next line.
PLAIN, TEXT = "none", "text"


class Writing(Protocol):
    """How a document is written."""

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

    def read(self, text: str) -> Projection:
        return Projection.of([Part(text)])

    def carry_back(self, view: Projection, edits: Sequence[TextEdit]) -> list[PlacedEdit]:
        return view.place(edits)

    def revise(self, view: Projection, edits: Sequence[TextEdit]) -> Projection:
        return self.read(apply_text_edits(view.original, edits))

    def keeps_markup(self, view: Projection, edits: Sequence[TextEdit]) -> bool:
        return True


class MarkedUpText(Markup):
    """Text with markup, which is read again after it has changed."""

    def revise(self, view: Projection, edits: Sequence[TextEdit]) -> Projection:
        return self.read(apply_text_edits(view.original, edits))

    def keeps_markup(self, view: Projection, edits: Sequence[TextEdit]) -> bool:
        return self.skeleton(apply_text_edits(view.original, edits)) == self.skeleton(view.original)


class GivenParts:
    """Text whose sender says what is markup."""

    def carry_back(self, view: Projection, edits: Sequence[TextEdit]) -> list[PlacedEdit]:
        return view.place(edits)

    def revise(self, view: Projection, edits: Sequence[TextEdit]) -> Projection:
        return view.revised(edits)

    def keeps_markup(self, view: Projection, edits: Sequence[TextEdit]) -> bool:
        return True


def find_writing(markup: str) -> PlainText | MarkedUpText:
    """The writing of a kind of markup; `UnknownName` if there is none."""
    return PlainText() if markup in (PLAIN, TEXT) else MarkedUpText(markup)
