"""CLEME (Ye et al. 2023): an F score over chunks, whose borders are the same for the hypothesis and all references.

Numbers are those of the released code (github.com/THUKElab/CLEME at 5fc7617, the release of the paper). Its later
release computes the same corpus scores; see docs/metrics/cleme.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from errata.metrics.chunk_metric import HIT, KEPT, OVER, UNDER, WRONG, ChunkMetric, ChunkOptions, Curve, Curves
from errata.metrics.chunks import ChunkedSentence
from errata.metrics.edit_counts import check_beta, f_scores, round_scores
from errata.metrics.signature import make_signature
from errata.model import Score

# The weights of the release, chosen by its authors on CoNLL-2014 for each way of adding up.
CORPUS = Curves(Curve(2, 0.75, 1.25), Curve(2, 0.75, 1.25, is_falling=True), Curve(2, 0.75, 1.25))
SENTENCE = {
    "dependent": Curves(Curve(10, 1, 10), Curve(10, 0.25, 1, is_falling=True), Curve(10, 1, 1)),
    "independent": Curves(Curve(10, 2.5, 10), Curve(10, 0.25, 1, is_falling=True), Curve(10, 1, 1)),
}


@dataclass(frozen=True, slots=True)
class ClemeOptions(ChunkOptions):
    """The beta of F, on top of `ChunkOptions`."""

    beta: float = 0.5

    def __post_init__(self) -> None:
        ChunkOptions.__post_init__(self)
        check_beta(self.beta)


class Cleme(ChunkMetric[ClemeOptions]):
    """F-beta over chunks."""

    name = "cleme"
    Options = ClemeOptions

    @property
    def signature(self) -> str:
        options = self.options
        return make_signature(
            self.name,
            f"F{options.beta:g}",
            assumption=options.assumption,
            weights=options.weights,
            average=options.average,
        )

    @property
    def curves(self) -> Curves:
        return CORPUS if self.options.average == "corpus" else SENTENCE[self.options.assumption]

    def score_sums(self, sums: np.ndarray) -> np.ndarray:
        return f_scores(_as_counts(sums), self.options.beta)

    def rank(self, sums: np.ndarray, own: np.ndarray) -> list[np.ndarray]:
        """The release compares F rounded to four places, then true positives and so on of the sentence alone."""
        f = round_scores(f_scores(_as_counts(sums), self.options.beta))
        counts = _as_counts(own)
        return [f, counts[..., 0], -counts[..., 1], -counts[..., 2], own[..., KEPT]]

    def aggregate(self, stats: Sequence[ChunkedSentence]) -> Score:
        """The corpus score; `parts` has precision, recall, accuracy and the weighted numbers of chunks."""
        sums = self.totals(stats, np.arange(len(stats))[None])[0]
        tp, fp, fn = (float(one) for one in _as_counts(sums))
        total = float(sums.sum())
        value = self.corpus_value(stats, sums)
        parts = {
            "precision": tp / (tp + fp) if fp else 1.0,
            "recall": tp / (tp + fn) if fn else 1.0,
            f"f{self.options.beta:g}": value,
            "accuracy": (tp + float(sums[KEPT])) / total if total else 1.0,
            "tp": tp,
            "fp": fp,
            "fn": fn,
        }
        return Score(self.name, value, parts, self.signature)


def _as_counts(sums: np.ndarray) -> np.ndarray:
    """True positives, false positives and false negatives (…, 3) of sums of verdicts (…, 5)."""
    return np.stack([sums[..., HIT], sums[..., WRONG] + sums[..., OVER], sums[..., UNDER]], axis=-1)
