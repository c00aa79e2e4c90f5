"""What metrics around trained judges share: which model is asked, what is given to it, what the signature says."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from errata.errors import UsageError
from errata.judges.models import digest_model, find_judge
from errata.metrics.base import Item, Metric
from errata.metrics.compared import describe_sources
from errata.metrics.signature import make_signature
from errata.metrics.texts import side_text, split_like
from errata.model import Tokens
from errata.systems.base import load_system

S = TypeVar("S")
J = TypeVar("J")


class JudgeMetric(Metric[S], Generic[S, J]):
    """A metric whose name is that of a kind of judge `J`; options have `model`, `language` and `device`.

    The score of a corpus is the mean of its sentences'.
    """

    needs_references = False

    def __init__(self, options: Any = None) -> None:
        super().__init__(options)
        self.language = self.options.language

    @property
    def judge(self) -> J:
        """The judge, loaded once for all metrics that ask it."""
        judge: J = self._opened
        return judge

    @property
    def _opened(self) -> Any:
        judge = _load(self._folder, self.options.device)
        if judge.language != self.options.language:
            raise UsageError(f"{self._folder} judges {judge.language}, not {self.options.language}: name another model")
        return judge

    @property
    def _folder(self) -> Path:
        return find_judge(self.name, self.options.model, self.options.language)

    @property
    def signature(self) -> str:
        folder, arithmetic = self._folder, self._opened.arithmetic
        decisive = {"model": folder.name, "weights": digest_model(folder), "arithmetic": arithmetic}
        return make_signature(self.name, **decisive, **self.told_options())

    def told_options(self) -> dict[str, Any]:
        """What else the signature says."""
        return {}

    def setting_for(self, language: str) -> tuple[str, str]:
        return "language", language

    def compared(self, items: Sequence[Item]) -> str:
        return describe_sources(items)

    def resample(self, stats: Sequence[S], indices: np.ndarray) -> np.ndarray:
        means: np.ndarray = self.sentence_scores(stats)[indices].mean(axis=1)
        return means


def list_sides(items: Sequence[Item]) -> tuple[list[Tokens], list[Tokens]]:
    """The tokens of all sources, and of all hypotheses."""
    texts = ((item.source, side_text(item.source, item.hypothesis)) for item in items)
    return [item.source.tokens for item in items], [split_like(source, text) for source, text in texts]


@cache
def _load(folder: Path, device: str) -> Any:
    return load_system(folder, device=device)
