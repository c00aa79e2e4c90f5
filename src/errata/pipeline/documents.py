"""A document's correction, without calling a model: `correct_document` asks for looks at sentences and is told.

A document is read (without its markup), its wrapped lines are joined, and it is split into sentences, each in its own
language. Every sentence is settled by itself. The edits go back to where they belong, and those that would change
something protected are left out. Then the corrected document is read in the same way again, until a reading changes
nothing: sentences that were looked at are not looked at again, so this costs little.

The edits of the more careful presets are made first: `balanced` begins where `careful` ended, and adds what it sees in
the original. So what a preset changes, the more eager ones change too, and every more careful one is content with it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from errata.edits.explain import shown_type
from errata.model import TextEdit
from errata.pipeline.compose import compose
from errata.pipeline.presets import BALANCED, ORDER
from errata.pipeline.protection import Protection
from errata.pipeline.settle import Candidates, Looking, Permit, Selection, settle, take_once
from errata.pipeline.views import Writing
from errata.text.language import identify_language, language_sentences
from errata.text.projection import Projection, trim_edit
from errata.text.sentences import STOPS, clause_spans, sentence_spans
from errata.text.wrapping import keep_line_ends, unwrap

AUTO = "auto"
# How often a document is read for a preset. Its sentences are settled, so a second reading finds something only where
# an edit moved the border between two sentences, or the markup kept out a part of one.
MAX_READINGS = 5
# How often edits are left out and the rest is checked again, before all of a document's edits are given up.
MAX_CHECKS = 3


@dataclass(frozen=True, slots=True)
class Ask:
    """A sentence that a model of a language shall look at."""

    language: str
    text: str


Answer = TypeVar("Answer")
Work = Generator[list[Ask], Sequence[Candidates], Answer]


@dataclass(frozen=True, slots=True)
class Options:
    """How to correct: in which languages, for which there are models, and as careful as which preset.

    What is not `is_stable` is looked at once, and may change again when it is corrected again.
    """

    languages: frozenset[str]
    language: str = AUTO
    preset: str = BALANCED
    min_confidence: float = 0.0
    protection: Protection = field(default_factory=Protection)
    is_tokenised: bool = False
    is_stable: bool = True

    @property
    def rank(self) -> int:
        """The number of the preset."""
        return ORDER.index(self.preset if self.preset in ORDER else BALANCED)

    def selection(self, rank: int) -> Selection:
        return Selection(rank, self.rank, self.min_confidence)


@dataclass(frozen=True, slots=True)
class SentenceSpan:
    """Characters [start, end) of what is read of a document, in a language.

    A very long sentence is read in clauses: what `begins_inside` it is not its beginning, what `ends_inside` not its
    end.
    """

    start: int
    end: int
    language: str
    begins_inside: bool = False
    ends_inside: bool = False

    @property
    def is_clause(self) -> bool:
        return self.begins_inside or self.ends_inside

    def allows(self, text: str, edit: TextEdit) -> bool:
        """Whether an edit of what the sentence reads now is one that a place where it was cut may have.

        A model takes what it reads for a sentence: it would put a capital at the beginning and a full stop at the end.
        """
        if not self.is_clause:
            return True
        change = trim_edit(text, edit)
        is_capital = not change.start and text[: change.end].lower() == change.replacement.lower()
        is_stop = change.end == len(text) and change.replacement.endswith(STOPS)
        return not (self.begins_inside and is_capital) and not (self.ends_inside and is_stop)


@dataclass(frozen=True, slots=True)
class DocumentEdits:
    """A document with its sentences, as it was read first, and the edits of the original, in order."""

    view: Projection
    sentences: tuple[SentenceSpan, ...]
    edits: tuple[TextEdit, ...]


@dataclass(frozen=True, slots=True)
class _Reading:
    """What is read of a document: its lines joined where a sentence goes on, and its sentences."""

    view: Projection
    text: str
    sentences: list[SentenceSpan]


def correct_document(view: Projection, writing: Writing, options: Options) -> Work[DocumentEdits]:
    """The edits after which the document needs no more."""
    correcting = _Correcting(view, writing, options)
    if options.is_stable:
        edits = yield from correcting.settle()
    else:
        edits = yield from correcting.look_once()
    typed = [correcting.typed(edit) for edit in edits]
    return DocumentEdits(view, tuple(correcting.first.sentences), tuple(typed))


def split_document(text: str, options: Options) -> list[SentenceSpan]:
    """The sentences of what is read, in order, very long ones in clauses; a tokenised text is one."""
    if options.is_tokenised:
        language = identify_language(text, "") if options.language == AUTO else options.language
        return [SentenceSpan(0, len(text), language)]
    if options.language == AUTO:
        sentences = [SentenceSpan(start, end, language) for language, start, end in language_sentences(text)]
    else:
        sentences = [SentenceSpan(*span, options.language) for span in sentence_spans(text, options.language)]
    return [part for sentence in sentences for part in _clauses(text, sentence)]


def _clauses(text: str, sentence: SentenceSpan) -> list[SentenceSpan]:
    """The parts in which a sentence is read: itself, unless it is very long."""
    parts = clause_spans(text, (sentence.start, sentence.end), sentence.language)
    return [
        SentenceSpan(start, end, sentence.language, start > sentence.start, end < sentence.end) for start, end in parts
    ]


class _Correcting:
    """A document while it is corrected; `known` remembers what a model said about a sentence."""

    def __init__(
        self, view: Projection, writing: Writing, options: Options, known: dict[Ask, Candidates] | None = None
    ) -> None:
        self.writing, self.options = writing, options
        self.known: dict[Ask, Candidates] = {} if known is None else known
        self.first = self._read(view)
        self.starts = [sentence.start for sentence in self.first.sentences]
        # Whether edits were left out because there was no end to them. Then it is not certain that the others may stay:
        # a more careful preset may have something to say about what they made.
        self.is_doubtful = False

    def look_once(self) -> Work[list[TextEdit]]:
        """The edits of a single look at every sentence."""
        return (yield from self._find(self.first, self.options.rank, take_once))

    def settle(self) -> Work[list[TextEdit]]:
        """The edits after which the preset, and every more careful one, is content."""
        edits = yield from self.try_to_settle()
        for _ in range(MAX_CHECKS):
            if not edits or not self.is_doubtful:
                return edits
            view = self.writing.revise(self.first.view, edits)
            again = yield from _Correcting(view, self.writing, self.options, self.known).try_to_settle()
            if not again:
                return edits
            edits = self._leave_out(edits, _changed(edits, compose(self.first.view.original, edits, again)))
        return []

    def try_to_settle(self) -> Work[list[TextEdit]]:
        """What `settle` gives, unless leaving edits out has made something else change."""
        reading, edits = self.first, list[TextEdit]()
        for rank in range(self.options.rank + 1):
            # A model that reads a sentence half corrected may overlook what it sees in the original.
            seen = yield from self._find(self.first, rank, settle)
            reading, edits = self._add(reading, edits, seen)
            if seen or reading is not self.first:  # otherwise this preset has just been found content
                reading, edits = yield from self._settle_rank(reading, edits, rank)
        return edits

    def _add(
        self, reading: _Reading, edits: list[TextEdit], more: Sequence[TextEdit]
    ) -> tuple[_Reading, list[TextEdit]]:
        """The document with more edits of the original, those that are apart from the ones it has."""
        starts = [edit.start for edit in edits]  # which are in order and do not overlap
        apart = [edit for edit in more if not (at := bisect_right(starts, edit.end)) or edits[at - 1].end < edit.start]
        both = sorted([*edits, *apart], key=lambda edit: (edit.start, edit.end))
        if not apart or not self.writing.keeps_markup(self.first.view, both):
            return reading, edits
        return self._read(self.writing.revise(self.first.view, both)), both

    def _settle_rank(
        self, reading: _Reading, edits: list[TextEdit], rank: int
    ) -> Work[tuple[_Reading, list[TextEdit]]]:
        """The document when one more preset is content, and the edits that made it of the original."""
        before, latest = edits, edits
        for _ in range(MAX_READINGS):
            found = yield from self._find(reading, rank, settle)
            if not found:
                return reading, edits
            latest, edits = edits, compose(self.first.view.original, edits, found)
            reading = self._read(self.writing.revise(reading.view, found))
        # There is no end in some sentences: there, all is as it was before this preset.
        self.is_doubtful = True
        restless = self._units(_changed(latest, edits))
        kept = [edit for edit in edits if not self._units([edit]) & restless]
        kept += [edit for edit in before if self._units([edit]) & restless]
        kept.sort(key=lambda edit: (edit.start, edit.end))
        return self._read(self.writing.revise(self.first.view, kept)), kept

    def _find(
        self, reading: _Reading, rank: int, begin: Callable[[str, Selection, Permit], Looking]
    ) -> Work[list[TextEdit]]:
        """The edits of the original that a preset finds in a reading."""
        selection = self.options.selection(rank)
        found = yield from self._settle_sentences(reading.text, reading.sentences, selection, begin)
        view, protection = reading.view, self.options.protection
        if not found:
            return []
        if reading.text != view.text:
            found = keep_line_ends(view.text, found)
        placed = self.writing.carry_back(view, protection.keep(view.text, found))
        return protection.keep(view.original, [one.edit for one in placed])

    def _settle_sentences(
        self,
        text: str,
        sentences: Sequence[SentenceSpan],
        selection: Selection,
        begin: Callable[[str, Selection, Permit], Looking],
    ) -> Work[list[TextEdit]]:
        """The edits of all sentences, each settled by itself; what any of them asks for is asked for together."""
        running: dict[int, tuple[Looking, Ask]] = {}
        edits: dict[int, list[TextEdit]] = {}

        def advance(number: int, looking: Looking, found: Candidates | None) -> None:
            try:
                running[number] = looking, Ask(sentences[number].language, looking.send(found))  # type: ignore[arg-type]
            except StopIteration as stop:
                self.is_doubtful |= not stop.value.is_certain
                edits[number] = stop.value.edits
                running.pop(number, None)

        for number, sentence in enumerate(sentences):
            # Clauses of pages without a full stop change so often that one preset has to do: the one that is shown
            # makes the edits of the more careful ones too.
            is_skipped = sentence.is_clause and selection.rank < selection.shown
            if sentence.language in self.options.languages and not is_skipped:
                text_of = text[sentence.start : sentence.end]
                advance(number, begin(text_of, selection, self._permit(sentence)), None)
        while running:
            unknown = list(dict.fromkeys(ask for _, ask in running.values() if ask not in self.known))
            if unknown:
                answers = yield unknown
                self.known.update(zip(unknown, answers, strict=True))
            for number, (looking, ask) in list(running.items()):
                advance(number, looking, self.known[ask])
        return [
            replace(edit, start=edit.start + sentence.start, end=edit.end + sentence.start)
            for number, sentence in enumerate(sentences)
            for edit in edits.get(number, ())
        ]

    def _permit(self, sentence: SentenceSpan) -> Permit:
        def permit(text: str, edits: list[TextEdit]) -> list[TextEdit]:
            return [edit for edit in self.options.protection.keep(text, edits) if sentence.allows(text, edit)]

        return permit

    def typed(self, edit: TextEdit) -> TextEdit:
        """The edit with the type that people are shown: one that was made in several steps has none yet."""
        if not self.first.sentences:
            return edit
        read = self.first.view.to_read(edit)
        sentence = self.first.sentences[_sentences_at(self.starts, read.start, read.end)[0]]
        may_be_spelling = sentence.language == "en" and edit.type.startswith("R:")
        if edit.type != "UNK" and not may_be_spelling:
            return edit
        return replace(edit, type=shown_type(self.first.view.text, read, sentence.language))

    def _read(self, view: Projection) -> _Reading:
        is_joined = self.writing.joins_lines and not self.options.is_tokenised
        text = unwrap(view.text) if is_joined else view.text
        return _Reading(view, text, split_document(text, self.options))

    def _units(self, edits: Iterable[TextEdit]) -> set[int]:
        """The numbers of the sentences of the first reading that edits of the original are in."""
        spans = [self.first.view.to_read(edit) for edit in edits]
        return {number for span in spans for number in _sentences_at(self.starts, span.start, span.end)}

    def _leave_out(self, edits: Sequence[TextEdit], bad: Sequence[TextEdit]) -> list[TextEdit]:
        """The edits without those in the sentences of bad ones."""
        units = self._units(bad)
        return [edit for edit in edits if not self._units([edit]) & units]


def _changed(before: Sequence[TextEdit], after: Sequence[TextEdit]) -> list[TextEdit]:
    """The edits that are in one of two lists only."""
    return sorted(set(before) ^ set(after), key=lambda edit: (edit.start, edit.end))


def _sentences_at(starts: Sequence[int], start: int, end: int) -> range:
    """The numbers of the sentences, which begin at `starts`, that characters [start, end) are in."""
    first = max(0, bisect_right(starts, start) - 1)
    return range(first, max(first + 1, bisect_left(starts, end)))
