"""What a metric says of corrections: from errata's metrics, or from a file of scores made elsewhere."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from errata.edits.texts import source_text, target_text
from errata.errors import DataError, FormatError, UnknownName, UsageError
from errata.formats.files import PathLike, display_name
from errata.meta_eval.base import Rated, Track
from errata.metrics.base import Item, Metric
from errata.metrics.inputs import Gold, Hypothesis, make_items, read_texts
from errata.metrics.scoring import refuse_sources
from errata.model import AnnotatedSentence, Annotation, Status

# What an annotator without an entry says of a sentence that others corrected: the same as the first of them, as
# CoNLL-2014's combined file means it, or that it is right as it is, as gec-metrics reads that file.
MISSING = ("agrees", "unchanged")
LARGEST = 1e100  # products of larger scores overflow


@dataclass(frozen=True, slots=True)
class SystemScores:
    """The corpus score of each system, and the score of each of its sentences where those are known."""

    values: Mapping[str, float]
    sentences: Mapping[str, np.ndarray] | None = None


class Scorer(ABC):
    """One metric to be judged; `label` is what it is called in tables."""

    label: str
    # Called when the scores of another system are there; whoever shows progress sets it.
    advance: Callable[[], object] | None = None

    @property
    @abstractmethod
    def signature(self) -> str:
        """How its scores come about."""

    def describe(self, track: Track) -> str:
        """The signature with what the corrections of a track are compared with."""
        return self.signature

    @abstractmethod
    def check(self, track: Track) -> None:
        """Refuse a track that it cannot score, before any work is done."""

    @abstractmethod
    def score_systems(self, track: Track) -> SystemScores:
        """The scores of the track's systems."""

    @abstractmethod
    def score_rated(self, track: Track) -> list[np.ndarray] | None:
        """The score of each correction in each row of `track.rated`; None where it has none."""

    def resample(self, track: Track, indices: np.ndarray) -> dict[str, np.ndarray] | None:
        """The corpus score of each system for each row of sentences (resamples, sentences); None if unknown."""
        return None


class MetricScorer(Scorer):
    """A metric of errata's, or of a package that brings one."""

    def __init__(self, metric: Metric[Any], label: str | None = None, *, missing: str = "agrees") -> None:
        if missing not in MISSING:
            raise UnknownName("word for missing annotators", missing, MISSING)
        self.metric, self.label, self.missing = metric, label or metric.name, missing
        self._kept: list[tuple[Mapping[str, Sequence[str]], dict[str, Sequence[Any]]]] = []
        # What is known of texts of a sentence, for each gold that was read.
        self._known: list[tuple[Gold, dict[tuple[int, str], Any]]] = []

    @property
    def signature(self) -> str:
        told = "" if self.missing == MISSING[0] else f"|missing:{self.missing}"
        return f"{self.metric.signature}{told}"

    def check(self, track: Track) -> None:
        if self.metric.needs_references and not track.has_references:
            raise UsageError(f"{self.label} compares with references, and {track.name} has none: name them with --gold")
        sources = (source_text(one.sentence) for one in track.gold.sentences)
        refuse_sources(track.gold.name, sources, self.metric, _write_setting)

    def describe(self, track: Track) -> str:
        texts = next(iter(track.outputs.values()), None) or [source_text(one.sentence) for one in track.gold.sentences]
        return f"{self.signature}|{self.metric.compared(self._items(track, texts))}"

    def score_systems(self, track: Track) -> SystemScores:
        stats = self._stats(track)
        values = {name: float(self.metric.aggregate(own).value) for name, own in stats.items()}
        return SystemScores(values, {name: self.metric.sentence_scores(own) for name, own in stats.items()})

    def resample(self, track: Track, indices: np.ndarray) -> dict[str, np.ndarray]:
        return {name: self.metric.resample(own, indices) for name, own in self._stats(track).items()}

    def score_rated(self, track: Track) -> list[np.ndarray]:
        """Every text of a sentence is scored once, however often it occurs."""
        wanted = list(dict.fromkeys((row.sentence, text) for row in track.rated for text in row.texts))
        stats = self._judge(track, self._references(track), wanted)
        scores = dict(zip(wanted, self.metric.sentence_scores(stats), strict=True))
        return [np.array([scores[row.sentence, text] for text in row.texts]) for row in track.rated]

    def _stats(self, track: Track) -> dict[str, Sequence[Any]]:
        """The statistics of each system; two tracks with the same outputs share them."""
        for outputs, known in self._kept:
            if outputs is track.outputs:
                return known
        base = self._references(track)
        stats: dict[str, Sequence[Any]] = {}
        for name, texts in track.outputs.items():
            stats[name] = self._judge(track, base, list(enumerate(texts)))
            if self.advance:
                self.advance()
        self._kept.append((track.outputs, stats))
        return stats

    def _judge(self, track: Track, base: Sequence[Item], wanted: Sequence[tuple[int, str]]) -> Sequence[Any]:
        """The statistics of texts, each of the sentence at a place.

        A metric that reads the sentence alone is asked once for each text, whoever made it.
        """
        if self.metric.needs_references or self.metric.needs_systems:
            return self.metric.stats([replace(base[place], hypothesis=text) for place, text in wanted])
        known = self._known_texts(track.gold)
        new = [one for one in wanted if one not in known]
        items = [replace(base[place], hypothesis=text) for place, text in new]
        known.update(zip(new, self.metric.stats(items) if items else (), strict=True))
        return [known[one] for one in wanted]

    def _known_texts(self, gold: Gold) -> dict[tuple[int, str], Any]:
        for other, known in self._known:
            if other is gold:
                return known
        self._known.append((gold, {}))
        return self._known[-1][1]

    def _references(self, track: Track) -> Sequence[Item]:
        """Items with the sources as hypotheses, whose references the metric has prepared once for all systems."""
        return self.metric.prepare(self._items(track, [source_text(one.sentence) for one in track.gold.sentences]))

    def _items(self, track: Track, texts: Sequence[str]) -> list[Item]:
        gold = track.gold
        if not self.metric.reads_gold_edits:
            annotators = sorted(
                {a.annotator for one in gold.sentences for a in one.annotations} if track.is_panel else ()
            )
            gold = replace(gold, sentences=tuple(self._with_texts(one, annotators) for one in gold.sentences))
        items = make_items(gold, [Hypothesis(text) for text in texts])
        return self._with_systems(track, items) if self.metric.needs_systems else items

    def _with_systems(self, track: Track, items: list[Item]) -> list[Item]:
        """The items, each beside what all systems of the track made of its sentence, or what was rated of it."""
        made = [[texts[place] for texts in track.outputs.values()] for place in range(len(items))]
        if not track.outputs:
            for row in track.rated:
                made[row.sentence] += row.texts
        return [replace(item, systems=tuple(texts)) for item, texts in zip(items, made, strict=True)]

    def _with_texts(self, one: AnnotatedSentence, annotators: Sequence[str]) -> AnnotatedSentence:
        """The sentence with a corrected text for each annotation, so that a metric finds edits on both sides alike.

        Every annotator of a panel has one; where there is no annotation at all, nobody found an error.
        """
        usable = {a.annotator: a for a in reversed(one.annotations) if a.status is Status.ANNOTATED}
        if one.annotations and not usable:
            return one
        annotators = annotators or sorted(usable)
        missing = usable[min(usable)] if usable and self.missing == "agrees" else Annotation()
        texts = (Annotation(name, target=target_text(one.sentence, usable.get(name, missing))) for name in annotators)
        return replace(one, annotations=tuple(texts))


def _write_setting(setting: str, value: str) -> str:
    return f"use --metric {value}" if setting == "metric" else f"set {setting}={value}"


class FileScorer(Scorer):
    """Scores from a file: `system<TAB>score`, or `system<TAB>sentence<TAB>score` with sentences counted from 1."""

    def __init__(self, path: PathLike) -> None:
        self.label = display_name(path)
        self.table: dict[str, dict[int, float]] = {}
        self.values: dict[str, float] = {}
        for number, line in enumerate(read_texts(path), 1):
            self._read(line, number)
        if not self.table and not self.values:
            raise FormatError(self.label, None, "there are no scores")
        if self.table and self.values:
            raise FormatError(self.label, None, "some lines score systems, some sentences: give one kind")

    def _read(self, line: str, number: int) -> None:
        name, *rest = line.split("\t")
        try:
            score = float(rest[-1])
            place = int(rest[0]) - 1 if len(rest) == 2 else None
        except (ValueError, IndexError):
            score, place = 0.0, -1
        if len(rest) not in (1, 2) or (place is not None and place < 0):
            fault = "a line is a system, perhaps a sentence (counted from 1), and a score, separated by tabs"
            raise FormatError(self.label, number, fault)
        if not abs(score) <= LARGEST:
            raise FormatError(self.label, number, f"a score is a number up to {LARGEST:g}, not {rest[-1]!r}")
        rows = self.values if place is None else self.table.setdefault(name, {})
        key: Any = name if place is None else place
        if key in rows:
            raise FormatError(self.label, number, f"{name} has a score already")
        rows[key] = score

    @property
    def signature(self) -> str:
        return f"scores|{self.label}"

    def check(self, track: Track) -> None:
        if any(not row.systems for row in track.rated):
            raise UsageError(f"{self.label}: corrections of {track.name} are made up here, a file cannot score them")
        if not self.table:
            if not track.outputs:
                raise UsageError(f"{self.label} has scores of systems: {track.name} needs one for each sentence")
            self._require(track, self.values)
            return
        names = list(track.outputs) or sorted({name for row in track.rated for name in row.systems})
        self._require(track, self.table, names)
        for name in names:
            missing = next((n for n in range(len(track.gold)) if n not in self.table[name]), None)
            if missing is not None:
                raise DataError(f"{self.label}: {name} has no score for sentence {missing + 1}")

    def _require(self, track: Track, known: Mapping[str, Any], names: Sequence[str] = ()) -> None:
        for name in names or track.outputs:
            if name not in known:
                raise DataError(f"{self.label} has no score of {name}, which is in {track.name}")

    def score_systems(self, track: Track) -> SystemScores:
        """Where sentences have scores, a system has their mean."""
        if not self.table:
            return SystemScores({name: self.values[name] for name in track.outputs})
        sentences = {name: self._sentences(name, len(track.gold)) for name in track.outputs}
        return SystemScores({name: float(own.mean()) for name, own in sentences.items()}, sentences)

    def _sentences(self, name: str, n_sentences: int) -> np.ndarray:
        return np.array([self.table[name][place] for place in range(n_sentences)])

    def resample(self, track: Track, indices: np.ndarray) -> dict[str, np.ndarray] | None:
        if not self.table:
            return None
        return {name: self._sentences(name, len(track.gold))[indices].mean(axis=1) for name in track.outputs}

    def score_rated(self, track: Track) -> list[np.ndarray] | None:
        return [self._row(row) for row in track.rated] if self.table else None

    def _row(self, row: Rated) -> np.ndarray:
        return np.array([self.table[name][row.sentence] for name in row.systems])
