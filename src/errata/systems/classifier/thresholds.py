"""The probability from which a sentence has a label, chosen on dev."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

CANDIDATES = tuple(round(0.05 * step, 2) for step in range(1, 20))
DEFAULT = 0.5


def choose_thresholds(probabilities: np.ndarray, gold: np.ndarray, *, both_classes: bool) -> list[float]:
    """For each label the candidate with the best F1 on dev; of equally good ones the one nearest to `DEFAULT`.

    Both arrays are (sentences, labels). `both_classes` also counts sentences without the label as a class, as the
    detection metric does. A label that dev does not have keeps `DEFAULT`.
    """
    chosen = []
    for label in range(gold.shape[1]):
        wanted = gold[:, label].astype(bool)
        if not wanted.any():
            chosen.append(DEFAULT)
            continue
        scored = [
            (_f1(probabilities[:, label] >= limit, wanted, both_classes), -abs(limit - DEFAULT), limit)
            for limit in CANDIDATES
        ]
        chosen.append(max(scored)[2])
    return chosen


def _f1(found: np.ndarray, wanted: np.ndarray, both_classes: bool) -> float:
    sides: Sequence[tuple[np.ndarray, np.ndarray]] = [(found, wanted)]
    if both_classes:
        sides = [*sides, (~found, ~wanted)]
    return float(np.mean([2 * (a & b).sum() / max(1, a.sum() + b.sum()) for a, b in sides]))
