"""Correct texts in several languages, every line with the corrector of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from errata.edits.apply import make_correction
from errata.model import Correction, TextEdit
from errata.systems.base import Corrector, Progress
from errata.text.language import UNDETERMINED, identify_language, language_lines
from errata.text.wrapping import keep_line_ends, unwrap

AUTO = "auto"


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of one of the texts."""

    owner: int
    start: int
    text: str


class MultilingualCorrector:
    """A `Corrector` that finds out the language of each line; `load` gives the corrector of a language when needed.

    A line without letters goes with the rest of its text, one in another language is left alone. With `is_whole` texts
    have no lines.
    """

    name = language = AUTO

    def __init__(self, load: Callable[[str], Corrector], *, is_whole: bool = False) -> None:
        self._load, self._is_whole = cache(load), is_whole

    def correct(self, sentences: Sequence[str], *, progress: Progress | None = None) -> list[Correction]:
        """One correction per text, in order."""
        lines: dict[str, list[_Line]] = {}
        for owner, text in enumerate(sentences):
            for language, line in self._lines(owner, text):
                lines.setdefault(language, []).append(line)
        edits: list[list[TextEdit]] = [[] for _ in sentences]
        for language, some in lines.items():
            answers = self._load(language).correct([line.text for line in some])
            for line, answer in zip(some, answers, strict=True):
                edits[line.owner] += [_shift(edit, line.start) for edit in answer.edits]
        if progress:
            progress(len(sentences))
        return [
            make_correction(text, keep_line_ends(text, sorted(own, key=_start)))
            for text, own in zip(sentences, edits, strict=True)
        ]

    def _lines(self, owner: int, text: str) -> Iterator[tuple[str, _Line]]:
        if self._is_whole:
            lines = iter([(identify_language(text, UNDETERMINED), 0, text)])
        else:
            lines = language_lines(unwrap(text), UNDETERMINED)
        for language, start, line in lines:
            if language != UNDETERMINED:
                yield language, _Line(owner, start, line)


def _shift(edit: TextEdit, distance: int) -> TextEdit:
    return replace(edit, start=edit.start + distance, end=edit.end + distance)


def _start(edit: TextEdit) -> int:
    return edit.start
