"""The effect of the number of references: the expected score when each sentence has at most N of them.

Bryant and Ng (2015) showed that scores rise with the number of references, so numbers from sets with different
numbers of references cannot be compared. `LimitedReferences` wraps any metric. Two ways of choosing:

- `first`: the first N references of each sentence.
- `sample`: the mean over subsets of size N. If all sentences have the same number of references and there are at most
  `MAX_SUBSETS` combinations, every combination is taken once, the same for all sentences (the mean is exact).
  Otherwise `MAX_SUBSETS` random draws, in each of which every sentence draws N of its own references (all of them, if
  it has no more); seeded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import comb
from random import Random
from typing import Any

import numpy as np

from errata.errors import UnknownName, UsageError
from errata.metrics.base import Item, Metric
from errata.metrics.items import reference_names
from errata.model import Score

MAX_SUBSETS = 50
CHOICES = ("sample", "first")


class LimitedReferences(Metric[tuple[Any, ...]]):
    """A metric computed with at most `max_refs` references; its per-sentence statistics are those of each subset."""

    def __init__(self, metric: Metric[Any], max_refs: int, choice: str = "sample", seed: int = 12345) -> None:
        if max_refs < 1:
            raise UsageError(f"the number of references must be at least 1, not {max_refs}")
        if choice not in CHOICES:
            raise UnknownName("choice of references", choice, CHOICES)
        super().__init__(metric.options)
        self.metric, self.max_refs, self.choice, self.seed = metric, max_refs, choice, seed
        self.name, self.language, self.m2_dialect = metric.name, metric.language, metric.m2_dialect
        self.reads_gold_edits, self.use_of_systems = metric.reads_gold_edits, metric.use_of_systems

    @property
    def signature(self) -> str:
        return f"{self.metric.signature}{self._suffix}"

    @property
    def _suffix(self) -> str:
        seed = f"|seed:{self.seed}" if self.choice == "sample" else ""
        return f"|max-refs:{self.max_refs}|choice:{self.choice}{seed}"

    @property
    def reads_raw_text(self) -> bool:
        return self.metric.reads_raw_text

    @property
    def needs_systems(self) -> bool:
        return self.metric.needs_systems

    @property
    def unlimited(self) -> Metric[Any]:
        return self.metric.unlimited

    def setting_for(self, language: str) -> tuple[str, str]:
        return self.metric.setting_for(language)

    def compared(self, items: Sequence[Item]) -> str:
        """What the metric says of all references."""
        return self.metric.compared(items)

    def type_doubt(self, items: Sequence[Item]) -> str | None:
        return self.metric.type_doubt(items)

    def prepare(self, items: Sequence[Item]) -> Sequence[Item]:
        return self.metric.prepare(items)

    def stats(self, items: Sequence[Item]) -> list[tuple[Any, ...]]:
        """For each sentence, the wrapped metric's statistics under each choice of references."""
        ready = self.prepare(items)  # texts are analysed once, not once per subset
        return list(zip(*(self.metric.stats(choice) for choice in self._choices(ready)), strict=True))

    def _choices(self, items: Sequence[Item]) -> Iterator[list[Item]]:
        names = [reference_names(item) for item in items]
        if self.choice == "first":
            yield [_keep(item, set(own[: self.max_refs])) for item, own in zip(items, names, strict=True)]
            return
        same = set(map(tuple, names))
        if len(same) == 1 and comb(len(names[0]), min(self.max_refs, len(names[0]))) <= MAX_SUBSETS:
            for kept in combinations(names[0], min(self.max_refs, len(names[0]))):
                yield [_keep(item, set(kept)) for item in items]
            return
        rng = Random(self.seed)
        for _ in range(MAX_SUBSETS):
            yield [
                _keep(item, set(rng.sample(own, min(self.max_refs, len(own)))))
                for item, own in zip(items, names, strict=True)
            ]

    def aggregate(self, stats: Sequence[tuple[Any, ...]]) -> Score:
        """The mean over the choices of references, of every part of the score."""
        scores = [self.metric.aggregate(column) for column in zip(*stats, strict=True)]
        if not scores:
            scores = [self.metric.aggregate([])]
        parts = {part: _mean([score.parts.get(part, 0.0) for score in scores]) for part in scores[0].parts}
        signature = f"{scores[0].signature}{self._suffix}"
        return Score(self.name, _mean([score.value for score in scores]), parts, signature, _mean_types(scores))

    def resample(self, stats: Sequence[tuple[Any, ...]], indices: np.ndarray) -> np.ndarray:
        """The mean over the choices of references, for each row of indices."""
        columns = zip(*stats, strict=True)
        means: np.ndarray = np.mean([self.metric.resample(column, indices) for column in columns], axis=0)
        return means

    def sentence_scores(self, stats: Sequence[tuple[Any, ...]]) -> np.ndarray:
        """The mean over the choices of references, in the metric's own way of scoring sentences."""
        columns = zip(*stats, strict=True)
        means: np.ndarray = np.mean([self.metric.sentence_scores(column) for column in columns], axis=0)
        return means


def limit_references(metric: Metric[Any], max_refs: int, choice: str = "sample", seed: int = 12345) -> Metric[Any]:
    """The metric with at most `max_refs` references per sentence."""
    return LimitedReferences(metric, max_refs, choice, seed)


def _keep(item: Item, names: set[str]) -> Item:
    own = reference_names(item, distinct=False)
    kept = tuple(one for one, name in zip(item.references, own, strict=True) if name in names)
    return replace(item, references=kept)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _mean_types(scores: Sequence[Score]) -> dict[str, dict[str, float]] | None:
    """The mean of each type's numbers over the choices in which the type occurs."""
    tables = [score.by_type for score in scores if score.by_type is not None]
    if not tables:
        return None
    names = sorted({name for table in tables for name in table})
    found = {name: [table[name] for table in tables if name in table] for name in names}
    return {name: {part: _mean([row[part] for row in rows]) for part in rows[0]} for name, rows in found.items()}
