"""Texts as streams of corrected lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

from errata.cli.inputs import Input
from errata.model import Correction, TextEdit
from errata.pipeline.sentences import Progress
from errata.pipeline.views import BOM, LINES, TEXT
from errata.text.language import identify_language
from errata.text.sentences import STOPS
from errata.text.wrapping import unwrap


class Corrector(Protocol):
    """What corrects texts, each as a whole."""

    name: str
    language: str

    def correct(
        self, sentences: Sequence[str], *, markup: str = TEXT, progress: Progress | None = None
    ) -> list[Correction]: ...


# A text without the end of a sentence is cut somewhere.
LONGEST = 1 << 16
# A carriage return alone ends a line too, as it does for the models and for Markdown.
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


@dataclass(frozen=True, slots=True)
class CorrectedLine:
    """A line of a text, with what stands before and after it there: a byte order mark, and the line end it has."""

    file: str
    number: int
    correction: Correction
    end: str = ""
    before: str = ""
    read: str = ""  # the paragraph it is a part of, where it is wrapped

    @property
    def language(self) -> str:
        """What it looks like; "" where there is no letter."""
        return _language_of(self.read or self.correction.source)

    @property
    def source(self) -> str:
        return self.before + self.correction.source + self.end

    @property
    def target(self) -> str:
        return self.before + self.correction.target + self.end


@lru_cache(maxsize=16)
def _language_of(text: str) -> str:
    """What a text looks like; remembered, since all lines of a paragraph ask for the same one."""
    return identify_language(text, "")


def correct_input(
    corrector: Corrector, given: Input, batches: Iterable[list[str]], before_reading: Callable[[], object]
) -> Iterator[CorrectedLine]:
    """The lines of a text, corrected, as they arrive in batches; `before_reading` is called ahead of each new one."""
    if given.markup == LINES:
        return correct_lines(corrector, given.name, batches, before_reading)
    if given.markup == TEXT:
        return _correct_paragraphs(corrector, given, batches, before_reading)
    return _correct_text(corrector, given.name, "".join(line for batch in batches for line in batch), 1, given.markup)


def split_lines(batches: Iterable[list[str]]) -> Iterator[str]:
    """The lines of a text with their ends, also of those that a carriage return alone ends."""
    return (part for batch in batches for line in batch for part in _LINE.findall(line))


def correct_lines(
    corrector: Corrector,
    name: str,
    batches: Iterable[list[str]],
    before_reading: Callable[[], object],
    number: int = 1,
) -> Iterator[CorrectedLine]:
    """Lines corrected each by itself; `number` is that of the first."""
    for batch in batches:
        parts = split_lines([batch])
        lines = [_split_line(part, is_first=number + i == 1) for i, part in enumerate(parts)]
        corrections = corrector.correct([text for _, text, _ in lines], markup=LINES)
        for (before, _, end), correction in zip(lines, corrections, strict=True):
            yield CorrectedLine(name, number, correction, end, before)
            number += 1
        before_reading()


def _correct_paragraphs(
    corrector: Corrector, given: Input, batches: Iterable[list[str]], before_reading: Callable[[], object]
) -> Iterator[CorrectedLine]:
    number = 1
    # Whoever writes into a pipe may wait for the answer to a sentence; a file is cut where a paragraph ends.
    for text in _whole_paragraphs(batches, _ends_sentence if given.is_standard else _ends_paragraph):
        paragraphs = _paragraphs_of(text)
        for line in _correct_text(corrector, given.name, text, number):
            yield replace(line, read=next(paragraphs))
            number += 1
        before_reading()


def _paragraphs_of(text: str) -> Iterator[str]:
    """For each line the paragraph it is a part of."""
    paragraphs = ((match.end(), match.group()) for match in _LINE.finditer(unwrap(text)))
    end, paragraph = 0, ""
    for line in _LINE.finditer(text):
        while end <= line.start():
            end, paragraph = next(paragraphs)
        yield paragraph


def _whole_paragraphs(batches: Iterable[list[str]], ends: Callable[[str], bool]) -> Iterator[str]:
    """The text in pieces that end with a line for which `ends` holds, if there is one in `LONGEST` characters.

    An empty batch is a pause: whoever wrote the lines may wait for the answer.
    """
    begun: list[str] = []  # without an end
    n_characters = 0
    for batch in batches:
        n_characters += sum(map(len, batch))
        n_whole = _n_whole(batch, ends)
        if batch and not n_whole:
            if n_characters <= LONGEST:
                begun += batch
                continue
            n_whole = _n_whole(batch, _ends_sentence)
        n_whole = n_whole or len(batch)
        if begun or n_whole:
            yield "".join([*begun, *batch[:n_whole]])
        begun = batch[n_whole:]
        n_characters = sum(map(len, begun))
    if begun:
        yield "".join(begun)


def _n_whole(batch: Sequence[str], ends: Callable[[str], bool]) -> int:
    """How many lines there are up to the last one with an end."""
    return next((n for n in range(len(batch), 0, -1) if ends(batch[n - 1])), 0)


def _ends_paragraph(line: str) -> bool:
    return not line.strip()


def _ends_sentence(line: str) -> bool:
    bare = line.rstrip()
    return not bare or bare.endswith(STOPS)


def _correct_text(
    corrector: Corrector, name: str, text: str, number: int, markup: str = TEXT
) -> Iterator[CorrectedLine]:
    """The lines of a text, the first of which has this number."""
    bare = text.removeprefix(BOM) if number == 1 else text
    (correction,) = corrector.correct([bare], markup=markup)
    lines = split_correction(correction, name, number)
    if bare != text:
        yield replace(next(lines, CorrectedLine(name, 1, Correction(""))), before=BOM)
    yield from lines


def split_correction(correction: Correction, file: str, first: int = 1) -> Iterator[CorrectedLine]:
    """The lines of a corrected text, numbered from `first`, each with its own edits; no edit crosses a line end."""
    rest = list(reversed(correction.edits))
    for number, match in enumerate(_LINE.finditer(correction.source), first):
        _, text, end = _split_line(match.group())
        edits: list[TextEdit] = []
        while rest and rest[-1].end <= match.start() + len(text):
            edit = rest.pop()
            edits.append(replace(edit, start=edit.start - match.start(), end=edit.end - match.start()))
        yield CorrectedLine(file, number, Correction(text, tuple(edits)), end)


def _split_line(line: str, *, is_first: bool = False) -> tuple[str, str, str]:
    """Byte order mark, text and line end of a line."""
    before = BOM if is_first and line.startswith(BOM) else ""
    bare = line.removeprefix(before)
    text = bare.rstrip("\r\n")
    return before, text, bare[len(text) :]
