"""How far annotators agree before anybody reviews them: on which sentences are wrong, and on the edits.

A sentence has one of three labels: it has errors, it has none, or it cannot be annotated.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from math import isnan
from typing import Any

from errata.metrics.base import Item
from errata.stats.agreement import cohen_kappa, krippendorff_alpha, mean_defined
from errata.web.workbench.figures.people import Edits
from errata.web.workbench.figures.record import (
    ANNOTATE,
    CORRECTED,
    ERROR_FREE,
    NOT_ANNOTATABLE,
    Record,
    Submission,
)
from errata.web.workbench.scorer import make_metric
from errata.web.workbench.texts import same

Answers = dict[str, dict[str, Submission]]
"""Item → person → what they submitted."""


def measure_agreement(record: Record, edits: Edits) -> dict[str, Any]:
    """Cohen's κ of each two annotators and their mean, Krippendorff's α, and F between annotators over edits."""
    answers = _collect(record)
    sources = {item.id: item.source for item in record.items}
    labels = {
        item_id: {user_id: label(one, sources[item_id]) for user_id, one in own.items()}
        for item_id, own in answers.items()
    }
    pairs = _measure_pairs(record, labels, _score_pairs(answers, edits))
    return {
        "n_items": sum(len(own) > 1 for own in labels.values()),
        "n_pairs": len(pairs),
        "kappa": _known(mean_defined(_or_nan(pair["kappa"]) for pair in pairs)),
        "alpha": _known(krippendorff_alpha([list(own.values()) for own in labels.values()])),
        "f0.5": _known(mean_defined(_or_nan(pair["f0.5"]) for pair in pairs)),
        "f1": _known(mean_defined(_or_nan(pair["f1"]) for pair in pairs)),
        "pairs": pairs,
    }


def label(submission: Submission, source: str) -> str:
    """What somebody thinks of a sentence as a whole."""
    if submission.status == NOT_ANNOTATABLE:
        return NOT_ANNOTATABLE
    return CORRECTED if any(same(target) != same(source) for target in submission.answers) else ERROR_FREE


def _collect(record: Record) -> Answers:
    """The annotations of each item, in the order of the items."""
    found: Answers = {item.id: {} for item in record.items}
    for one in record.latest(ANNOTATE):
        if one.status in (CORRECTED, ERROR_FREE, NOT_ANNOTATABLE):
            found[one.item_id][one.user_id] = one
    return {item_id: dict(sorted(own.items())) for item_id, own in found.items() if own}


def _measure_pairs(
    record: Record, labels: dict[str, dict[str, str]], scores: dict[tuple[str, str], dict[str, float]]
) -> list[dict[str, Any]]:
    """A row for each two people who annotated a sentence both."""
    sides: dict[tuple[str, str], tuple[list[str], list[str]]] = {}
    for own in labels.values():
        for first, second in combinations(own, 2):
            side = sides.setdefault((first, second), ([], []))
            side[0].append(own[first])
            side[1].append(own[second])
    rows = [
        {
            "names": sorted((record.names[first], record.names[second])),
            "n_items": len(side[0]),
            "agreed": sum(a == b for a, b in zip(*side, strict=True)) / len(side[0]),
            "kappa": _known(cohen_kappa(*side)),
            "f0.5": scores.get((first, second), {}).get("f0.5"),
            "f1": scores.get((first, second), {}).get("f1"),
        }
        for (first, second), side in sides.items()
    ]
    return sorted(rows, key=lambda row: row["names"])


def _score_pairs(answers: Answers, edits: Edits) -> dict[tuple[str, str], dict[str, float]]:
    """F of each two people's edits: the mean of the first against the second and the second against the first."""
    items: dict[tuple[str, str], list[Item]] = {}
    for item_id, own in answers.items():
        for pair, item in _compare(item_id, own, edits):
            items.setdefault(pair, []).append(item)
    metrics = {f"f{beta:g}": make_metric(edits.scorer.language, beta) for beta in (0.5, 1.0)}
    found: dict[tuple[str, str], dict[str, float]] = {}
    for first, second in (pair for pair in items if pair[0] < pair[1]):
        # The statistics are counts: they do not depend on β.
        stats = [metrics["f1"].stats(items[pair]) for pair in ((first, second), (second, first))]
        found[first, second] = {
            name: sum(metric.aggregate(one).value for one in stats) / 2 for name, metric in metrics.items()
        }
    return found


def _compare(item_id: str, own: dict[str, Submission], edits: Edits) -> Iterator[tuple[tuple[str, str], Item]]:
    readable = {user_id: one.answers for user_id, one in own.items() if one.answers and one.status != NOT_ANNOTATABLE}
    for first, second in permutations(readable, 2):
        for target in readable[first]:
            yield (first, second), edits.between(item_id, target, readable[second])


def _known(value: float) -> float | None:
    return None if isnan(value) else value


def _or_nan(value: float | None) -> float:
    return float("nan") if value is None else value
