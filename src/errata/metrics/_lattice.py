"""MaxMatch's edit lattice and the best path through it; the plain-Python twin of `_lattice_c.pyx`.

Both compute the same paths, ties included. Words are compared by identity numbers (equal words, equal numbers).

The lattice is a directed acyclic graph over the cells (i, j) of a Levenshtein table: i source words read, j hypothesis
words written. Merged arcs are never formed: one pass over the cells keeps, per cell, the best cost outside an edit and
inside an open edit that has swallowed 0, 1, … unchanged words; arcs equal to gold edits are looked up beforehand.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

# Source start and end, and every accepted replacement as word numbers.
Gold = tuple[int, int, Sequence[Sequence[int]]]
# Source start and end, hypothesis start and end.
PathEdit = tuple[int, int, int, int]

DIAGONAL, DELETION, INSERTION = 1, 2, 4
# How the best way into a state came about; the way back reads the edits off these.
START, UNCHANGED, OPENED, CONTINUED, CLOSED, GOLD, GOLD_UNCHANGED = range(7)
OUTSIDE, INSIDE = 0, 1  # slot of "outside an edit"; slot INSIDE + u is "inside an edit with u unchanged words"
UNREACHED = 1 << 62


class Arc(NamedTuple):
    """A gold edit between two cells; `turn` numbers the gold insertions at one place in file order (−1: none)."""

    start: int
    end: int
    turn: int
    kind: int


class Lattice(NamedTuple):
    """The cells on optimal alignments, row by row, each with the steps that lead into it.

    Cell (i, j) is the number i * width + j, where `width` is len(hypothesis) + 1.
    """

    source: Sequence[int]
    hypothesis: Sequence[int]
    width: int
    steps: dict[int, int]


def best_paths(
    source: Sequence[int], hypothesis: Sequence[int], golds: Sequence[Sequence[Gold]], max_unchanged: int
) -> list[list[PathEdit]]:
    """For each annotator's gold edits, the edits on the path that matches most of them, from left to right."""
    lattice = build_lattice(source, hypothesis)
    limit = max(0, min(max_unchanged, len(source), len(hypothesis)))
    plain: list[PathEdit] | None = None
    paths = []
    for gold in golds:
        arcs = gold_arcs(lattice, gold, limit)
        if not arcs:
            if plain is None:
                plain = _search(lattice, [], limit)
            paths.append(plain)
        else:
            paths.append(_search(lattice, arcs, limit))
    return paths


def build_lattice(source: Sequence[int], hypothesis: Sequence[int]) -> Lattice:
    """The union of the optimal alignments where a substitution costs 1 and of those where it costs 2."""
    width = len(hypothesis) + 1
    steps: dict[int, int] = {}
    for substitution in (1, 2):
        table = _distances(source, hypothesis, substitution)
        corner = (len(source), len(hypothesis))
        pending, seen = [corner], {corner}
        while pending:
            i, j = pending.pop()
            cost = table[i][j]
            flags = 0
            ways = []
            if i and j:
                price = 0 if source[i - 1] == hypothesis[j - 1] else substitution
                if table[i - 1][j - 1] + price == cost:
                    flags = DIAGONAL
                    ways.append((i - 1, j - 1))
            if i and table[i - 1][j] + 1 == cost:
                flags |= DELETION
                ways.append((i - 1, j))
            if j and table[i][j - 1] + 1 == cost:
                flags |= INSERTION
                ways.append((i, j - 1))
            steps[i * width + j] = steps.get(i * width + j, 0) | flags
            for way in ways:
                if way not in seen:
                    seen.add(way)
                    pending.append(way)
    return Lattice(source, hypothesis, width, {cell: steps[cell] for cell in sorted(steps)})


def _distances(source: Sequence[int], hypothesis: Sequence[int], substitution: int) -> list[list[int]]:
    """The Levenshtein table; an unchanged word is always as cheap as any other way."""
    above = list(range(len(hypothesis) + 1))
    table = [above]
    for i, word in enumerate(source, 1):
        left = i
        row = [i]
        append = row.append
        corner = i - 1
        for other, up in zip(hypothesis, islice(above, 1, None), strict=True):
            if word == other:
                left = corner
            else:
                if up < left:
                    left = up
                # At price 2 a substitution is never cheaper than an insertion and a deletion.
                left = corner + 1 if substitution == 1 and corner < left else left + 1
            append(left)
            corner = up
        table.append(row)
        above = row
    return table


def gold_arcs(lattice: Lattice, gold: Sequence[Gold], limit: int) -> list[Arc]:
    """The arcs of the lattice's closure that equal a gold edit."""
    arcs = []
    turns: dict[int, int] = {}
    for start, end, replacements in gold:
        turn = -1
        if start == end:
            turn = turns[start] = turns.get(start, -1) + 1
        for replacement in replacements:
            for j in _places_of(replacement, lattice.hypothesis):
                first, last = start * lattice.width + j, end * lattice.width + j + len(replacement)
                if first not in lattice.steps or last not in lattice.steps or first == last:
                    continue
                kind = _arc_kind(lattice, first, last, limit)
                if kind != START:
                    arcs.append(Arc(first, last, turn, kind))
    return arcs


def _places_of(words: Sequence[int], hypothesis: Sequence[int]) -> list[int]:
    """Where the words stand in the hypothesis."""
    size = len(words)
    starts = range(len(hypothesis) - size + 1)
    return [j for j in starts if all(hypothesis[j + k] == words[k] for k in range(size))]


def _arc_kind(lattice: Lattice, first: int, last: int, limit: int) -> int:
    """GOLD if an edit with at most `limit` unchanged words leads from `first` to `last`; START if nothing does.

    Where the two sides are equal, the shortest way is to leave them unchanged: one word is an arc (GOLD_UNCHANGED),
    more words are none.
    """
    (top, left), (bottom, right) = divmod(first, lattice.width), divmod(last, lattice.width)
    size = bottom - top
    if size == right - left and (size == 1 or size <= limit) and _is_unchanged(lattice, first, size):
        return GOLD_UNCHANGED if size == 1 else START
    fewest = {first: 0}  # cell → fewest unchanged words on a way from `first`
    for i in range(top, bottom + 1):
        for j in range(left, right + 1):
            cell = i * lattice.width + j
            step = lattice.steps.get(cell, 0)
            best = fewest.get(cell, UNREACHED)
            if step & DIAGONAL and i > top and j > left:
                same = lattice.source[i - 1] == lattice.hypothesis[j - 1]
                best = min(best, fewest.get(cell - lattice.width - 1, UNREACHED) + same)
            if step & DELETION and i > top:
                best = min(best, fewest.get(cell - lattice.width, UNREACHED))
            if step & INSERTION and j > left:
                best = min(best, fewest.get(cell - 1, UNREACHED))
            fewest[cell] = best
    return GOLD if fewest[last] <= limit else START


def _is_unchanged(lattice: Lattice, first: int, size: int) -> bool:
    """Whether `size` steps over unchanged words start at `first`."""
    top, left = divmod(first, lattice.width)
    return all(
        lattice.source[top + k] == lattice.hypothesis[left + k]
        and lattice.steps.get(first + (k + 1) * (lattice.width + 1), 0) & DIAGONAL
        for k in range(size)
    )


def _search(lattice: Lattice, arcs: Sequence[Arc], limit: int) -> list[PathEdit]:
    """The edits on the cheapest path: most gold arcs, then the shortest other arcs, then the fewest other edits.

    The three are one number: a gold arc costs −`match`, a step `length`, opening an edit 1. A cell has one layer of
    slots per gold insertion that is still allowed at this place, so that each is used once and in file order.
    """
    source, hypothesis, width, steps = lattice
    length = len(source) + len(hypothesis) + 1
    match = length * length
    slots = limit + 2
    arcs_into: dict[int, list[Arc]] = {}
    layers_of: dict[int, int] = {}
    for arc in arcs:
        arcs_into.setdefault(arc.end, []).append(arc)
        if arc.turn >= 0:
            row = arc.end // width
            layers_of[row] = max(layers_of.get(row, 1), arc.turn + 2)

    costs: dict[int, list[int]] = {}
    backs: dict[int, list[tuple[int, int, int]]] = {}  # (cell, slot, kind)

    def step(into: list[int], back: list[tuple[int, int, int]], at: int, cell: int, base: int, same: bool) -> None:
        """Extend the slots of `cell` from `base` on by one step, into the slots from `at` on."""
        before = costs[cell]
        outside = before[base] + length
        if same:
            if outside < into[at]:
                into[at], back[at] = outside, (cell, base, UNCHANGED)
        elif outside + 1 < into[at + INSIDE]:
            into[at + INSIDE], back[at + INSIDE] = outside + 1, (cell, base, OPENED)
        for slot in range(INSIDE, slots - same):
            cost = before[base + slot] + length
            if cost < into[at + slot + same]:
                into[at + slot + same], back[at + slot + same] = cost, (cell, base + slot, CONTINUED)

    for cell, flags in steps.items():
        i, j = divmod(cell, width)
        layers = layers_of.get(i, 1)
        best = [UNREACHED] * (layers * slots)
        back = [(0, 0, START)] * (layers * slots)
        if cell == 0:
            best[OUTSIDE] = 0
        if flags & DIAGONAL:
            same = source[i - 1] == hypothesis[j - 1]
            for base in range(0, len(costs[cell - width - 1]), slots):
                step(best, back, 0, cell - width - 1, base, same)
        if flags & DELETION:
            for base in range(0, len(costs[cell - width]), slots):
                step(best, back, 0, cell - width, base, False)
        if flags & INSERTION:
            for base in range(0, layers * slots, slots):
                step(best, back, base, cell - 1, base, False)
        for arc in arcs_into.get(cell, ()):
            before = costs[arc.start]
            into = (arc.turn + 1) * slots
            for base in range(0, len(before) if arc.turn < 0 else into, slots):
                if before[base] < UNREACHED and before[base] - match < best[into]:
                    best[into], back[into] = before[base] - match, (arc.start, base, arc.kind)
        for base in range(0, layers * slots, slots):
            for slot in range(base + INSIDE, base + slots):
                if best[slot] < best[base]:
                    best[base], back[base] = best[slot], (cell, slot, CLOSED)
        costs[cell], backs[cell] = best, back
    return _read_back(lattice, costs, backs, slots)


def _read_back(
    lattice: Lattice, costs: dict[int, list[int]], backs: dict[int, list[tuple[int, int, int]]], slots: int
) -> list[PathEdit]:
    """The edits on the way from the last cell back to the first, in reading order."""
    cell = len(lattice.source) * lattice.width + lattice.width - 1
    slot = min(range(0, len(costs[cell]), slots), key=costs[cell].__getitem__)
    edits: list[PathEdit] = []
    closed_at = cell
    while True:
        previous, previous_slot, kind = backs[cell][slot]
        if kind == START:
            return edits[::-1]
        if kind == CLOSED:
            closed_at = cell
        elif kind in (OPENED, GOLD):
            start, end = divmod(previous, lattice.width), divmod(cell if kind == GOLD else closed_at, lattice.width)
            edits.append((start[0], end[0], start[1], end[1]))
        cell, slot = previous, previous_slot
