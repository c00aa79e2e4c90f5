"""Token alignment after ERRANT 3: a Damerau-Levenshtein distance whose substitutions know grammar.

Felice, Bryant and Briscoe (2016), "Automatic extraction of learner errors in ESL sentences using linguistically
enhanced alignments". This module is the obvious version; `_align_c.pyx` computes the same and is used when it is built.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from errata.edits.en.analysis import Analysis

OPEN_CLASS = frozenset({"ADJ", "ADV", "NOUN", "VERB"})
LEMMA_COST = 0.499  # with the costs below a substitution stays under 2, the price of deleting and inserting
OPEN_CLASS_COST, POS_COST = 0.25, 0.5


class Step(NamedTuple):
    """Source tokens [start, end) become target tokens [target_start, target_end).

    `op` is M (match), S (substitute), D (delete), I (insert) or T2, T3 … (reorder so many tokens).
    """

    op: str
    start: int
    end: int
    target_start: int
    target_end: int


def similarity_cost(a: str, b: str) -> float:
    """Characters to delete and insert on the way from `a` to `b`, over their lengths: 0 (same) to 1."""
    from rapidfuzz.distance import Indel

    return Indel.normalized_distance(a, b)


def substitution_cost(source: Analysis, i: int, target: Analysis, j: int) -> float:
    """0 for a change of case, else up to 1.999: different lemma, different part of speech, different letters."""
    if source.lowers[i] == target.lowers[j]:
        return 0.0
    lemma = 0.0 if source.lemmas[i] == target.lemmas[j] else LEMMA_COST
    a, b = source.pos[i], target.pos[j]
    pos = 0.0 if a == b else OPEN_CLASS_COST if a in OPEN_CLASS and b in OPEN_CLASS else POS_COST
    return lemma + pos + similarity_cost(source.words[i], target.words[j])


def _reordering(costs: list[list[float]], source: Sequence[str], target: Sequence[str], i: int, j: int) -> int:
    """How far back tokens i and j must reach to hold the same lower-case words in another order; 0: not at all.

    The walk up the diagonal ends where two cells cost the same (a match, usually), as ERRANT's does.
    """
    back = 1
    while i >= back and j >= back and costs[i - back + 1][j - back + 1] != costs[i - back][j - back]:
        if sorted(source[i - back : i + 1]) == sorted(target[j - back : j + 1]):
            return back
        back += 1
    return 0


def align_plain(source: Analysis, target: Analysis, *, levenshtein: bool = False) -> list[Step]:
    """The cheapest steps from source to target; among equals a reordering wins, then S, I, D, as in ERRANT."""
    rows, columns = len(source), len(target)
    costs = [[float(i + j) if not i * j else 0.0 for j in range(columns + 1)] for i in range(rows + 1)]
    ops = [["D" if i else "I"] * (columns + 1) for i in range(rows + 1)]
    for i in range(rows):
        for j in range(columns):
            if source.words[i] == target.words[j]:
                costs[i + 1][j + 1], ops[i + 1][j + 1] = costs[i][j], "M"
                continue
            back = 0 if levenshtein else _reordering(costs, source.lowers, target.lowers, i, j)
            choices = [
                (costs[i - back][j - back] + back if back else float("inf"), f"T{back + 1}"),
                (costs[i][j] + (1.0 if levenshtein else substitution_cost(source, i, target, j)), "S"),
                (costs[i + 1][j] + 1, "I"),
                (costs[i][j + 1] + 1, "D"),
            ]
            costs[i + 1][j + 1], ops[i + 1][j + 1] = min(choices, key=lambda choice: choice[0])
    for j in range(1, columns + 1):
        ops[0][j] = "I"
    for i in range(1, rows + 1):
        ops[i][0] = "D"
    return _trace_back(ops)


def _trace_back(ops: list[list[str]]) -> list[Step]:
    i, j = len(ops) - 1, len(ops[0]) - 1
    steps: list[Step] = []
    while i or j:
        op = ops[i][j]
        size = int(op[1:]) if op[0] == "T" else 1
        rows, columns = size * (op != "I"), size * (op != "D")
        steps.append(Step(op, i - rows, i, j - columns, j))
        i, j = i - rows, j - columns
    return steps[::-1]


def align_compiled(source: Analysis, target: Analysis, *, levenshtein: bool = False) -> list[Step]:
    """What `align_plain` answers, by the compiled twin."""
    return [Step(*step) for step in align_steps(source, target, levenshtein)]


try:
    if os.environ.get("ERRATA_PURE") == "1":
        raise ImportError
    from errata.edits.en._align_c import align_steps
except ImportError:
    align = align_plain
else:
    align = align_compiled
