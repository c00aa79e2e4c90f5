"""A corrector of whole documents, many at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache

from errata.model import Correction
from errata.parameters import check_type
from errata.pipeline.documents import Ask, DocumentEdits, Options, Work, correct_document
from errata.pipeline.sentences import Progress, SentenceCorrector
from errata.pipeline.settle import Candidates
from errata.pipeline.views import TEXT, find_writing


class Pipeline:
    """A `Corrector` of documents in one language or several; `load` gives the model of a language when it is needed."""

    def __init__(self, name: str, load: Callable[[str], SentenceCorrector], options: Options) -> None:
        self.name, self.language, self.options = name, options.language, options
        self.load = cache(load)

    def correct(
        self, sentences: Sequence[str], *, markup: str = TEXT, progress: Progress | None = None
    ) -> list[Correction]:
        """One correction per document, in order.

        `progress` is told how many characters are finished, about, while their sentences are looked at.
        """
        if isinstance(sentences, str | bytes) or not isinstance(sentences, Iterable):
            raise TypeError(f"sentences is of type {type(sentences).__name__}: give a list of texts, correct([text])")
        check_type("markup", markup, str)
        check_type("progress", progress, Callable | None)
        texts = list(sentences)
        for place, text in enumerate(texts):
            check_type(f"sentences[{place}]", text, str)
        writing = find_writing(markup)
        report = _Report(sum(map(len, texts)), progress)
        together = Together([correct_document(writing.read(text), writing, self.options) for text in texts])
        while wanted := together.wanted:
            together.tell({language: self._look(language, texts, report) for language, texts in wanted.items()})
            report.is_first_look = False
        report.finish()
        return [Correction(one.view.original, one.edits) for one in together.results]

    def _look(self, language: str, texts: list[str], report: _Report) -> dict[str, Candidates]:
        looks: dict[str, Candidates] = {}
        for text, found in zip(texts, self.load(language).look_each((text, None) for text in texts), strict=True):
            looks[text] = found
            report.look(text, found)
        return looks


class _Report:
    """How many of some characters are finished, as far as looks tell.

    A sentence in which nothing is found is finished. One in which something is will be looked at again, and is half
    finished until then.
    """

    def __init__(self, n_characters: int, progress: Progress | None) -> None:
        self._n_open, self._progress = n_characters, progress
        self.is_first_look = True

    def look(self, text: str, found: Candidates) -> None:
        """Count a text that was looked at, and what was found in it."""
        halves = int(self.is_first_look) + int(not found)
        self._finish(halves * len(text) // 2)

    def finish(self) -> None:
        """Count what no look has told of: white space, repeated sentences, what no model reads."""
        self._finish(self._n_open)

    def _finish(self, n_characters: int) -> None:
        n_finished = min(n_characters, self._n_open)
        self._n_open -= n_finished
        if n_finished and self._progress:
            self._progress(n_finished)


class Together:
    """Documents that are corrected at the same time: what they want looked at is asked for together, each text once."""

    def __init__(self, works: Sequence[Work[DocumentEdits]]) -> None:
        self._works = works
        self._results: dict[int, DocumentEdits] = {}
        self._asks: dict[int, list[Ask]] = {}
        for number in range(len(works)):
            self._advance(number, None)

    @property
    def wanted(self) -> dict[str, list[str]]:
        """The texts to look at, by language; none when all documents are done."""
        found: dict[str, dict[str, None]] = {}
        for asks in self._asks.values():
            for ask in asks:
                found.setdefault(ask.language, {})[ask.text] = None
        return {language: list(texts) for language, texts in found.items()}

    def tell(self, looks: Mapping[str, Mapping[str, Candidates]]) -> None:
        """Go on with what was found in the texts that were wanted."""
        asked, self._asks = self._asks, {}
        for number, asks in asked.items():
            self._advance(number, [looks[ask.language][ask.text] for ask in asks])

    @property
    def results(self) -> list[DocumentEdits]:
        """The documents in order, when all are done."""
        return [self._results[number] for number in range(len(self._works))]

    def _advance(self, number: int, answers: Sequence[Candidates] | None) -> None:
        try:
            self._asks[number] = self._works[number].send(answers)  # type: ignore[arg-type]
        except StopIteration as stop:
            self._results[number] = stop.value
