"""Documents as sentences with a language each: what the models of a server are asked for."""

from __future__ import annotations

from dataclasses import dataclass

from errata.text.language import language_lines
from errata.text.sentences import sentence_spans

AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence: characters [start, end) of a document, in a language."""

    start: int
    end: int
    language: str


def split_document(text: str, language: str) -> list[Piece]:
    """The sentences of a document, in order; with `auto` every paragraph has the language it is written in."""
    if language != AUTO:
        return [Piece(start, end, language) for start, end in sentence_spans(text, language)]
    return [
        Piece(start + a, start + b, own)
        for own, start, line in language_lines(text)
        for a, b in sentence_spans(line, own)
    ]
