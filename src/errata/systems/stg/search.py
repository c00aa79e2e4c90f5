"""Constrained beam search: the most probable order of the tokens in which each comes exactly once."""

from __future__ import annotations

import numpy as np

FORBIDDEN = -1e9


def find_order(scores: np.ndarray, beam: int) -> tuple[int, ...]:
    """The order of tokens 0 … n − 1 under `scores` (slots, slots), log-probabilities of one slot following another.

    Slot 0 is the start, and the end for whoever points to it; token i is slot i + 1. Where the best follower of each
    slot makes an order, that is the best order there is; otherwise the beam keeps the best `beam` beginnings.
    """
    slots = len(scores)
    greedy = _walk(scores.argmax(1))
    if len(greedy) == slots - 1:
        return greedy
    totals = np.zeros(1)
    last = np.zeros(1, np.int64)
    used = np.zeros((1, slots), bool)
    used[:, 0] = True
    orders = np.zeros((1, 0), np.int64)
    for _ in range(slots - 1):
        candidates = np.where(used, FORBIDDEN, totals[:, None] + scores[last])  # (beginnings, slots)
        flat = candidates.ravel()
        best = np.argsort(-flat, kind="stable")[:beam]
        best = best[flat[best] > FORBIDDEN / 2]
        parents, last = best // slots, best % slots
        totals, orders = flat[best], np.hstack([orders[parents], last[:, None]])
        used = used[parents]
        used[np.arange(len(best)), last] = True
    winner = int(np.argmax(totals + scores[last, 0]))
    return tuple((orders[winner] - 1).tolist())


def order_score(scores: np.ndarray, order: tuple[int, ...]) -> float:
    """The log-probability of an order."""
    slots = np.array([0, *(index + 1 for index in order), 0])
    return float(scores[slots[:-1], slots[1:]].sum())


def _walk(following: np.ndarray) -> tuple[int, ...]:
    """The tokens met from the start on before the end or a slot seen already."""
    order: list[int] = []
    seen = {0}
    slot = int(following[0])
    while slot not in seen:
        seen.add(slot)
        order.append(slot - 1)
        slot = int(following[slot])
    return tuple(order) if slot == 0 else ()
