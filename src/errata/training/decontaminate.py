"""Keep evaluation sentences out of training data: exact copies and near duplicates.

Sentences are compared by their letters and digits alone, whatever their case. A near duplicate shares at least half of
its five-word runs (English), or four tenths of its ten-character runs (Chinese), with one of the excluded files.
"""

from __future__ import annotations

import logging
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from errata.edits.operations import apply_all_operations
from errata.edits.texts import source_text, target_text
from errata.errors import DataError, UsageError
from errata.formats.files import open_sentences, read_lines
from errata.model import Status

log = logging.getLogger(__name__)

_WORD = re.compile(r"[^\W_]+")
# `do n't` and `don't` are the same words.
_CLITIC = re.compile(r"(?<!\s)\s++(?=n?['’]\w)|['’]")


@dataclass(frozen=True, slots=True)
class Rule:
    """What a near duplicate is: `share` of the runs of `width` units, in sentences of `shortest` units or more."""

    width: int
    share: float
    shortest: int


RULES = {"en": Rule(5, 0.5, 8), "zh": Rule(10, 0.4, 10)}


@dataclass(frozen=True, slots=True)
class Hit:
    """Why a sentence is left out: `exact` or `near`, and the number of the excluded file."""

    kind: str
    file: int


class Exclusions:
    """The sentences of excluded files, ready to be recognised."""

    def __init__(self, files: Sequence[Iterable[str]], language: str) -> None:
        self.rule, self.language = RULES[language], language
        self.n_sentences = [0] * len(files)
        self._whole: dict[int, int] = {}  # hash of a sentence's letters → the first file that has it
        self._runs: dict[int, int] = defaultdict(int)  # hash of a run → the files that have it, as bits
        for number, texts in enumerate(files):
            for text in texts:
                self.n_sentences[number] += 1
                self._add(text, number)

    def _add(self, text: str, file: int) -> None:
        units = self.units(text)
        if units:
            self._whole.setdefault(hash("".join(units)), file)
        for run in self.hash_runs(units):
            self._runs[run] |= 1 << file

    def find(self, text: str) -> Hit | None:
        """The excluded file that `text` is in, or nearly in."""
        units = self.units(text)
        if not units:
            return None
        whole = self._whole.get(hash("".join(units)))
        if whole is not None:
            return Hit("exact", whole)
        if len(units) < self.rule.shortest:
            return None
        runs = self.hash_runs(units)
        needed = self.rule.share * len(runs)
        known = [bits for run in runs if (bits := self._runs.get(run))]
        if len(known) < needed:
            return None
        files = Counter(file for bits in known for file in _set_bits(bits))
        file, count = files.most_common(1)[0]
        return Hit("near", file) if count >= needed else None

    def units(self, text: str) -> Sequence[str]:
        """Words, or characters where the language is written without spaces."""
        words = _WORD.findall(_CLITIC.sub("", text.casefold()))
        return "".join(words) if self.language == "zh" else words

    def hash_runs(self, units: Sequence[str]) -> list[int]:
        """A number for each run of units."""
        width, between = self.rule.width, "" if self.language == "zh" else " "
        return [hash(between.join(units[i : i + width])) for i in range(len(units) - width + 1)]


def _set_bits(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


@dataclass(slots=True)
class Screen:
    """Lets through what is not excluded, and keeps count of the rest by file."""

    exclusions: Exclusions
    against: Sequence[str]  # names of the excluded files
    _seen: Counter[str] = field(default_factory=Counter)
    _from: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    _against: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def passes(self, origin: str, *texts: str) -> bool:
        """Whether none of the texts (a source and its target), read from `origin`, is excluded."""
        self._seen[origin] += 1
        for text in texts:
            if hit := self.exclusions.find(text):
                self._from[origin][hit.kind] += 1
                self._against[self.against[hit.file]][hit.kind] += 1
                return False
        return True

    def report(self) -> dict[str, Any]:
        """Counts ready for JSON: by file read (`from`) and by excluded file (`against`)."""
        return {
            "from": {name: {"read": count, **self._kinds(self._from[name])} for name, count in self._seen.items()},
            "against": {
                name: {"sentences": count, **self._kinds(self._against[name])}
                for name, count in zip(self.against, self.exclusions.n_sentences, strict=True)
            },
        }

    @staticmethod
    def _kinds(counts: Mapping[str, int]) -> dict[str, int]:
        return {kind: counts.get(kind, 0) for kind in ("exact", "near")}

    def log(self) -> None:
        for name, counts in self.report()["from"].items():
            log.info(
                "%s: %d of %d left out as evaluation sentences, %d as near duplicates",
                *(name, counts["exact"], counts["read"], counts["near"]),
            )


def read_exclusions(paths: Sequence[Path], language: str) -> Exclusions:
    """The sources and references of files in any format errata reads, or plain text, one sentence a line.

    A folder stands for the files in it, as one.
    """
    return Exclusions([chain.from_iterable(map(_texts, _files(path))) for path in paths], language)


def _files(path: Path) -> list[Path]:
    return sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]


def _texts(path: Path) -> Iterator[str]:
    try:
        _, sentences = open_sentences(path)
    except UsageError:  # no known format: plain text
        yield from read_lines(path)
        return
    unread = 0
    for sentence in sentences:
        yield source_text(sentence.sentence)
        for annotation in sentence.annotations:
            if annotation.operations is not None:
                yield from apply_all_operations(source_text(sentence.sentence), annotation.operations)
            elif annotation.status is Status.ANNOTATED:
                try:
                    yield target_text(sentence.sentence, annotation)
                except DataError:  # overlapping edits: the source is excluded all the same
                    unread += 1
    if unread:
        log.warning("%s: %d references cannot be made from their edits; their sources are excluded", path, unread)
