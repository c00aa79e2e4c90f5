"""One hypothesis under one metric: corpus score, interval, groups and sentence scores from the same statistics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from errata.metrics.base import Item, Metric
from errata.metrics.compared import sign_score
from errata.model import Score
from errata.stats.resampling import DEFAULT_SEED, bootstrap_scores, find_interval

GroupScores = Mapping[str, Mapping[str, tuple[int, Score]]]
"""Grouping → group → how many sentences it has, and their score."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A score and what was asked for beside it."""

    hypothesis: str
    score: Score
    n_sentences: int
    groups: GroupScores = field(default_factory=dict)
    sentences: tuple[tuple[int, float], ...] | None = None  # number in the gold file, score
    warnings: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The JSON of `errata score`: fractions, null for what was not asked for."""
        score = self.score
        told: dict[str, Any] = {
            "metric": score.metric,
            "hypothesis": self.hypothesis,
            "value": score.value,
            "parts": dict(score.parts),
            "by_type": None if score.by_type is None else {name: dict(row) for name, row in score.by_type.items()},
            "interval": None if score.interval is None else list(score.interval),
            "signature": score.signature,
            "n_sentences": self.n_sentences,
            "warnings": list(self.warnings),
        }
        if self.groups:
            told["groups"] = {
                grouping: {
                    name: {"n_sentences": size, "value": one.value, "parts": dict(one.parts)}
                    for name, (size, one) in rows.items()
                }
                for grouping, rows in self.groups.items()
            }
        if self.sentences is not None:
            told["sentences"] = [{"sentence": number, "value": value} for number, value in self.sentences]
        return told


def evaluate(
    metric: Metric[Any],
    items: Sequence[Item],
    stats: Sequence[Any],
    hypothesis: str,
    *,
    n_resamples: int = 0,
    seed: int = DEFAULT_SEED,
    groups: Mapping[str, Mapping[str, Sequence[int]]] | None = None,
    numbers: Sequence[int] | None = None,
    context: str = "",
    warnings: Sequence[str] = (),
    resampled: np.ndarray | None = None,
) -> Evaluation:
    """The evaluation of a hypothesis from its per-sentence statistics, those of `items`.

    `groups` gives, for each grouping, the places of the sentences of each group; `numbers` asks for sentence scores and
    says what the sentences are called; `context` goes into the signature; `warnings` are kept with the score.
    `resampled` are the scores of the resamples, where they are known. Where the
    types of gold and hypothesis cannot be compared there are no scores by type, and a warning more.
    """
    score = sign_score(metric.aggregate(stats), metric, items, context)
    if (doubt := metric.type_doubt(items)) is not None:
        score, warnings = replace(score, by_type=None), (*warnings, doubt)
    if n_resamples:
        scores = bootstrap_scores(metric, stats, n_resamples, seed) if resampled is None else resampled
        interval = find_interval(scores, seed=seed)
        score = replace(
            score,
            interval=(interval.low, interval.high),
            signature=f"{score.signature}|bootstrap:{n_resamples}|seed:{seed}",
        )
    group_scores = {
        grouping: {name: (len(places), metric.aggregate([stats[i] for i in places])) for name, places in rows.items()}
        for grouping, rows in (groups or {}).items()
    }
    sentences = None if numbers is None else tuple(zip(numbers, sentence_scores(metric, stats).tolist(), strict=True))
    return Evaluation(hypothesis, score, len(stats), group_scores, sentences, tuple(warnings))


def sentence_scores(metric: Metric[Any], stats: Sequence[Any]) -> np.ndarray:
    """The score of each sentence by itself, as numbers of one type whatever sequence the metric answers with."""
    return np.asarray(metric.sentence_scores(stats), dtype=float)
