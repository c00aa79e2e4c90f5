"""Clean text, packed: tokens as numbers with a word list, for systems that corrupt it afresh in every batch."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise

import numpy as np

from errata.model import Tokens
from errata.training.packed import Packed, ragged

log = logging.getLogger(__name__)

MARKS = 2  # pieces around a sentence


def pack_text(sentences: Iterable[Tokens], max_tokens: int, n_pieces: Callable[[str], int]) -> Mapping[str, np.ndarray]:
    """The arrays of `PackedText`; `n_pieces` tells how many pieces of the encoder a token is."""
    numbers: dict[str, int] = {}
    sizes: list[int] = []
    rows, lengths, too_long = [], [], 0
    for tokens in sentences:
        if len(tokens) > max_tokens:
            too_long += 1
            continue
        for token in tokens:
            if token not in numbers:
                numbers[token] = len(numbers)
                sizes.append(n_pieces(token))
        row = [numbers[token] for token in tokens]
        rows.append(np.asarray(row, np.int32))
        lengths.append(MARKS + sum(sizes[number] for number in row))
    if too_long:
        log.warning("%d clean sentences longer than %d tokens left out", too_long, max_tokens)
    # Packed data travel: characters, of which there are few, take half the space.
    words, offsets = ragged(rows, np.uint16 if len(numbers) < 1 << 16 else np.int32)
    spelt, letters = ragged([np.frombuffer(word.encode(), np.uint8) for word in numbers], np.uint8)
    return {
        "words": words,
        "offsets": offsets,
        "lengths": np.asarray(lengths, np.int32),
        "spelt": spelt,
        "letters": letters,
    }


class PackedText:
    """Sentences by number."""

    def __init__(self, packed: Packed) -> None:
        self._packed = packed
        self._words: list[str] | None = None

    @property
    def lengths(self) -> np.ndarray:
        """Pieces of each sentence, marks included."""
        return self._packed["lengths"]

    def __len__(self) -> int:
        return len(self._packed["lengths"])

    def __getitem__(self, index: int) -> Tokens:
        if self._words is None:
            spelt, letters = self._packed["spelt"].tobytes(), self._packed["letters"].tolist()
            self._words = [spelt[a:b].decode() for a, b in pairwise(letters)]
        start, end = self._packed["offsets"][index : index + 2]
        return tuple(self._words[number] for number in self._packed["words"][start:end].tolist())
