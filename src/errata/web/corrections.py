"""From a request's texts to edits ready to show: read without markup, correct, put back, guard, explain."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from errata.model import TextEdit
from errata.systems.explain import Explanation, explain
from errata.systems.guard import guard_edits
from errata.text.projection import Projection
from errata.web.documents import AUTO, Piece
from errata.web.service import Service


@dataclass(frozen=True, slots=True)
class ShownEdit:
    """An edit where it stands in the text as it was sent (`edit`) and in what the model read (`read`)."""

    edit: TextEdit
    read: TextEdit
    language: str
    explanation: Explanation


@dataclass(frozen=True, slots=True)
class CorrectedText:
    """A text with its sentences (of what the model read) and the edits in order."""

    view: Projection
    language: str
    pieces: tuple[Piece, ...]
    edits: tuple[ShownEdit, ...]


async def correct_texts(
    service: Service,
    views: Sequence[Projection],
    *,
    language: str,
    preset: str,
    words: Collection[str] = (),
    terms: Collection[str] = (),
    min_confidence: float = 0.0,
    messages: str = AUTO,
) -> list[CorrectedText]:
    """The edits of each text, without those that change a word of `words` or a phrase of `terms`."""
    readings = await service.correct([view.text for view in views], language, preset)
    corrected: list[CorrectedText] = []
    for view, reading in zip(views, readings, strict=True):
        shown: list[ShownEdit] = []
        for piece, edits in _by_sentence(reading.pieces, reading.edits):
            sure = [edit for edit in edits if edit.confidence is None or edit.confidence >= min_confidence]
            for read, edit in _placed(view, sure, words, terms):
                about = explain(view.text, read, piece.language, messages=messages)
                shown.append(ShownEdit(edit, read, piece.language, about))
                service.metrics.edits.labels(piece.language).inc()
        corrected.append(CorrectedText(view, main_language(reading.pieces, language), reading.pieces, tuple(shown)))
    return corrected


def main_language(pieces: Sequence[Piece], asked: str) -> str:
    """The language most of a text is in; English where there is nothing to tell by."""
    if asked != AUTO:
        return asked
    lengths: dict[str, int] = {}
    for piece in pieces:
        lengths[piece.language] = lengths.get(piece.language, 0) + piece.end - piece.start
    return max(lengths, key=lambda language: lengths[language], default="en")


def _by_sentence(pieces: Sequence[Piece], edits: Sequence[TextEdit]) -> list[tuple[Piece, list[TextEdit]]]:
    """The sentences that have edits, with them."""
    found: list[tuple[Piece, list[TextEdit]]] = []
    rest = list(reversed(edits))
    for piece in pieces:
        own: list[TextEdit] = []
        while rest and rest[-1].end <= piece.end:
            own.append(rest.pop())
        if own:
            found.append((piece, own))
    return found


def _placed(
    view: Projection, edits: Sequence[TextEdit], words: Collection[str], terms: Collection[str]
) -> list[tuple[TextEdit, TextEdit]]:
    """Pairs of an edit as read and in the original, of those that may be shown."""
    pairs = [(read, edit) for read in edits for edit in view.to_original([read])]
    allowed = set(guard_edits(view.original, [edit for _, edit in pairs], words, terms))
    return [(read, edit) for read, edit in pairs if edit in allowed]
