"""Finding out what a model's confidences mean: logistic regression on edits known to be right or wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from errata.pipeline.presets import Calibration, log_odds, widened
from errata.stats.logistic import fit_logistic

# A kind with fewer edits is calibrated with the others of its type, and that with the others of its operation. The sum
# of F0.5 over zh-small's four development sets is 1.0 higher with 20 than with 30, where writers are told apart.
MIN_EDITS = 20
# How strongly offsets of kinds are drawn to 0, and the slope to 1 (in edits): small sets keep close to the network.
PRIOR = 2.0
BINS = 10


@dataclass(frozen=True, slots=True)
class JudgedEdit:
    """An edit's confidence as the network gives it, its kind (`edit_kind`), whether it was right, and its sentence's
    fluency (None where nothing tells it)."""

    confidence: float
    kind: str
    is_right: bool
    fluency: float | None = None


def fit_calibration(edits: Sequence[JudgedEdit]) -> Calibration:
    """The calibration under which the edits are most likely, given that it should not be far from none.

    Where their fluency is known, one for learners with one for fluent writers: each edit counts for both, by its share.
    """
    if not edits:
        return Calibration()
    learners = np.array([1.0 - (edit.fluency or 0.0) for edit in edits])
    shares = [learners] if any(edit.fluency is None for edit in edits) else [learners, 1 - learners]
    parts = [_Part.of(edits, share) for share in shares]
    inputs = np.hstack([part.inputs for part in parts])
    expected, precision = np.zeros(inputs.shape[1]), np.full(inputs.shape[1], PRIOR)
    firsts = np.cumsum([0, *(part.inputs.shape[1] for part in parts)])[:-1]
    expected[firsts], precision[firsts + 1] = 1.0, 1e-6  # slopes of 1; any offsets
    is_right = np.array([edit.is_right for edit in edits], float)
    weights = np.split(fit_logistic(inputs, is_right, precision, expected), firsts[1:])
    calibration, *fluent = [part.calibration(own.tolist()) for part, own in zip(parts, weights, strict=True)]
    return replace(calibration, fluent=fluent[0]) if fluent else calibration


@dataclass(frozen=True, slots=True)
class _Part:
    """What the calibration for one kind of writers is fitted on: the groups of edits it has offsets for, and
    (edits, features): log-odds, 1, one column for each group, all by the share of such writers."""

    names: tuple[str, ...]
    inputs: np.ndarray

    @classmethod
    def of(cls, edits: Sequence[JudgedEdit], share: np.ndarray) -> _Part:
        counts: Counter[str] = Counter()
        for edit, weight in zip(edits, share.tolist(), strict=True):
            for wider in widened(edit.kind):
                counts[wider] += weight
        groups = [_group(edit.kind, counts) for edit in edits]
        names = sorted(set(groups))
        place = {name: 2 + number for number, name in enumerate(names)}
        inputs = np.zeros((len(edits), 2 + len(names)))
        for row, (edit, group) in enumerate(zip(edits, groups, strict=True)):
            inputs[row, [0, 1, place[group]]] = log_odds(edit.confidence), 1.0, 1.0
        return cls(tuple(names), inputs * share[:, None])

    def calibration(self, weights: Sequence[float]) -> Calibration:
        slope, offset, *shifts = weights
        return Calibration(
            slope=round(slope, 4),
            offset=round(offset, 4),
            types={name: round(shift, 4) for name, shift in zip(self.names, shifts, strict=True)},
        )


def _group(kind: str, counts: Counter[str]) -> str:
    """The narrowest kind with enough edits, or the widest."""
    *narrow, widest = widened(kind)
    return next((one for one in narrow if counts[one] >= MIN_EDITS), widest)


def calibration_error(edits: Sequence[JudgedEdit], calibration: Calibration | None = None) -> float:
    """The expected calibration error: how far confidence and the share of right edits are apart, in ten bins."""
    if not edits:
        return 0.0
    told = np.array(
        [calibration(e.confidence, e.kind, e.fluency or 0.0) if calibration else e.confidence for e in edits]
    )
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
