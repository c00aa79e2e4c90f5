"""What a metric is: per-sentence statistics, a pure aggregate, and a signature.

Sentence scores, corpus scores, intervals, paired tests and type tables all read the same `stats`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np

from errata.model import Annotation, Score, Sentence

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Item:
    """One sentence to judge.

    A hypothesis or reference is a corrected text, or an `Annotation` where edits are already known (an M2 file).
    Texts are tokenised the way the source is: tokens separated by spaces for words, plain text for characters.
    `labels` and `predicted_labels` are sentence-level error types for classification metrics (empty: correct).
    """

    source: Sentence
    hypothesis: str | Annotation
    references: tuple[str | Annotation, ...] = ()
    labels: tuple[str, ...] | None = None
    predicted_labels: tuple[str, ...] | None = None


class Metric(Protocol[S]):
    """One metric with its options fixed.

    `Options` is a frozen dataclass; the `signature` is made from it. `needs` says which `Item` fields must be there.
    """

    name: ClassVar[str]
    needs: ClassVar[frozenset[str]]
    Options: ClassVar[type]

    @property
    def signature(self) -> str: ...

    def compared(self, items: Sequence[Item]) -> str:
        """What the score of the items depends on besides the options, for its signature (`metrics.compared`)."""
        ...

    def stats(self, items: Sequence[Item]) -> list[S]:
        """One entry per sentence; batched inside."""
        ...

    def aggregate(self, stats: Sequence[S]) -> Score:
        """The corpus score; pure."""
        ...

    def resample(self, stats: Sequence[S], indices: np.ndarray) -> np.ndarray:
        """`aggregate([stats[i] for i in row]).value` for each row of `indices` (resamples, sentences), fast."""
        ...


METRICS: dict[str, str] = {
    "errant": "errata.metrics.errant:Errant",
    "cherrant": "errata.metrics.cherrant:Cherrant",
    "maxmatch": "errata.metrics.maxmatch:MaxMatch",
    "gleu": "errata.metrics.gleu:Gleu",
    "exact-match": "errata.metrics.exact_match:ExactMatch",
    "detection": "errata.metrics.classification:Detection",
    "identification": "errata.metrics.classification:Identification",
}


def get_metric(name: str, **options: Any) -> Metric[Any]:
    """The metric registered as `name`: `get_metric("errant", beta=1.0)`."""
    from errata.registry import lookup

    kind: Any = lookup("metric", METRICS, name)
    metric: Metric[Any] = kind(kind.Options(**options))
    return metric
