"""Logistic regression with a Gaussian prior, by Newton's method."""

from __future__ import annotations

import numpy as np

MAX_STEPS = 100
# Steps smaller than this have arrived.
ENOUGH = 1e-9


def sigmoid(odds: np.ndarray) -> np.ndarray:
    """The probabilities of log-odds."""
    shares: np.ndarray = 1 / (1 + np.exp(-np.clip(odds, -500, 500)))
    return shares


def fit_logistic(
    inputs: np.ndarray, labels: np.ndarray, precision: np.ndarray | float, expected: np.ndarray | float = 0.0
) -> np.ndarray:
    """The weights of the columns of `inputs` (rows, columns) under which `labels` (rows,) are most likely.

    Weights are drawn to `expected`, the more strongly the larger `precision` is (the inverse variance of the prior).
    A step that makes things worse is halved, so that well separated data converge too.
    """
    n_columns = inputs.shape[1]
    prior, mean = np.broadcast_to(precision, n_columns), np.broadcast_to(expected, n_columns)

    def cost(weights: np.ndarray) -> float:
        odds = inputs @ weights
        return float((np.logaddexp(0, odds) - labels * odds).sum() + (prior * (weights - mean) ** 2).sum() / 2)

    weights = np.array(mean, float)
    for _ in range(MAX_STEPS):
        chance = sigmoid(inputs @ weights)
        gradient = inputs.T @ (chance - labels) + prior * (weights - mean)
        curvature = (inputs.T * (chance * (1 - chance))) @ inputs + np.diag(prior)
        step = np.linalg.solve(curvature, gradient)
        before, size = cost(weights), 1.0
        while size > 1e-6 and cost(weights - size * step) > before:
            size /= 2
        weights -= size * step
        if float(np.abs(size * step).max()) < ENOUGH:
            break
    return weights
