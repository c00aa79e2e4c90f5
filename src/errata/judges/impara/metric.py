"""IMPARA as a metric (Maeda et al. 2022): no references, a score between 0 and 1 for each sentence.

    score(S, O) = σ(R(O)) if sim(S, O) > θ, else 0

R is a network that learnt to rank corrections of parallel data by the impact of their edits; sim is the cosine of the
mean states of an encoder that was not trained. The score of a corpus is the mean of its sentences'.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from errata.errors import UsageError
from errata.judges.impara.judge import ImparaJudge, Verdict
from errata.judges.judge_metric import JudgeMetric, list_sides
from errata.metrics.base import Item
from errata.model import Score


@dataclass(frozen=True, slots=True)
class ImparaOptions:
    """`model` is an installed judge or a folder (`./mine`) for the `language`; without it, errata's own.

    `threshold` replaces the model's θ.
    """

    model: str | None = None
    language: str = "en"
    threshold: float | None = None
    device: str = "cpu"

    def __post_init__(self) -> None:
        if self.threshold is not None and not 0 <= self.threshold <= 1:
            raise UsageError(f"the threshold of IMPARA is between 0 and 1, not {self.threshold}")


class Impara(JudgeMetric[Verdict, ImparaJudge]):
    """The mean score of a corpus."""

    has_odds = True
    name = "impara"
    Options = ImparaOptions
    options: ImparaOptions

    @property
    def _threshold(self) -> float:
        return self.judge.threshold if self.options.threshold is None else self.options.threshold

    def told_options(self) -> dict[str, Any]:
        return {"threshold": self._threshold}

    def stats(self, items: Sequence[Item]) -> list[Verdict]:
        """The score by itself and the similarity of each hypothesis."""
        return self.judge.judge(*list_sides(items))

    def aggregate(self, stats: Sequence[Verdict]) -> Score:
        scores = self.sentence_scores(stats)
        corrections, similarities = np.array(stats, float).reshape(-1, 2).T
        value = float(scores.mean()) if len(scores) else 0.0
        parts = {
            self.name: value,
            "correction": float(corrections.mean()) if len(scores) else 0.0,
            "similarity": float(similarities.mean()) if len(scores) else 0.0,
            "unlike": int((similarities <= self._threshold).sum()),
        }
        return Score(self.name, value, parts, self.signature)

    def sentence_scores(self, stats: Sequence[Verdict]) -> np.ndarray:
        corrections, similarities = np.array(stats, float).reshape(-1, 2).T
        scores: np.ndarray = np.where(similarities > self._threshold, corrections, 0.0)
        return scores
