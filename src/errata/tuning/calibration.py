"""Finding out what a model's confidences mean: logistic regression on edits known to be right or wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from errata.pipeline.presets import Calibration, log_odds, widened
from errata.stats.logistic import fit_logistic

# A kind with fewer edits is calibrated with the others of its type, and that with the others of its operation.
MIN_EDITS = 30
# How strongly offsets of kinds are drawn to 0, and the slope to 1 (in edits): small sets keep close to the network.
PRIOR = 2.0
BINS = 10


@dataclass(frozen=True, slots=True)
class JudgedEdit:
    """An edit's confidence as the network gives it, its kind (`edit_kind`), and whether it was right."""

    confidence: float
    kind: str
    is_right: bool


def fit_calibration(edits: Sequence[JudgedEdit]) -> Calibration:
    """The calibration under which the edits are most likely, given that it should not be far from none."""
    if not edits:
        return Calibration()
    counts = Counter(wider for edit in edits for wider in widened(edit.kind))
    groups = [_group(edit.kind, counts) for edit in edits]
    names = sorted(set(groups))
    place = {name: 2 + number for number, name in enumerate(names)}
    inputs = np.zeros((len(edits), 2 + len(names)))  # (edits, features): log-odds, 1, one column for each group
    for row, (edit, group) in enumerate(zip(edits, groups, strict=True)):
        inputs[row, [0, 1, place[group]]] = log_odds(edit.confidence), 1.0, 1.0
    expected, precision = np.zeros(inputs.shape[1]), np.full(inputs.shape[1], PRIOR)
    expected[0], precision[1] = 1.0, 1e-6  # a slope of 1; any offset
    is_right = np.array([edit.is_right for edit in edits], float)
    slope, offset, *shifts = fit_logistic(inputs, is_right, precision, expected).tolist()
    return Calibration(
        slope=round(slope, 4),
        offset=round(offset, 4),
        types={name: round(shift, 4) for name, shift in zip(names, shifts, strict=True)},
    )


def _group(kind: str, counts: Counter[str]) -> str:
    """The narrowest kind with enough edits, or the widest."""
    *narrow, widest = widened(kind)
    return next((one for one in narrow if counts[one] >= MIN_EDITS), widest)


def calibration_error(edits: Sequence[JudgedEdit], calibration: Calibration | None = None) -> float:
    """The expected calibration error: how far confidence and the share of right edits are apart, in ten bins."""
    if not edits:
        return 0.0
    told = np.array([calibration(e.confidence, e.kind) if calibration else e.confidence for e in edits])
    is_right = np.array([edit.is_right for edit in edits], float)
    bins = np.minimum((told * BINS).astype(int), BINS - 1)
    gaps = [abs((told[bins == one] - is_right[bins == one]).sum()) for one in range(BINS)]
    return float(sum(gaps) / len(edits))


def held_out_error(halves: tuple[Sequence[JudgedEdit], Sequence[JudgedEdit]]) -> float:
    """The calibration error of each half under the calibration fitted on the other."""
    first, second = halves
    errors = calibration_error(first, fit_calibration(second)), calibration_error(second, fit_calibration(first))
    total = len(first) + len(second)
    return (errors[0] * len(first) + errors[1] * len(second)) / total if total else 0.0
