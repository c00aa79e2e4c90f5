"""Texts as streams of corrected lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from errata.cli.inputs import PLAIN, TEXT, Input
from errata.edits.apply import make_correction
from errata.errors import UsageError
from errata.model import Correction, TextEdit
from errata.text.language import identify_language
from errata.text.sentences import STOPS
from errata.text.wrapping import unwrap

if TYPE_CHECKING:
    from errata.systems.base import Corrector

AUTO = "auto"
BOM = "\ufeff"
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
        return identify_language(self.read or self.correction.source, "")

    @property
    def source(self) -> str:
        return self.before + self.correction.source + self.end

    @property
    def target(self) -> str:
        return self.before + self.correction.target + self.end


@dataclass(frozen=True, slots=True)
class Choice:
    """Which corrector, and what it must leave alone; `options` are the system's own."""

    model: str | None = None
    language: str = AUTO
    tokenised: bool = False
    options: dict[str, Any] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()


def build_corrector(choice: Choice, watch: Callable[[Corrector], Corrector] = lambda one: one) -> Corrector:
    """The corrector chosen: a named model, the bundled one of a language, or each line's own; `watch` wraps models."""
    from errata.systems.base import load_corrector
    from errata.systems.bundled import BUNDLED
    from errata.systems.guard import GuardedCorrector
    from errata.systems.languages import MultilingualCorrector

    def load(name: str) -> Corrector:
        corrector = watch(load_corrector(name, tokenised=choice.tokenised, **choice.options))
        if choice.tokenised and not choice.words and not choice.terms:
            return corrector  # benchmark files: the model's own answers
        return GuardedCorrector(corrector, choice.words, choice.terms)

    if choice.model == "":
        raise UsageError("--model takes the name of a bundled model or a folder, not ''")
    if choice.model is None and choice.language == AUTO:
        return MultilingualCorrector(lambda language: load(BUNDLED[language]), is_whole=choice.tokenised)
    corrector = load(choice.model or BUNDLED[choice.language])
    if choice.language not in (AUTO, corrector.language):
        raise UsageError(f"{corrector.name} corrects {corrector.language}, not {choice.language}: leave --lang out")
    return corrector


def correct_input(
    corrector: Corrector, given: Input, batches: Iterable[list[str]], before_reading: Callable[[], object]
) -> Iterator[CorrectedLine]:
    """The lines of a text, corrected, as they arrive in batches; `before_reading` is called ahead of each new one."""
    if given.markup == PLAIN:
        return _correct_plain(corrector, given.name, batches, before_reading)
    if given.markup == TEXT:
        return _correct_paragraphs(corrector, given.name, batches, before_reading)
    return _correct_marked_up(corrector, given, "".join(line for batch in batches for line in batch))


def _correct_plain(
    corrector: Corrector, name: str, batches: Iterable[list[str]], before_reading: Callable[[], object]
) -> Iterator[CorrectedLine]:
    number = 1
    for batch in batches:
        parts = (part for line in batch for part in _LINE.findall(line))
        lines = [_split_line(part, is_first=number + i == 1) for i, part in enumerate(parts)]
        corrections = corrector.correct([text for _, text, _ in lines])
        for (before, _, end), correction in zip(lines, corrections, strict=True):
            yield CorrectedLine(name, number, correction, end, before)
            number += 1
        before_reading()


def _correct_paragraphs(
    corrector: Corrector, name: str, batches: Iterable[list[str]], before_reading: Callable[[], object]
) -> Iterator[CorrectedLine]:
    number = 1
    for text in _whole_paragraphs(batches):
        paragraphs = _paragraphs_of(text)
        for line in _correct_text(corrector, name, text, number):
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


def _whole_paragraphs(batches: Iterable[list[str]]) -> Iterator[str]:
    """The text in pieces that begin where a sentence begins, if there is such a place in `LONGEST` characters.

    An empty batch is a pause: whoever wrote the lines may wait for the answer.
    """
    begun: list[str] = []  # without an end
    n_characters = 0
    for batch in batches:
        n_characters += sum(map(len, batch))
        n_whole = next((n for n in range(len(batch), 0, -1) if _ends_sentence(batch[n - 1])), 0)
        if batch and not n_whole and n_characters <= LONGEST:
            begun += batch
            continue
        n_whole = n_whole or len(batch)
        if begun or n_whole:
            yield "".join([*begun, *batch[:n_whole]])
        begun = batch[n_whole:]
        n_characters = sum(map(len, begun))
    if begun:
        yield "".join(begun)


def _ends_sentence(line: str) -> bool:
    bare = line.rstrip()
    return not bare or bare.endswith(STOPS)


def _correct_text(corrector: Corrector, name: str, text: str, number: int) -> Iterator[CorrectedLine]:
    """The lines of a text, the first of which has this number."""
    bare = text.removeprefix(BOM) if number == 1 else text
    (correction,) = corrector.correct([bare])
    lines = split_correction(correction, name, number)
    if bare != text:
        yield replace(next(lines, CorrectedLine(name, 1, Correction("", ""))), before=BOM)
    yield from lines


def _correct_marked_up(corrector: Corrector, given: Input, text: str) -> Iterator[CorrectedLine]:
    from errata.systems.markup import MarkupCorrector

    return _correct_text(MarkupCorrector(corrector, given.markup), given.name, text, 1)


def split_correction(correction: Correction, file: str, first: int = 1) -> Iterator[CorrectedLine]:
    """The lines of a corrected text, numbered from `first`, each with its own edits; no edit crosses a line end."""
    rest = list(reversed(correction.edits))
    for number, match in enumerate(_LINE.finditer(correction.source), first):
        _, text, end = _split_line(match.group())
        edits: list[TextEdit] = []
        while rest and rest[-1].end <= match.start() + len(text):
            edit = rest.pop()
            edits.append(replace(edit, start=edit.start - match.start(), end=edit.end - match.start()))
        yield CorrectedLine(file, number, make_correction(text, edits), end)


def _split_line(line: str, *, is_first: bool = False) -> tuple[str, str, str]:
    """Byte order mark, text and line end of a line."""
    before = BOM if is_first and line.startswith(BOM) else ""
    bare = line.removeprefix(before)
    text = bare.rstrip("\r\n")
    return before, text, bare[len(text) :]
