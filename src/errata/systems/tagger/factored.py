"""How a factored head's tags fall into runs that are scored together; shared by torch and our own kernels."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from errata.systems.tagger.tags import Op, Tag

WORD_OPS = (Op.APPEND, Op.REPLACE)


def phrases_of(tags: Sequence[Tag]) -> list[tuple[str, ...]]:
    """The phrases that are appended or put for another, in the order of the head's table."""
    return sorted({tag.words for tag in tags if tag.op in WORD_OPS})


def runs_of(tags: Sequence[Tag]) -> list[tuple[Op | None, list[int]]]:
    """Runs of tags in the order of the vocabulary: their operation and rows of the word table, or None and as many."""
    number = {phrase: n for n, phrase in enumerate(phrases_of(tags))}
    runs: list[tuple[Op | None, list[int]]] = []
    for op, members in groupby(tags, key=lambda tag: tag.op if tag.op in WORD_OPS else None):
        runs.append((op, [number[tag.words] if op else 0 for tag in members]))
    return runs


def join_head(
    tags: Sequence[Tag],
    words: np.ndarray,
    plain: np.ndarray,
    project: dict[Op, tuple[np.ndarray, np.ndarray]],
    bias: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """The factored head as one linear map (tags, hidden) with its bias: it scores every tag the same."""
    weight, offset = np.empty((len(tags), words.shape[1]), np.float32), bias.astype(np.float32)
    start = used = 0
    for op, rows in runs_of(tags):
        here = slice(start, start + len(rows))
        if op is None:
            weight[here] = plain[used : used + len(rows)]
            used += len(rows)
        else:
            matrix, shift = project[op]
            weight[here] = words[rows] @ matrix
            offset[here] += words[rows] @ shift
        start += len(rows)
    return weight, offset
