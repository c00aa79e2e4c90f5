"""Sentence-level judgements: is there an error (`detection`), and which types (`identification`).

FCGEC (Xu et al. 2022, section 4.1) reports accuracy and macro precision, recall and F1 for both. A class that neither
the gold labels nor the predictions mention is left out of the macro average; a class that is never predicted has
precision 0, one that never occurs recall 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from errata.edits.texts import source_text
from errata.errors import DataError
from errata.metrics.base import Item, Metric
from errata.metrics.compared import LABELS, REFERENCES, GoldView, describe_gold
from errata.metrics.edit_counts import sentence_weights
from errata.metrics.signature import make_signature
from errata.metrics.texts import is_usable, split_like
from errata.model import Annotation, Counts, Score

CORRECT, ERRONEOUS = "correct", "erroneous"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The classes a sentence has and those it was given."""

    gold: frozenset[str]
    predicted: frozenset[str]


def class_scores(counts: Counts) -> dict[str, float]:
    """Precision, recall and F1 of a class, 0 where nothing was predicted or nothing was there to find."""
    return {
        "precision": _share(counts.tp, counts.tp + counts.fp),
        "recall": _share(counts.tp, counts.tp + counts.fn),
        "f1": _share(2 * counts.tp, 2 * counts.tp + counts.fp + counts.fn),
        "tp": counts.tp,
        "fp": counts.fp,
        "fn": counts.fn,
    }


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def macro_average(by_class: Mapping[str, Mapping[str, float]], part: str) -> float:
    """The mean over classes; 1 where there is no class at all (nothing to find, nothing claimed)."""
    return float(np.mean([row[part] for row in by_class.values()])) if by_class else 1.0


class _Classification(Metric[Judgement]):
    """What both tasks share: `Judgement`s in, accuracy and macro averages over classes out."""

    options: DetectionOptions | IdentificationOptions

    @property
    def signature(self) -> str:
        return make_signature(self.name, "macro-F1")

    def aggregate(self, stats: Sequence[Judgement]) -> Score:
        """Macro F1 over the classes, with accuracy (all classes of the sentence right)."""
        classes = sorted({one for judgement in stats for one in judgement.gold | judgement.predicted})
        by_class = {name: class_scores(_count_class(stats, name)) for name in classes}
        parts = {
            "accuracy": _share(sum(one.gold == one.predicted for one in stats), len(stats)),
            "precision": macro_average(by_class, "precision"),
            "recall": macro_average(by_class, "recall"),
            "f1": macro_average(by_class, "f1"),
        }
        micro = sum((_count_class(stats, name) for name in classes), Counts())
        parts |= {"micro-f1": class_scores(micro)["f1"] if classes else 1.0}
        return Score(self.name, parts["f1"], parts, self.signature, by_class if self.options.by_type else None)

    def resample(self, stats: Sequence[Judgement], indices: np.ndarray) -> np.ndarray:
        """Macro F1 of each row of indices, over the classes that occur in it."""
        classes = sorted({one for judgement in stats for one in judgement.gold | judgement.predicted})
        if not classes:
            return np.ones(len(indices))
        gold = np.array([[name in one.gold for name in classes] for one in stats], dtype=float)
        predicted = np.array([[name in one.predicted for name in classes] for one in stats], dtype=float)
        weights = sentence_weights(indices, len(stats))
        agreed = 2 * (weights @ (gold * predicted))
        wanted_and_found = weights @ (gold + predicted)  # 2 tp + fp + fn, (rows, classes)
        occurs = wanted_and_found > 0
        f1 = np.divide(agreed, wanted_and_found, out=np.zeros_like(agreed), where=occurs)
        n_classes = occurs.sum(axis=1)
        means: np.ndarray = np.where(n_classes > 0, f1.sum(axis=1) / np.maximum(n_classes, 1), 1.0)
        return means


def _count_class(stats: Sequence[Judgement], name: str) -> Counts:
    tp = sum(name in one.gold and name in one.predicted for one in stats)
    fp = sum(name not in one.gold and name in one.predicted for one in stats)
    fn = sum(name in one.gold and name not in one.predicted for one in stats)
    return Counts(tp, fp, fn)


@dataclass(frozen=True, slots=True)
class DetectionOptions:
    """`by_type` (any level) adds the scores of each class."""

    by_type: str | None = None


class Detection(_Classification):
    """Is the sentence erroneous? Two classes, macro-averaged.

    Gold labels decide, or else whether any reference changes the sentence; predicted labels, or else whether the
    hypothesis changes it.
    """

    name = "detection"
    is_cuttable = True
    Options = DetectionOptions
    options: DetectionOptions

    def compared(self, items: Sequence[Item]) -> str:
        return describe_gold(items, _view_verdict)

    def stats(self, items: Sequence[Item]) -> list[Judgement]:
        """The class of each sentence and the class it was given."""
        return [Judgement(_flag(is_erroneous(item)), _flag(_is_flagged(item))) for item in items]


def _view_verdict(item: Item) -> GoldView:
    """Whether the sentence is erroneous, and whether labels or references say so."""
    if item.labels is not None:
        return GoldView(frozenset({LABELS}), is_erroneous(item), 1)
    n_references = sum(map(is_usable, item.references)) if item.references else 1
    return GoldView(frozenset({REFERENCES}), is_erroneous(item), n_references)


def _flag(erroneous: bool) -> frozenset[str]:
    return frozenset({ERRONEOUS if erroneous else CORRECT})


def is_erroneous(item: Item) -> bool:
    """Whether the gold says that something is wrong: its labels, or else any reference that changes the source."""
    if item.labels is not None:
        return bool(item.labels)
    return any(_changes(item, reference) for reference in item.references)


def _is_flagged(item: Item) -> bool:
    return bool(item.predicted_labels) if item.predicted_labels is not None else _changes(item, item.hypothesis)


def _changes(item: Item, side: str | Annotation) -> bool:
    """Whether a correction differs from the source, spaces aside."""
    if isinstance(side, Annotation):
        return bool(side.edits)
    return split_like(item.source, side) != split_like(item.source, source_text(item.source))


@dataclass(frozen=True, slots=True)
class IdentificationOptions:
    """`with_correct` makes "correct" (no error type) a class of its own; `by_type` adds the scores of each class."""

    with_correct: bool = False
    by_type: str | None = None


class Identification(_Classification):
    """Which error types does the sentence have? Several are possible; macro average over the types."""

    name = "identification"
    Options = IdentificationOptions
    options: IdentificationOptions

    @property
    def signature(self) -> str:
        return make_signature(self.name, "macro-F1", correct="class" if self.options.with_correct else "no-class")

    def compared(self, items: Sequence[Item]) -> str:
        return describe_gold(items, _view_labels)

    def stats(self, items: Sequence[Item]) -> list[Judgement]:
        """The types of each sentence and those predicted."""
        return [self._judge(item, number) for number, item in enumerate(items, 1)]

    def _judge(self, item: Item, number: int) -> Judgement:
        if item.labels is None:
            raise DataError(f"sentence {number} has no error types; identification needs gold with labels (FCGEC)")
        if item.predicted_labels is None:
            raise DataError(f"sentence {number} has no predicted error types; give a label file or FCGEC predictions")
        return Judgement(self._classes(item.labels), self._classes(item.predicted_labels))

    def _classes(self, labels: Sequence[str]) -> frozenset[str]:
        return frozenset(labels) or frozenset({CORRECT} if self.options.with_correct else ())


def _view_labels(item: Item) -> GoldView:
    return GoldView(frozenset({LABELS}), sorted(item.labels or ()), 1)
