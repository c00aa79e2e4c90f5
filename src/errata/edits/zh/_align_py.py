"""The alignment table in plain Python: the readable twin of `_align_c.pyx`, tested to be equal to it."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from errata.edits.zh.features import TokenTable
from errata.edits.zh.moves import DELETE, INSERT, LENGTH_SHIFT, MATCH, SUBSTITUTE, TRANSPOSE


def fill_moves(source: array[int], target: array[int], table: TokenTable) -> array[int]:
    """The cheapest moves into each cell, row by row: (len(source) + 1) × (len(target) + 1) numbers.

    Equal tokens match and nothing else; elsewhere every move that reaches the minimum is kept. Costs are compared
    exactly, in double precision.
    """
    width = len(target) + 1
    moves = array("i", bytes(4 * (len(source) + 1) * width))
    moves[1:width] = array("i", [INSERT] * len(target))
    rows = [[float(j) for j in range(width)]]
    source_sums, target_sums = _prefix_sums(source), _prefix_sums(target)
    for i, a in enumerate(source, 1):
        above = rows[-1]
        row = [float(i)]
        rows.append(row)
        moves[i * width] = DELETE
        costs = table.substitution_costs(a)
        for j, b in enumerate(target, 1):
            if a == b:
                moves[i * width + j] = MATCH
                row.append(above[j - 1])
                continue
            length = 0
            k = 1
            while k < i and k < j and rows[i - k][j - k] != rows[i - k - 1][j - k - 1]:
                if source_sums[i] - source_sums[i - k - 1] == target_sums[j] - target_sums[j - k - 1] and sorted(
                    source[i - k - 1 : i]
                ) == sorted(target[j - k - 1 : j]):
                    length = k + 1
                    break
                k += 1
            substitution = above[j - 1] + costs[b]
            insertion = row[j - 1] + 1
            deletion = above[j] + 1
            best = insertion if insertion < deletion else deletion
            if substitution < best:
                best = substitution
            move = 0
            if length:
                transposition = rows[i - length][j - length] + (length - 1)
                if transposition <= best:
                    best = transposition
                    move = TRANSPOSE + (length << LENGTH_SHIFT)
            move += SUBSTITUTE * (substitution == best) + INSERT * (insertion == best) + DELETE * (deletion == best)
            moves[i * width + j] = move
            row.append(best)
    return moves


def _prefix_sums(tokens: Sequence[int]) -> list[int]:
    """Sums of cubes: two ranges whose sums differ cannot be permutations of each other."""
    sums = [0]
    for token in tokens:
        sums.append(sums[-1] + (token + 1) ** 3)
    return sums
