"""CLEME2.0 (Ye et al. 2024): what share of the errors is corrected, corrected wrongly or missed, and what is overdone.

Numbers are those of the released code (github.com/THUKElab/CLEME at e90abea) without weights of chunks, or with those
by length. Its weights by the similarity of sentences need a neural network and are not here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from errata.metrics.chunk_metric import HIT, KEPT, OVER, UNDER, WRONG, ChunkMetric, ChunkOptions, Curves
from errata.metrics.chunks import ChunkedSentence
from errata.metrics.cleme import CORPUS
from errata.metrics.signature import make_signature
from errata.model import Score

# What hit-, wrong-, under- and over-correction count for in the score; chosen by the authors of the release.
FACTORS = {"corpus": (0.45, 0.35, 0.15, 0.05), "sentence": (0.35, 0.25, 0.20, 0.20)}


@dataclass(frozen=True, slots=True)
class Cleme2Options(ChunkOptions):
    """As `ChunkOptions`, but chunks count alike unless they are to be weighed."""

    weights: str = "none"


class Cleme2(ChunkMetric[Cleme2Options]):
    """A weighted sum of four shares: the higher the better, though only the first is good."""

    name = "cleme2"
    Options = Cleme2Options

    @property
    def signature(self) -> str:
        options = self.options
        return make_signature(
            self.name, assumption=options.assumption, weights=options.weights, average=options.average
        )

    @property
    def curves(self) -> Curves:
        return CORPUS

    def score_sums(self, sums: np.ndarray) -> np.ndarray:
        hit, wrong, under, over = FACTORS[self.options.average]
        shares = find_shares(sums)
        rest = wrong * (1 - shares[..., WRONG]) + under * (1 - shares[..., UNDER]) + over * (1 - shares[..., OVER])
        scores: np.ndarray = hit * shares[..., HIT] + rest
        return scores

    def rank(self, sums: np.ndarray, own: np.ndarray) -> list[np.ndarray]:
        """The score so far, then true positives and so on of the sentence alone."""
        return [
            self.score_sums(sums),
            own[..., HIT],
            -(own[..., WRONG] + own[..., OVER]),
            -own[..., UNDER],
            own[..., KEPT],
        ]

    def aggregate(self, stats: Sequence[ChunkedSentence]) -> Score:
        """The corpus score; `parts` has the four shares of all chunks, and how many each verdict has."""
        sums = self.totals(stats, np.arange(len(stats))[None])[0]
        shares = find_shares(sums)
        value = self.corpus_value(stats, sums)
        verdicts = {"hit": HIT, "wrong": WRONG, "under": UNDER, "over": OVER}
        parts = {"cleme2": value} | {name: float(shares[place]) for name, place in verdicts.items()}
        numbers = {f"n_{name}": float(sums[place]) for name, place in verdicts.items()}
        return Score(self.name, value, parts | numbers, self.signature)


def find_shares(sums: np.ndarray) -> np.ndarray:
    """The share of each verdict (…, 4): of what the references correct, and for `over` of what the hypothesis does."""
    needed = sums[..., HIT] + sums[..., WRONG] + sums[..., UNDER]
    made = sums[..., HIT] + sums[..., WRONG] + sums[..., OVER]
    shares = np.zeros((*sums.shape[:-1], 4))
    for verdict, total in ((HIT, needed), (WRONG, needed), (UNDER, needed), (OVER, made)):
        np.divide(sums[..., verdict], total, out=shares[..., verdict], where=total > 0)
    return shares
