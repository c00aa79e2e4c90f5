"""Documents as sentences with a language each: what the models of a server are asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from errata.text.language import identify_language
from errata.text.sentences import sentence_spans

AUTO = "auto"
_LINE = re.compile(r"[^\r\n\u2028\u2029]+")


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
    usual = identify_language(text)
    pieces: list[Piece] = []
    for line in _LINE.finditer(text):
        own = identify_language(line.group(), usual)
        pieces += [Piece(line.start() + a, line.start() + b, own) for a, b in sentence_spans(line.group(), own)]
    return pieces
