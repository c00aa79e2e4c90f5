"""The edits between a sentence and its corrections, as the scorers find them, and as characters for a page to mark."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from threading import Lock
from typing import Any

from errata.edits.base import Extractor, get_extractor
from errata.edits.en.analysers import get_analyser
from errata.edits.en.analysis import Analyser, Analysis
from errata.edits.explain import explain
from errata.formats.jsonl import locate_tokens
from errata.model import AnnotatedSentence, Annotation, Edit, Sentence, TextEdit, Tokens
from errata.text.tokens import MARKERS, split_characters
from errata.text.utf16 import Utf16Offsets

# Pairs that are remembered: while somebody types, the same sentence comes again with every key.
N_REMEMBERED = 20_000
# Longer pairs, in characters, are rare and would fill the memory.
MAX_REMEMBERED = 2_000
# Sentences of which the analysis is remembered; one takes some kilobytes.
N_ANALYSED = 2_000

_MARKER = re.compile("(" + "|".join(map(re.escape, MARKERS)) + ")")


@dataclass(frozen=True, slots=True)
class ShownEdit:
    """An edit over characters: `original` at [start, end) of the source, `replacement` at its place in the target."""

    start: int
    end: int
    target_start: int
    target_end: int
    original: str
    replacement: str
    type: str
    description: str


class Extraction:
    """Extractors of both languages; safe to use from several threads.

    `[MC]` is one token everywhere. Raw English is tokenised first and then treated as any tokenised file, so an
    exported reference has the edits that people saw.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._extractors: dict[str, Extractor] = {}
        self._remembered = lru_cache(N_REMEMBERED)(self._extract)
        self._tokens = lru_cache(N_REMEMBERED)(self._cut)

    def warm_up(self, language: str) -> None:
        """Load what takes seconds to load, before somebody waits for it."""
        self.show(language, "This are a test.", "This is a test.", is_tokenised=False)

    def annotate(self, language: str, source: str, targets: Sequence[str], *, is_tokenised: bool) -> AnnotatedSentence:
        """The sentence with one annotation for each target, in order."""
        sentence = Sentence(self.tokens(language, source, is_tokenised=is_tokenised), None if is_tokenised else source)
        annotations = tuple(
            Annotation(str(number), self._edits(language, source, target, is_tokenised), target=target)
            for number, target in enumerate(targets)
        )
        return AnnotatedSentence(sentence, annotations)

    def show(
        self, language: str, source: str, target: str, *, is_tokenised: bool, messages: str = "auto"
    ) -> list[ShownEdit]:
        """The edits that make the source the target, in order, with descriptions in the language of `messages`."""
        edits = self._edits(language, source, target, is_tokenised)
        spans = _locate(source, self.tokens(language, source, is_tokenised=is_tokenised))
        target_spans = _locate(target, self.tokens(language, target, is_tokenised=is_tokenised))
        shown, surplus = [], 0
        for edit in edits:
            start, end = _cover(spans, edit.start, edit.end, len(source))
            first = edit.start + surplus
            surplus += len(edit.replacement) - (edit.end - edit.start)
            target_start, target_end = _cover(target_spans, first, first + len(edit.replacement), len(target))
            replacement = target[target_start:target_end]
            description = _describe(source, TextEdit(start, end, replacement, edit.type), language, messages)
            shown.append(
                ShownEdit(start, end, target_start, target_end, source[start:end], replacement, edit.type, description)
            )
        return shown

    def tokens(self, language: str, text: str, *, is_tokenised: bool) -> Tokens:
        """The tokens that edits count by."""
        if language == "zh":
            return split_characters(text)
        if is_tokenised:
            return tuple(text.split())
        normal = " ".join(text.split())
        return self._tokens(normal) if len(normal) <= MAX_REMEMBERED else self._cut(normal)

    def _cut(self, text: str) -> Tokens:
        """The words of raw English."""
        parts = _MARKER.split(text)
        cut = _analyser().tokenise([part.strip() for part in parts])
        found: list[str] = []
        for part, words in zip(parts, cut, strict=True):
            found += [part] if part in MARKERS else words
        return tuple(found)

    def _edits(self, language: str, source: str, target: str, is_tokenised: bool) -> tuple[Edit, ...]:
        if len(source) + len(target) > MAX_REMEMBERED:
            return self._extract(language, source, target, is_tokenised)
        return self._remembered(language, source, target, is_tokenised)

    def _extract(self, language: str, source: str, target: str, is_tokenised: bool) -> tuple[Edit, ...]:
        pair = [" ".join(self.tokens(language, text, is_tokenised=is_tokenised)) for text in (source, target)]
        with self._lock:  # extractors keep tables that only one thread may fill
            [annotated] = self._extractor(language).annotate([(pair[0], [pair[1]])])
        return annotated.annotations[0].edits

    def _extractor(self, language: str) -> Extractor:
        if language not in self._extractors:
            options: dict[str, Any] = {"strategy": "first"} if language == "zh" else {"analyser": _analyser()}
            self._extractors[language] = get_extractor(language, **options)
        return self._extractors[language]


@cache
def _analyser() -> _SharedAnalyser:
    """The analyser of English: it takes seconds to load, so a process has one."""
    return _SharedAnalyser(get_analyser(cache=False))


class _SharedAnalyser:
    """An analyser for one thread at a time, which knows the sentences it saw last: with every key one is new."""

    def __init__(self, analyser: Analyser) -> None:
        self._analyser, self._lock = analyser, Lock()
        self._remembered = lru_cache(N_ANALYSED)(self._analyse)

    @property
    def signature(self) -> str:
        return self._analyser.signature

    def analyse(self, sentences: Sequence[Sequence[str]]) -> list[Analysis]:
        return [self._remembered(tuple(words)) for words in sentences]

    def analyse_texts(self, texts: Sequence[str]) -> list[Analysis]:
        with self._lock:
            return self._analyser.analyse_texts(texts)

    def tokenise(self, texts: Sequence[str]) -> list[list[str]]:
        with self._lock:
            return self._analyser.tokenise(texts)

    def _analyse(self, words: Tokens) -> Analysis:
        with self._lock:
            [analysis] = self._analyser.analyse([words])
        return analysis


def edits_json(source: str, target: str, edits: Sequence[ShownEdit]) -> list[dict[str, Any]]:
    """The edits for a page, which counts in UTF-16."""
    in_source, in_target = Utf16Offsets(source), Utf16Offsets(target)
    return [
        {
            "start": edit.start,
            "end": edit.end,
            "utf16_start": in_source[edit.start],
            "utf16_end": in_source[edit.end],
            "target_start": edit.target_start,
            "target_end": edit.target_end,
            "utf16_target_start": in_target[edit.target_start],
            "utf16_target_end": in_target[edit.target_end],
            "original": edit.original,
            "replacement": edit.replacement,
            "type": edit.type,
            "description": edit.description,
        }
        for edit in edits
    ]


def _locate(text: str, tokens: Tokens) -> list[tuple[int, int]]:
    spans = locate_tokens(text, tokens)
    assert spans is not None, "tokens are cut from the text"
    return spans


def _cover(spans: Sequence[tuple[int, int]], start: int, end: int, length: int) -> tuple[int, int]:
    """The characters of some tokens; where there is none, the place before the next token."""
    if start < end:
        return spans[start][0], spans[end - 1][1]
    point = spans[start][0] if start < len(spans) else length
    return point, point


def _describe(source: str, edit: TextEdit, language: str, messages: str) -> str:
    return explain(source, edit, language, messages=messages).rule.title
