"""Packed inputs, of which words are hidden afresh in every batch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from errata.systems.encoder.masking import Alphabet, hide_words
from errata.systems.encoder.settings import MaskingSettings
from errata.training.packed import Packed


class BlockExamples:
    """The inputs number `chosen` of a packed text."""

    def __init__(self, packed: Packed, chosen: np.ndarray, settings: MaskingSettings, alphabet: Alphabet) -> None:
        self.packed, self.chosen, self.settings, self.alphabet = packed, chosen, settings, alphabet

    @property
    def positions(self) -> int:
        return int(self.packed["ids"].shape[1])

    @property
    def lengths(self) -> np.ndarray:
        """All alike; one number, however many there are."""
        return np.broadcast_to(np.int64(self.positions), len(self.chosen))

    def __len__(self) -> int:
        return len(self.chosen)

    def collate(self, indices: Sequence[int], rng: np.random.Generator) -> dict[str, np.ndarray]:
        """`ids` (inputs, positions), `places` and `labels` (inputs, places)."""
        rows = self.chosen[np.asarray(indices)]
        starts = np.unpackbits(self.packed["starts"][rows], axis=1, count=self.positions).astype(bool)
        return hide_words(self.packed["ids"][rows], starts, self.settings, self.alphabet, rng)


def hold_out(n_blocks: int, n_dev: int) -> tuple[np.ndarray, np.ndarray]:
    """The inputs to train on and `n_dev` to judge on (a tenth of all at most), spread evenly over the text."""
    dev = np.linspace(0, n_blocks, min(n_dev, n_blocks // 10), endpoint=False, dtype=np.int64)
    is_dev = np.zeros(n_blocks, bool)
    is_dev[dev] = True
    return np.flatnonzero(~is_dev), dev
