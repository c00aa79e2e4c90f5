"""IMPARA as a metric (Maeda et al. 2022): no references, a score between 0 and 1 for each sentence.

    score(S, O) = σ(R(O)) if sim(S, O) > θ, else 0

R is a network that learnt to rank corrections of parallel data by the impact of their edits; sim is the cosine of the
mean states of an encoder that was not trained. The score of a corpus is the mean of its sentences'.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from errata.errors import UsageError
from errata.judges.impara.judge import ImparaJudge, Verdict
from errata.judges.models import digest_model, find_judge
from errata.metrics.base import Item, Metric
from errata.metrics.compared import describe_sources
from errata.metrics.signature import make_signature
from errata.metrics.texts import side_text, split_like
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


class Impara(Metric[Verdict]):
    """The mean score of a corpus."""

    name = "impara"
    Options = ImparaOptions
    options: ImparaOptions
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
            threshold=self._threshold,
        )

    @property
    def _threshold(self) -> float:
        own = self._open()[1].threshold
        return own if self.options.threshold is None else self.options.threshold

    def _open(self) -> tuple[Path, ImparaJudge]:
        folder = find_judge("impara", self.options.model, self.options.language)
        return folder, _load(folder, self.options.device)

    def setting_for(self, language: str) -> tuple[str, str]:
        return "language", language

    def compared(self, items: Sequence[Item]) -> str:
        return describe_sources(items)

    def stats(self, items: Sequence[Item]) -> list[Verdict]:
        """The score by itself and the similarity of each hypothesis."""
        sources = [item.source.tokens for item in items]
        hypotheses = [split_like(item.source, side_text(item.source, item.hypothesis)) for item in items]
        return self._open()[1].judge(sources, hypotheses)

    def aggregate(self, stats: Sequence[Verdict]) -> Score:
        scores = self.sentence_scores(stats)
        corrections, similarities = np.array(stats, float).reshape(-1, 2).T
        parts = {
            "correction": float(corrections.mean()) if len(scores) else 0.0,
            "similarity": float(similarities.mean()) if len(scores) else 0.0,
            "unlike": int((similarities <= self._threshold).sum()),
        }
        return Score(self.name, float(scores.mean()) if len(scores) else 0.0, parts, self.signature)

    def resample(self, stats: Sequence[Verdict], indices: np.ndarray) -> np.ndarray:
        means: np.ndarray = self.sentence_scores(stats)[indices].mean(axis=1)
        return means

    def sentence_scores(self, stats: Sequence[Verdict]) -> np.ndarray:
        corrections, similarities = np.array(stats, float).reshape(-1, 2).T
        scores: np.ndarray = np.where(similarities > self._threshold, corrections, 0.0)
        return scores


@cache
def _load(folder: Path, device: str) -> ImparaJudge:
    return ImparaJudge.load(folder, device=device)
