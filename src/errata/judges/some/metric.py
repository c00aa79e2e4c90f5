"""SOME as a metric (Yoshimura et al. 2020): grammaticality, fluency and meaning as people would rate them.

The score of a sentence is the weighted mean of the three ratings, each 0 to 1, with the weights that the paper found
best: 0.55, 0.43 and 0.02. The score of a corpus is the mean over its sentences. No references are needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from errata.errors import UsageError
from errata.judges.judge_metric import JudgeMetric, list_sides
from errata.judges.ratings import ASPECTS
from errata.judges.some.judge import SomeJudge
from errata.metrics.base import Item
from errata.model import Score

Ratings = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class SomeOptions:
    """`model` is an installed judge or a folder (`./mine`) for the `language`; without it, errata's own.

    The weights are of grammaticality, fluency and meaning.
    """

    model: str | None = None
    language: str = "en"
    grammaticality: float = 0.55
    fluency: float = 0.43
    meaning: float = 0.02
    device: str = "cpu"

    def __post_init__(self) -> None:
        if min(self.weights) < 0 or sum(self.weights) <= 0:
            raise UsageError("the weights of SOME are 0 or more, and not all 0")

    @property
    def weights(self) -> Ratings:
        return self.grammaticality, self.fluency, self.meaning


class Some(JudgeMetric[Ratings, SomeJudge]):
    """The weighted mean of the ratings of a corpus."""

    name = "some"
    Options = SomeOptions
    options: SomeOptions

    def told_options(self) -> dict[str, Any]:
        return {"ratings": self.options.weights}

    def stats(self, items: Sequence[Item]) -> list[Ratings]:
        """The ratings of each hypothesis."""
        return list(map(tuple, self.judge.judge(*list_sides(items)).tolist()))

    def aggregate(self, stats: Sequence[Ratings]) -> Score:
        rated = np.array(stats, float).reshape(-1, len(ASPECTS))
        means = rated.mean(0) if len(rated) else np.zeros(len(ASPECTS))
        value = float(self._weigh(means))
        parts = {self.name: value, **dict(zip(ASPECTS, means.tolist(), strict=True))}
        return Score(self.name, value, parts, self.signature)

    def sentence_scores(self, stats: Sequence[Ratings]) -> np.ndarray:
        return self._weigh(np.array(stats, float).reshape(-1, len(ASPECTS)))

    def _weigh(self, rated: np.ndarray) -> np.ndarray:
        weights = np.array(self.options.weights)
        weighed: np.ndarray = rated @ weights / weights.sum()
        return weighed
