"""The scale of IMPARA's scores: training decides which of two is higher, and not by how much.

Without a scale σ(R) of nearly every sentence is 0 or 1, and the mean over a corpus counts sentences instead of weighing
them. So R is multiplied once, by what it says of pairs that were held out: σ of a difference becomes the probability
that the order is right.
"""

from __future__ import annotations

import numpy as np

# Newton's method is done after five or six steps.
MAX_STEPS = 50


def fit_scale(better: np.ndarray, worse: np.ndarray) -> float:
    """The factor for scores under which the orders of held-out pairs are most likely; 1 if they say nothing.

    As in Platt's scaling one pair more is counted as right and one as wrong, so the factor is finite for a judge that
    makes no mistake.
    """
    gaps = better - worse
    spread = float(np.sqrt(np.mean(gaps**2))) if len(gaps) else 0.0
    factor = _most_likely(gaps / spread) / spread if spread else 0.0
    return factor if factor > 0 else 1.0  # no better than chance: nothing to go by


def _most_likely(gaps: np.ndarray) -> float:
    """The slope of a logistic regression without a constant, whose outcome is always 1 but for the two added pairs."""
    right = (len(gaps) + 1) / (len(gaps) + 2)
    factor = 0.0
    for _ in range(MAX_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(factor * gaps, -50, 50)))
        step = float(((right - chance) * gaps).sum() / max(float((chance * (1 - chance) * gaps**2).sum()), 1e-9))
        factor += float(np.clip(step, -2, 2))
        if abs(step) < 1e-9:
            break
    return factor
