"""Finding out what a model's confidences mean: logistic regression on edits known to be right or wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from errata.pipeline.presets import Calibration, log_odds, widened

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
    slope, offset, *shifts = _newton(inputs, np.array([edit.is_right for edit in edits], float))
    return Calibration(
        slope=round(slope, 4),
        offset=round(offset, 4),
        types={name: round(shift, 4) for name, shift in zip(names, shifts, strict=True)},
    )


def _group(kind: str, counts: Counter[str]) -> str:
    """The narrowest kind with enough edits, or the widest."""
    *narrow, widest = widened(kind)
    return next((one for one in narrow if counts[one] >= MIN_EDITS), widest)


def _newton(inputs: np.ndarray, is_right: np.ndarray) -> list[float]:
    """The weights of a logistic regression with a Gaussian prior (none on the offset)."""
    expected = np.zeros(inputs.shape[1])
    expected[0] = 1.0
    prior = np.full(inputs.shape[1], PRIOR)
    prior[1] = 1e-6

    def cost(weights: np.ndarray) -> float:
        odds = inputs @ weights
        return float((np.logaddexp(0, odds) - is_right * odds).sum() + (prior * (weights - expected) ** 2).sum() / 2)

    weights = expected.copy()
    for _ in range(100):
        p = 1 / (1 + np.exp(-np.clip(inputs @ weights, -50, 50)))
        gradient = inputs.T @ (p - is_right) + prior * (weights - expected)
        curvature = (inputs.T * (p * (1 - p))) @ inputs + np.diag(prior)
        step = np.linalg.solve(curvature, gradient)
        before, size = cost(weights), 1.0
        while size > 1e-6 and cost(weights - size * step) > before:
            size /= 2
        weights -= size * step
        if np.abs(size * step).max() < 1e-9:
            break
    return [float(weight) for weight in weights]


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
