"""The edits by which two hypotheses differ, and which of them are right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from errata.edits.languages import LANGUAGES
from errata.metrics.base import Item, Metric, get_metric
from errata.metrics.edit_counts import Key
from errata.metrics.edit_metric import EditMetric
from errata.metrics.items import scored_references
from errata.model import Annotation, Edit, Sentence
from errata.text.tokens import is_char_level


@dataclass(frozen=True, slots=True)
class JudgedEdit:
    """An edit only one of two systems made; it is right if any reference has it."""

    edit: Edit
    is_right: bool

    def as_dict(self) -> dict[str, Any]:
        edit = self.edit
        return {
            "start": edit.start,
            "end": edit.end,
            "replacement": " ".join(edit.replacement),
            "type": edit.type,
            "right": self.is_right,
        }


@dataclass(frozen=True, slots=True)
class Difference:
    """A sentence two systems corrected differently: what only the first did, and what only the second did."""

    number: int
    source: Sentence
    first: tuple[JudgedEdit, ...]
    second: tuple[JudgedEdit, ...]

    @property
    def weight(self) -> int:
        """How much the sentence says about which system is better: right minus wrong edits, second minus first."""
        gain = [sum(1 if one.is_right else -1 for one in side) for side in (self.first, self.second)]
        return gain[1] - gain[0]

    def as_dict(self) -> dict[str, Any]:
        return {
            "sentence": self.number,
            "source": list(self.source.tokens),
            "first": [one.as_dict() for one in self.first],
            "second": [one.as_dict() for one in self.second],
        }


def find_edit_metric(metrics: Sequence[Metric[Any]], language: str | None, items: Sequence[Item]) -> EditMetric[Any]:
    """The metric whose edits are shown: the first that compares edits, else that of the language."""
    for metric in metrics:
        if isinstance(metric.unlimited, EditMetric):
            return metric.unlimited
    if language is None:
        language = "zh" if any(is_char_level(item.source.tokens) for item in items) else "en"
    found = get_metric(LANGUAGES[language].metric)
    assert isinstance(found, EditMetric)
    return found


def find_differences(metric: EditMetric[Any], first: Sequence[Item], second: Sequence[Item]) -> list[Difference]:
    """The sentences whose edits differ under the metric's mode, in order."""
    differences = []
    pairs = zip(metric.prepare(first), metric.prepare(second), strict=True)
    for number, (one, other) in enumerate(pairs, 1):
        wanted = {key for reference in scored_references(one) for key, _ in _keyed(metric, reference)}
        sides = [_keyed(metric, item.hypothesis) for item in (one, other)]
        only = [
            tuple(JudgedEdit(edit, key in wanted) for key, edit in side if key not in {key for key, _ in against})
            for side, against in (sides, sides[::-1])
        ]
        if any(only):
            differences.append(Difference(number, one.source, only[0], only[1]))
    return differences


def _keyed(metric: EditMetric[Any], annotation: str | Annotation) -> list[tuple[Key, Edit]]:
    """The counted edits with the first of their keys (several alignments may repeat an edit: once each)."""
    assert isinstance(annotation, Annotation)
    keyed = {next(iter(metric.key(edit))): edit for edit in metric.counted_edits(annotation)}
    return list(keyed.items())
