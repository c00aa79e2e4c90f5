"""A corrector of whole documents, many at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from errata.edits.apply import make_correction
from errata.model import Correction
from errata.pipeline.documents import Ask, DocumentEdits, Options, Work, correct_document
from errata.pipeline.settle import Candidates
from errata.pipeline.views import PLAIN, find_writing
from errata.systems.base import Progress
from errata.systems.documents import DocumentCorrector

Look = Callable[[str, list[str]], Sequence[Candidates]]


class Pipeline:
    """A `Corrector` of documents in one language or several; `load` gives the model of a language when it is needed."""

    def __init__(self, name: str, load: Callable[[str], DocumentCorrector], options: Options) -> None:
        self.name, self.language, self.options = name, options.language, options
        self._load = cache(load)

    def correct(
        self, sentences: Sequence[str], *, markup: str = PLAIN, progress: Progress | None = None
    ) -> list[Correction]:
        """One correction per document, in order."""
        if isinstance(sentences, str):
            raise TypeError("correct takes a list of texts: correct([text])")
        writing = find_writing(markup)
        works = [correct_document(writing.read(text), writing, self.options) for text in sentences]
        found = run_together(works, self._look)
        if progress:
            progress(len(sentences))
        return [make_correction(one.view.original, one.edits) for one in found]

    def _look(self, language: str, sentences: list[str]) -> Sequence[Candidates]:
        return self._load(language).look([(sentence, None) for sentence in sentences])


def run_together(works: Sequence[Work[DocumentEdits]], look: Look) -> list[DocumentEdits]:
    """The results of several documents; what they ask for is looked at together, and each sentence once."""
    results: dict[int, DocumentEdits] = {}
    waiting: dict[int, list[Ask]] = {}

    def advance(number: int, answers: Sequence[Candidates] | None) -> None:
        try:
            waiting[number] = works[number].send(answers)  # type: ignore[arg-type]
        except StopIteration as stop:
            results[number] = stop.value

    for number in range(len(works)):
        advance(number, None)
    while waiting:
        asked, waiting = waiting, {}
        wanted: dict[str, dict[Ask, None]] = {}
        for asks in asked.values():
            for ask in asks:
                wanted.setdefault(ask.language, {})[ask] = None
        answers: dict[Ask, Candidates] = {}
        for language, asks_of in wanted.items():
            answers |= zip(asks_of, look(language, [ask.text for ask in asks_of]), strict=True)
        for number, asks in asked.items():
            advance(number, [answers[ask] for ask in asks])
    return [results[number] for number in range(len(works))]
