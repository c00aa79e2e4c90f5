"""Edits from a source and its correction, fast and without analysis: enough to count errors with.

`errata extract` gives better edits (and their types); this one reads hundreds of thousands of pairs in a minute.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from errata.model import Edit, Tokens
from errata.synth.noisy import trim

# A phrase deleted here and inserted there has moved, when no more tokens than this are between.
MAX_DISTANCE = 20
# Regions with more cells than this are not taken apart: they are rewrites, which nobody counts.
MAX_CELLS = 64
# Costs of pairing two words: below 2 a pair is better than a deletion and an insertion.
UNLIKE = 1.4


def align(source: Tokens, target: Tokens, *, split_words: bool) -> list[Edit]:
    """The edits from source to target, in order, with types M, U, R and R:WO (a phrase moved).

    `split_words` takes apart regions of several words (English); without it they stay phrases (Chinese characters).
    """
    from rapidfuzz.distance import Levenshtein

    blocks: list[list[int]] = []
    for op in Levenshtein.opcodes(source, target):
        if op.tag == "equal":
            continue
        if blocks and blocks[-1][1] == op.src_start and blocks[-1][3] == op.dest_start:
            blocks[-1][1], blocks[-1][3] = op.src_end, op.dest_end
        else:
            blocks.append([op.src_start, op.src_end, op.dest_start, op.dest_end])
    edits: list[Edit] = []
    for start, end, target_start, target_end in _join_moves(source, target, blocks):
        old, new = source[start:end], target[target_start:target_end]
        if split_words and sorted(old) != sorted(new) and 1 < (len(old) + 1) * (len(new) + 1) <= MAX_CELLS:
            edits += (
                Edit(start + a, start + b, new[c:d], _type(old[a:b], new[c:d])) for a, b, c, d in _pair_words(old, new)
            )
        else:
            trimmed = trim(source, start, end, new)
            if trimmed is not None:
                a, b, rest = trimmed
                edits.append(Edit(a, b, rest, _type(source[a:b], rest)))
    return edits


def _type(old: Tokens, new: Tokens) -> str:
    """The kind of an edit from the corrector's side: something is missing, unnecessary, to be replaced, misplaced."""
    if not old:
        return "M"
    if not new:
        return "U"
    return "R:WO" if len(old) > 1 and sorted(old) == sorted(new) else "R"


def _join_moves(source: Tokens, target: Tokens, blocks: Iterable[list[int]]) -> list[list[int]]:
    """The blocks, with a deletion and an insertion of the same phrase near it made into one block over both."""
    joined: list[list[int]] = []
    for block in blocks:
        if joined:
            last = joined[-1]
            gone, come = source[last[0] : last[1]], target[block[2] : block[3]]
            back_gone, back_come = source[block[0] : block[1]], target[last[2] : last[3]]
            moved = (gone == come and gone and not back_gone and not back_come) or (
                back_gone == back_come and back_gone and not gone and not come
            )
            if moved and block[0] - last[1] <= MAX_DISTANCE:
                joined[-1] = [last[0], block[1], last[2], block[3]]
                continue
        joined.append(block)
    return joined


def _pair_words(old: Tokens, new: Tokens) -> list[tuple[int, int, int, int]]:
    """The cheapest way to pair the words, as (start, end, target start, target end) of one edit each."""
    from rapidfuzz.distance import Levenshtein

    rows, columns = len(old) + 1, len(new) + 1
    cost = [[float(i + j) for j in range(columns)] for i in range(rows)]
    step = [[(1, 0) if i else (0, 1) for _ in range(columns)] for i in range(rows)]
    for i in range(1, rows):
        for j in range(1, columns):
            alike = Levenshtein.normalized_similarity(old[i - 1].lower(), new[j - 1].lower())
            choices = (
                (cost[i - 1][j - 1] + (2 * (1 - alike) if alike >= 0.5 else UNLIKE), (1, 1)),
                (cost[i - 1][j] + 1, (1, 0)),
                (cost[i][j - 1] + 1, (0, 1)),
            )
            cost[i][j], step[i][j] = min(choices)
    path: list[tuple[int, int]] = [(len(old), len(new))]
    while path[-1] != (0, 0):
        i, j = path[-1]
        path.append((i - step[i][j][0], j - step[i][j][1]))
    path.reverse()
    pairs = [(a, b, c, d) for (a, c), (b, d) in pairwise(path) if old[a:b] != new[c:d]]
    return _join_one_sided(pairs)


def _join_one_sided(pairs: Sequence[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    """Neighbouring insertions, and neighbouring deletions, as one edit."""
    joined: list[tuple[int, int, int, int]] = []
    for a, b, c, d in pairs:
        if joined:
            last = joined[-1]
            both_insert = a == b and last[0] == last[1] == a and last[3] == c
            both_delete = c == d and last[2] == last[3] == c and last[1] == a
            if both_insert or both_delete:
                joined[-1] = (last[0], b, last[2], d)
                continue
        joined.append((a, b, c, d))
    return joined
