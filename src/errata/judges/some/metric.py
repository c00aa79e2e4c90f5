"""SOME as a metric (Yoshimura et al. 2020): grammaticality, fluency and meaning as people would rate them.

The score of a sentence is the weighted mean of the three ratings, each 0 to 1, with the weights that the paper found
best: 0.55, 0.43 and 0.02. The score of a corpus is the mean over its sentences. No references are needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from errata.errors import UsageError
from errata.judges.models import digest_model, find_judge
from errata.judges.some.judge import SomeJudge
from errata.judges.some.ratings import ASPECTS
from errata.metrics.base import Item, Metric
from errata.metrics.compared import describe_sources
from errata.metrics.signature import make_signature
from errata.metrics.texts import side_text, split_like
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


class Some(Metric[Ratings]):
    """The weighted mean of the ratings of a corpus."""

    name = "some"
    Options = SomeOptions
    options: SomeOptions
    needs_references = False

    def __init__(self, options: Any = None) -> None:
        super().__init__(options)
        self.language = self.options.language

    @property
    def signature(self) -> str:
        folder, judge = self._open()
        return make_signature(
            self.name,
            model=folder.name,
            weights=digest_model(folder),
            arithmetic=judge.arithmetic,
            ratings=self.options.weights,
        )

    def _open(self) -> tuple[Path, SomeJudge]:
        folder = find_judge("some", self.options.model, self.options.language)
        return folder, _load(folder, self.options.device)

    def setting_for(self, language: str) -> tuple[str, str]:
        return "language", language

    def compared(self, items: Sequence[Item]) -> str:
        return describe_sources(items)

    def stats(self, items: Sequence[Item]) -> list[Ratings]:
        """The ratings of each hypothesis."""
        sources = [item.source.tokens for item in items]
        hypotheses = [split_like(item.source, side_text(item.source, item.hypothesis)) for item in items]
        return list(map(tuple, self._open()[1].judge(sources, hypotheses).tolist()))

    def aggregate(self, stats: Sequence[Ratings]) -> Score:
        rated = np.array(stats, float).reshape(-1, len(ASPECTS))
        means = rated.mean(0) if len(rated) else np.zeros(len(ASPECTS))
        parts = dict(zip(ASPECTS, means.tolist(), strict=True))
        return Score(self.name, float(self._weigh(means)), parts, self.signature)

    def resample(self, stats: Sequence[Ratings], indices: np.ndarray) -> np.ndarray:
        means: np.ndarray = self.sentence_scores(stats)[indices].mean(axis=1)
        return means

    def sentence_scores(self, stats: Sequence[Ratings]) -> np.ndarray:
        return self._weigh(np.array(stats, float).reshape(-1, len(ASPECTS)))

    def _weigh(self, rated: np.ndarray) -> np.ndarray:
        weights = np.array(self.options.weights)
        weighed: np.ndarray = rated @ weights / weights.sum()
        return weighed


@cache
def _load(folder: Path, device: str) -> SomeJudge:
    return SomeJudge.load(folder, device=device)
