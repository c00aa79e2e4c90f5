"""Metrics: `score(items, "errant")`, or `get_metric("errant", beta=1.0)` for the per-sentence statistics.

>>> from errata.metrics import Item, score
>>> from errata.model import Annotation, Edit, Sentence
>>> edits = Annotation(edits=(Edit(1, 2, ("goes",), "R:VERB:SVA"),))
>>> score([Item(Sentence(("He", "go", ".")), edits, (edits,))], "errant").value
1.0
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from errata.model import Score
from errata.registry import lazy_members

if TYPE_CHECKING:
    from errata.metrics.base import METRICS, Item, Metric, get_metric

__all__ = ["METRICS", "Item", "Metric", "get_metric", "score"]

# `metrics.base` needs numpy; whoever imports a light module of this package should not wait for it.
__getattr__ = lazy_members(__name__, dict.fromkeys(("METRICS", "Item", "Metric", "get_metric"), "errata.metrics.base"))


def score(items: Sequence[Item], metric: str | Metric[Any], **options: Any) -> Score:
    """The corpus score of items under a metric, named (with its options) or made beforehand."""
    from errata.metrics.base import get_metric
    from errata.metrics.compared import sign_score

    judge = get_metric(metric, **options) if isinstance(metric, str) else metric
    return sign_score(judge.aggregate(judge.stats(items)), judge, items)
