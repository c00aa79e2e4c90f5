"""From a request's texts to edits ready to show: read without markup, correct, put back, guard, explain."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from errata.model import TextEdit
from errata.systems.explain import Explanation, explain
from errata.systems.guard import Protection
from errata.text.projection import PlacedEdit, Projection
from errata.web.documents import AUTO, Piece
from errata.web.service import Service

# The edits of what was read, where they stand in the original; those that cannot be made there are left out.
CarryBack = Callable[[Projection, Sequence[TextEdit]], list[PlacedEdit]]


@dataclass(frozen=True, slots=True)
class ShownEdit:
    """An edit where it stands in the text as it was sent (`edit`) and in what the model read (`read`)."""

    edit: TextEdit
    read: TextEdit
    language: str
    explanation: Explanation


@dataclass(frozen=True, slots=True)
class CorrectedText:
    """A text with its sentences (of what the model read), those among them without a model, and the edits in order."""

    view: Projection
    language: str
    pieces: tuple[Piece, ...]
    unchecked: tuple[Piece, ...]
    edits: tuple[ShownEdit, ...]


async def correct_texts(
    service: Service,
    views: Sequence[Projection],
    *,
    language: str,
    preset: str,
    protection: Protection,
    carry_back: CarryBack = Projection.place,
    min_confidence: float = 0.0,
    messages: str = AUTO,
) -> list[CorrectedText]:
    """The edits of each text that `carry_back` brings back to it, without those that change something protected."""
    readings = await service.correct([view.text for view in views], language, preset)

    def show() -> list[CorrectedText]:
        shown = []
        for view, reading in zip(views, readings, strict=True):
            sure = [edit for edit in reading.edits if edit.confidence is None or edit.confidence >= min_confidence]
            placed = carry_back(view, sure)
            allowed = frozenset(protection.keep(view.original, [one.edit for one in placed]))
            edits = show_edits(view, reading.pieces, [one for one in placed if one.edit in allowed], messages)
            for edit in edits:
                service.metrics.edits.labels(edit.language).inc()
            unchecked = tuple(piece for piece in reading.pieces if piece.language not in service.engines)
            main = main_language(reading.pieces, language)
            shown.append(CorrectedText(view, main, reading.pieces, unchecked, edits))
        return shown

    return await asyncio.to_thread(show)  # a long text takes a while, and others wait for the loop


def show_edits(
    view: Projection, pieces: Sequence[Piece], edits: Sequence[PlacedEdit], messages: str
) -> tuple[ShownEdit, ...]:
    """The edits, explained by the sentences they are in."""
    return tuple(
        ShownEdit(one.edit, one.read, piece.language, explain(view.text, one.read, piece.language, messages=messages))
        for piece, own in _by_sentence(pieces, edits)
        for one in own
    )


def main_language(pieces: Sequence[Piece], asked: str) -> str:
    """The language most of a text is in; English where there is nothing to tell by."""
    if asked != AUTO:
        return asked
    lengths: dict[str, int] = {}
    for piece in pieces:
        lengths[piece.language] = lengths.get(piece.language, 0) + piece.end - piece.start
    return max(lengths, key=lambda language: lengths[language], default="en")


def _by_sentence(pieces: Sequence[Piece], edits: Sequence[PlacedEdit]) -> list[tuple[Piece, list[PlacedEdit]]]:
    """The sentences that have edits, with them."""
    found: list[tuple[Piece, list[PlacedEdit]]] = []
    rest = list(reversed(edits))
    for piece in pieces:
        own: list[PlacedEdit] = []
        while rest and rest[-1].read.end <= piece.end:
            own.append(rest.pop())
        if own:
            found.append((piece, own))
    return found
