"""From a request's texts to edits ready to show: read without markup, correct, put back, guard, explain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from errata.edits.explain import Explanation, explain
from errata.model import TextEdit
from errata.pipeline.documents import AUTO, DocumentEdits, Options, SentenceSpan
from errata.pipeline.views import Writing
from errata.text.projection import PlacedEdit, Projection
from errata.web.service import Service
from errata.web.threads import Threads


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
    pieces: tuple[SentenceSpan, ...]
    unchecked: tuple[SentenceSpan, ...]
    edits: tuple[ShownEdit, ...]


async def correct_texts(
    service: Service,
    read: Callable[[], Sequence[Projection]],
    writing: Writing,
    options: Options,
    threads: Threads,
    *,
    messages: str = AUTO,
) -> list[CorrectedText]:
    """The texts that `read` gives, with their edits explained; all that takes long runs in `threads`."""
    found = await service.correct(read, writing, options, threads)
    return await threads.run(lambda: [_show(service, one, options.language, messages) for one in found])


def _show(service: Service, found: DocumentEdits, language: str, messages: str) -> CorrectedText:
    edits = show_edits(found.view, found.sentences, found.edits, messages)
    for edit in edits:
        service.metrics.edits.labels(edit.language).inc()
    unchecked = tuple(sentence for sentence in found.sentences if sentence.language not in service.engines)
    return CorrectedText(found.view, main_language(found.sentences, language), found.sentences, unchecked, edits)


def show_edits(
    view: Projection, pieces: Sequence[SentenceSpan], edits: Sequence[TextEdit], messages: str
) -> tuple[ShownEdit, ...]:
    """The edits of the original, explained by the sentences they are in."""
    placed = [PlacedEdit(view.to_read(edit), edit) for edit in edits]
    return tuple(
        ShownEdit(one.edit, one.read, piece.language, explain(view.text, one.read, piece.language, messages=messages))
        for piece, own in _by_sentence(pieces, placed)
        for one in own
    )


def main_language(pieces: Sequence[SentenceSpan], asked: str) -> str:
    """The language most of a text is in; English where there is nothing to tell by."""
    if asked != AUTO:
        return asked
    lengths: dict[str, int] = {}
    for piece in pieces:
        lengths[piece.language] = lengths.get(piece.language, 0) + piece.end - piece.start
    return max(lengths, key=lambda language: lengths[language], default="en")


def _by_sentence(
    pieces: Sequence[SentenceSpan], edits: Sequence[PlacedEdit]
) -> list[tuple[SentenceSpan, list[PlacedEdit]]]:
    """The sentences that have edits, with them."""
    found: list[tuple[SentenceSpan, list[PlacedEdit]]] = []
    rest = list(reversed(edits))
    for piece in pieces:
        own: list[PlacedEdit] = []
        while rest and rest[-1].read.end <= piece.end:
            own.append(rest.pop())
        if own:
            found.append((piece, own))
    return found
