"""ChERRANT's alignment spelled out without any cleverness: every cell, every path, nothing shared or cut short."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from errata.edits.zh.align import Item
from errata.edits.zh.features import TokenTable


def every_path(source: Sequence[int], target: Sequence[int], table: TokenTable) -> Iterator[list[str]]:
    """All cheapest paths as lists of moves, from left to right, in the order of a depth-first search from the end."""
    moves = _moves(source, target, table)

    def walk(i: int, j: int) -> Iterator[list[str]]:
        if i == j == 0:
            yield []
        for move in moves.get((i, j), ()):
            back_i, back_j = (
                (int(move[1:]),) * 2 if move[0] == "T" else {"=": (1, 1), "S": (1, 1), "M": (0, 1), "R": (1, 0)}[move]
            )
            for path in walk(i - back_i, j - back_j):
                yield [*path, move]

    return walk(len(source), len(target))


def _moves(source: Sequence[int], target: Sequence[int], table: TokenTable) -> dict[tuple[int, int], list[str]]:
    costs = {(0, 0): 0.0}
    moves: dict[tuple[int, int], list[str]] = {}
    for i in range(len(source) + 1):
        for j in range(len(target) + 1):
            if i == j == 0:
                continue
            if i and j and source[i - 1] == target[j - 1]:
                costs[i, j], moves[i, j] = costs[i - 1, j - 1], ["="]
                continue
            options: list[tuple[float, str]] = []
            for k in range(1, min(i, j)):
                if costs[i - k, j - k] == costs[i - k - 1, j - k - 1]:
                    break
                if sorted(source[i - k - 1 : i]) == sorted(target[j - k - 1 : j]):
                    options.append((costs[i - k - 1, j - k - 1] + k, f"T{k + 1}"))
                    break
            if i and j:
                options.append((costs[i - 1, j - 1] + table.compute_substitution(source[i - 1], target[j - 1]), "S"))
            if j:
                options.append((costs[i, j - 1] + 1, "M"))
            if i:
                options.append((costs[i - 1, j] + 1, "R"))
            costs[i, j] = min(cost for cost, _ in options)
            moves[i, j] = [move for cost, move in options if cost == costs[i, j]]
    return moves


def group(path: Sequence[str]) -> list[Item]:
    """The items of a path: runs of matches, single transpositions, runs of the rest."""
    items: list[Item] = []
    i = j = 0
    for move in path:
        length = int(move[1:]) if move[0] == "T" else 1
        end, target_end = i + (length if move != "M" else 0), j + (length if move != "R" else 0)
        kind = move[0]
        last = items[-1].kind if items else ""
        if kind != "T" and last and (kind == last == "=" or (kind in "SMR" and last in "SMR")):
            first = items.pop()
            items.append(Item(kind if kind == first.kind else "S", first.start, end, first.target_start, target_end))
        else:
            items.append(Item(kind, i, end, j, target_end))
        i, j = end, target_end
    return items
