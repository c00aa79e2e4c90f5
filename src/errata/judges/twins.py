"""Packed pairs of sentences that a network sees together: a better and a worse one, a source and its correction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from errata.model import Tokens
from errata.networks.subwords import Subwords
from errata.training.packed import Packed, padded, ragged


def pack_twins(pairs: Iterable[tuple[Tokens, Tokens]], subwords: Subwords) -> dict[str, np.ndarray]:
    """The arrays that `Twins` reads: rows 2 i and 2 i + 1 are the sentences of pair i."""
    encoded = [subwords.encode(tokens) for pair in pairs for tokens in pair]
    ids, offsets = ragged([np.asarray(one.ids) for one in encoded], np.int32)
    cases, _ = ragged([np.asarray(one.cases) for one in encoded], np.uint8)
    return {"ids": ids, "cases": cases, "offsets": offsets}


def twin_rows(pairs: Sequence[int]) -> np.ndarray:
    """The rows of some pairs: all first sentences, then all second ones.

    >>> twin_rows([5, 0]).tolist()
    [10, 0, 11, 1]
    """
    chosen = np.asarray(pairs)
    return np.concatenate([2 * chosen, 2 * chosen + 1])


class Twins:
    """Examples that are pairs of sentences."""

    def __init__(self, packed: Packed, pad: int) -> None:
        self.packed, self.pad = packed, pad

    @property
    def lengths(self) -> np.ndarray:
        """Subwords of a pair with its padding."""
        longest: np.ndarray = np.diff(self.packed["offsets"]).reshape(-1, 2).max(1)
        return 2 * longest

    def __len__(self) -> int:
        return (len(self.packed["offsets"]) - 1) // 2

    def collate(self, indices: Sequence[int], rng: np.random.Generator) -> dict[str, np.ndarray]:
        """`ids`, `cases` and `mask` (2 × pairs, subwords): all first sentences, then all second ones."""
        rows = twin_rows(indices)
        offsets = self.packed["offsets"]
        ids = padded(self.packed["ids"], offsets, rows, self.pad)
        cases = padded(self.packed["cases"], offsets, rows, 0)
        mask = (np.arange(ids.shape[1]) < (offsets[rows + 1] - offsets[rows])[:, None]).astype(np.int64)
        return {"ids": ids, "mask": mask, "cases": cases}
