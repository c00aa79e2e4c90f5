"""The cheapest alignments of two token sequences, as lists of items from left to right.

The table of moves comes from a kernel: the compiled one where it was built (and ERRATA_PURE is not set), otherwise its
plain-Python twin. Walking the table is the same for both.
"""

from __future__ import annotations

import logging
import os
from array import array
from collections.abc import Iterator
from typing import NamedTuple

from errata.edits.zh.features import TokenTable
from errata.edits.zh.moves import DELETE, INSERT, LENGTH_SHIFT, MATCH, SUBSTITUTE, TRANSPOSE
from errata.errors import DataError

if os.environ.get("ERRATA_PURE") == "1":
    from errata.edits.zh._align_py import fill_moves
else:
    try:
        from errata.edits.zh._align_c import fill_moves
    except ImportError:
        from errata.edits.zh._align_py import fill_moves

KERNEL = "compiled" if fill_moves.__module__.endswith("_c") else "python"

log = logging.getLogger(__name__)

# Pairs whose lengths differ more than this get their first alignment only (ChERRANT).
MAX_LENGTH_DIFFERENCE = 10
# Twelve bytes a cell in the compiled kernel: half a gigabyte. Two texts of 6,500 characters each still fit.
MAX_CELLS = 42_000_000
# Partial alignments tried for one pair. The 25,258 references of MuCGEC, FCGEC valid and NaCGEC test need at most 36;
# ChERRANT, which tries every path, would not come back from a pair that reaches this.
MAX_PARTIAL = 2_000


class Item(NamedTuple):
    """A run of one kind: source tokens [start, end) against target tokens [target_start, target_end).

    Kinds: `=` match, `T` transposition, `W` word order, `S` substitution, `M` missing (insertion), `R` redundant
    (deletion).
    """

    kind: str
    start: int
    end: int
    target_start: int
    target_end: int


# move → (kind, source tokens, target tokens), in the order in which moves are tried after transposition.
_STEPS = {SUBSTITUTE: ("S", 1, 1), INSERT: ("M", 0, 1), DELETE: ("R", 1, 0)}
_MIXED = "X"
_EDITED = frozenset({"S", "M", "R", _MIXED})

# A partial alignment that covers everything from cell (i, j) on: (i, j, kind of the open run, its end in source and
# target, the number of the list of items closed behind it). Two equal states go on alike.
_State = tuple[int, int, str, int, int, int]


class _Items:
    """Item lists that share their tails, each known by a number; 0 is the empty list."""

    def __init__(self) -> None:
        self._cells: list[tuple[Item, int]] = []
        self._numbers: dict[tuple[Item, int], int] = {}

    def push(self, item: Item, rest: int) -> int:
        cell = (item, rest)
        number = self._numbers.get(cell)
        if number is None:
            self._cells.append(cell)
            number = self._numbers[cell] = len(self._cells)
        return number

    def unroll(self, number: int) -> list[Item]:
        items = []
        while number:
            item, number = self._cells[number - 1]
            items.append(item)
        return items


def alignments(source: array[int], target: array[int], table: TokenTable, *, every: bool) -> Iterator[list[Item]]:
    """The cheapest alignments, in the order of a depth-first search from the end; only the first unless `every`.

    Alignments that differ only inside a run are given once.
    """
    n, m = len(source), len(target)
    every = every and abs(n - m) <= MAX_LENGTH_DIFFERENCE
    # Equal tokens always match, so every path runs down the common suffix: nothing behind it needs a table.
    i, j = n, m
    while i and j and source[i - 1] == target[j - 1]:
        i -= 1
        j -= 1
    if (i + 1) * (j + 1) > MAX_CELLS:
        raise DataError(f"cannot align {n} tokens with {m}: too long for one sentence; split the text into sentences")
    moves = fill_moves(source[:i], target[:j], table)
    return _walk(moves, j + 1, (i, j, "=" if i < n else "", n, m, 0), every)


def _walk(moves: array[int], width: int, start: _State, every: bool) -> Iterator[list[Item]]:
    items = _Items()
    seen: set[_State] = set()
    stack = [start]
    while stack:
        state = _follow(moves, width, stack.pop(), items)
        if not (state[0] or state[1]):
            yield items.unroll(_close(state, items))
            continue
        choices = _branch(moves[state[0] * width + state[1]], state, items)
        if not every:
            stack.append(choices[0])
        elif state not in seen:
            seen.add(state)
            stack.extend(reversed(choices))
        if len(seen) > MAX_PARTIAL:
            log.warning("more than %d partial alignments of one pair: its further alignments are left out", MAX_PARTIAL)
            return


def _follow(moves: array[int], width: int, state: _State, items: _Items) -> _State:
    """The state where the way parts, a transposition is next, or all is done."""
    i, j, kind, end, target_end, closed = state
    while i or j:
        move = moves[i * width + j]
        if move == MATCH:
            if kind != "=":
                closed = _close((i, j, kind, end, target_end, closed), items)
                kind, end, target_end = "=", i, j
            i -= 1
            j -= 1
        elif move in _STEPS:
            step, source_step, target_step = _STEPS[move]
            if kind not in _EDITED:
                closed = _close((i, j, kind, end, target_end, closed), items)
                kind, end, target_end = step, i, j
            elif kind != step:
                kind = _MIXED
            i -= source_step
            j -= target_step
        else:
            break
    return i, j, kind, end, target_end, closed


def _branch(move: int, state: _State, items: _Items) -> list[_State]:
    """The states one move further on."""
    i, j, kind, end, target_end, closed = state
    choices: list[_State] = []
    if move & TRANSPOSE:
        length = move >> LENGTH_SHIFT
        item = Item("T", i - length, i, j - length, j)
        choices.append((i - length, j - length, "", 0, 0, items.push(item, _close(state, items))))
    for bit, (step, source_step, target_step) in _STEPS.items():
        if move & bit:
            if kind in _EDITED:
                run = (kind if kind == step else _MIXED, end, target_end, closed)
            else:
                run = (step, i, j, _close(state, items))
            choices.append((i - source_step, j - target_step, *run))
    return choices


def _close(state: _State, items: _Items) -> int:
    """The number of the item list once the open run has ended at the state's cell."""
    i, j, kind, end, target_end, closed = state
    if not kind:
        return closed
    # A run of insertions and deletions alone would have to stay apart, but a substitution always costs less than both.
    return items.push(Item("S" if kind == _MIXED else kind, i, end, j, target_end), closed)
