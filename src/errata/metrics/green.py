"""GREEN (Koyama et al. 2024): an F score over n-grams that are inserted, deleted and kept.

`variant="gec-metrics"` has the numbers of gec-metrics 0.1.1 (`GREEN`), `variant="official"` those of the authors' own
program (github.com/shotakoyama/green). They differ in sentences that are too short for an n-gram: the first finds
nothing wrong there, the second has no recall. So they choose other references for such sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from errata.errors import UnknownName, UsageError
from errata.metrics.base import Item, Metric
from errata.metrics.edit_counts import check_beta, sentence_weights
from errata.metrics.ngrams import Overlaps, count_overlaps
from errata.metrics.signature import make_signature
from errata.metrics.texts import MAX_ORDER, check_level, item_tokens
from errata.model import Score

VARIANTS = ("gec-metrics", "official")

SentenceStats = tuple[int, ...]
"""True positives, false positives and false negatives of each order; nothing where the sentence is not scored."""


@dataclass(frozen=True, slots=True)
class GreenOptions:
    """`order` is the longest n-gram; `level` is "word" or "char", without it texts are split like the source."""

    beta: float = 2.0
    order: int = 4
    level: str | None = None
    variant: str = "gec-metrics"

    def __post_init__(self) -> None:
        check_beta(self.beta)
        if self.variant not in VARIANTS:
            raise UnknownName("variant of GREEN", self.variant, VARIANTS)
        check_level(self.level)
        if not 1 <= self.order <= MAX_ORDER:
            raise UsageError(f"order of GREEN is between 1 and {MAX_ORDER}, not {self.order}")


class Green(Metric[SentenceStats]):
    """F-beta of the geometric means of n-gram precision and recall; each sentence against its best reference."""

    name = "green"
    is_cuttable = True
    Options = GreenOptions
    options: GreenOptions

    @property
    def signature(self) -> str:
        options = self.options
        return make_signature(
            self.name, f"F{options.beta:g}", order=options.order, tok=options.level or "source", variant=options.variant
        )

    def stats(self, items: Sequence[Item]) -> list[SentenceStats]:
        """For each sentence the counts against the reference under which it scores best."""
        split = [item_tokens(item, self.options.level) for item in items]
        triples = [(source, hypothesis, one) for source, hypothesis, references in split for one in references]
        counts = count_corrections(count_overlaps(triples, self.options.order))
        # The program compares F of all orders, then of all but the longest and so on; gec-metrics only the first.
        scores = self._parts(counts)[2][:, ::-1].tolist()
        if self.options.variant == "gec-metrics":
            scores = [row[:1] for row in scores]
        chosen: list[SentenceStats] = []
        start = 0
        for _, _, references in split:
            end = start + len(references)
            best = max(range(start, end), key=scores.__getitem__) if references else None  # the first of equals
            chosen.append(() if best is None else tuple(counts[best].ravel().tolist()))
            start = end
        return chosen

    def _parts(self, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return green_parts(counts, self.options.beta, 1.0 if self.options.variant == "gec-metrics" else 0.0)

    def aggregate(self, stats: Sequence[SentenceStats]) -> Score:
        """The corpus score; `parts` has the geometric means of precision and recall."""
        precision, recall, f = (part[-1] for part in self._parts(self._table(stats).sum(axis=0)))
        parts = {"precision": float(precision), "recall": float(recall), f"f{self.options.beta:g}": float(f)}
        return Score(self.name, float(f), parts, self.signature)

    def resample(self, stats: Sequence[SentenceStats], indices: np.ndarray) -> np.ndarray:
        """The corpus score of each row of sentence indices."""
        table = self._table(stats)
        totals = np.rint(sentence_weights(indices, len(stats)) @ table.reshape(len(stats), -1))
        return self._parts(totals.reshape(len(indices), *table.shape[1:]))[2][:, -1]

    def _table(self, stats: Sequence[SentenceStats]) -> np.ndarray:
        """Counts (sentences, orders, 3); zeros for a sentence that is not scored."""
        empty = (0,) * (3 * self.options.order)
        return np.array([one or empty for one in stats], dtype=np.int64).reshape(len(stats), self.options.order, 3)


def count_corrections(overlaps: Overlaps) -> np.ndarray:
    """True positives, false positives and false negatives of each triple and order, (triples, orders, 3).

    The paper counts seven regions of a Venn diagram of the three multisets. A multiset without what it shares with
    others is a difference of sizes, so the sums over regions become sums of sizes:
    true positives (keep, insert, delete) = common + (shared − common) + (source − kept − wanted + common).
    """
    true_positives = overlaps.source - overlaps.kept - overlaps.wanted + overlaps.shared + overlaps.common
    false_positives = overlaps.hypothesis - overlaps.kept + overlaps.wanted - overlaps.shared
    false_negatives = overlaps.reference - overlaps.wanted + overlaps.kept - overlaps.shared
    counts: np.ndarray = np.stack([true_positives, false_positives, false_negatives], axis=-1).astype(np.int64)
    return counts


def green_parts(counts: np.ndarray, beta: float, empty_recall: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Precision, recall and F of counts (…, orders, 3), each (…, orders): of the shortest n-grams up to each order.

    Precision and recall are geometric means over the orders. `empty_recall` is that of an order without any n-grams.
    """
    tp, fp, fn = (counts[..., place].astype(float) for place in range(3))
    orders = np.arange(1, counts.shape[-2] + 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        precisions = np.where(fp > 0, tp / (tp + fp), 1.0)
        recalls = np.where(fn > 0, tp / (tp + fn), np.where(tp > 0, 1.0, empty_recall))
        precision, recall = (np.exp(np.log(one).cumsum(axis=-1) / orders) for one in (precisions, recalls))
        weight = beta * beta
        f = (1 + weight) * precision * recall / (weight * precision + recall)
    return precision, recall, np.where(precision + recall > 0, f, 0.0)
