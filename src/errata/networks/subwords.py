"""Words to the encoder's pieces: identifiers, case classes, and where each word begins.

A word is cut into pieces by itself and remembered, so running text costs a dictionary look-up a word. The first piece
of each word, and the encoder's start mark for slot 0, carry the tags. No word lacks a piece, and no sentence outgrows
the encoder: when pieces are too many, the longest words are shown by fewer of them (the text itself is never cut).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from errata.errors import DataError
from errata.networks.tokenizer import mark_id, read_pieces

if TYPE_CHECKING:
    from tokenizers import Tokenizer

TOKENIZER = "tokenizer.json"
# More pieces of one word (a URL, say) tell a tagger nothing.
MAX_PIECES = 8
N_CASES = 4
REMEMBERED = 500_000
# A longer word is none, and half a million of them would fill the memory.
MAX_REMEMBERED = 100


@dataclass(frozen=True, slots=True)
class Pieces:
    """A sentence for the encoder: pieces with their case classes, and the first piece of every slot."""

    ids: list[int]
    cases: list[int]
    first: list[int]


class Subwords:
    """Cuts words into an encoder's pieces."""

    def __init__(self, tokenizer: Tokenizer, max_positions: int) -> None:
        self.tokenizer, self.max_positions = tokenizer, max_positions
        tokenizer.encode_special_tokens = True  # somebody who writes [MASK] means these letters
        marks = tokenizer.encode("").ids
        if not marks:
            raise DataError("the tokenizer puts no start or end mark around a sentence: a tagger needs one for slot 0")
        self.start, self.end = marks[0], marks[-1]
        self.pad = mark_id(tokenizer, "[PAD]", "<pad>")
        self._unknown = mark_id(tokenizer, "[UNK]", "<unk>")
        self._known: dict[str, tuple[list[int], list[int]]] = {}

    @classmethod
    def load(cls, folder: Path, max_positions: int) -> Subwords:
        """The tokenizer in a system folder."""
        return cls(read_pieces(folder / TOKENIZER), max_positions)

    def save(self, folder: Path) -> None:
        self.tokenizer.save(str(folder / TOKENIZER))

    def word(self, word: str) -> tuple[list[int], list[int]]:
        """The pieces of a word, at least one, and its case class for each."""
        known = self._known.get(word)
        if known is None:
            ids = self.tokenizer.encode([word], is_pretokenized=True, add_special_tokens=False).ids
            ids = ids[:MAX_PIECES] or [self._unknown]
            known = ids, [case_class(word)] * len(ids)
            if len(self._known) < REMEMBERED and len(word) <= MAX_REMEMBERED:
                self._known[word] = known
        return known

    def encode(self, tokens: Sequence[str]) -> Pieces:
        """The pieces of a sentence, within the encoder's positions."""
        room = self.max_positions - 2
        if len(tokens) > room:
            raise DataError(
                f"a sentence of {len(tokens)} tokens does not fit an encoder of {self.max_positions} positions"
            )
        words = [self._known.get(token) or self.word(token) for token in tokens]
        limit = MAX_PIECES
        while limit > 1 and sum([len(ids) for ids, _ in words]) > room:
            limit -= 1
            words = [(ids[:limit], cases[:limit]) for ids, cases in words]
        pieces, kinds, first = [self.start], [0], [0]
        for ids, cases in words:
            first.append(len(pieces))
            pieces += ids
            kinds += cases
        pieces.append(self.end)
        kinds.append(0)
        return Pieces(pieces, kinds, first)


def case_class(word: str) -> int:
    """0 lower or no case, 1 Capital, 2 UPPER, 3 mIxed."""
    if word.islower() or word.lower() == word:
        return 0
    if len(word) > 1 and word.isupper():
        return 2
    return 1 if word[0].isupper() and word[1:] == word[1:].lower() else 3


def pad_batch(sentences: Sequence[Pieces], pad: int) -> dict[str, np.ndarray]:
    """The arrays the model takes: `ids`, `mask`, `cases` (sentences, pieces) and `first` (sentences, slots)."""
    rows, longest = len(sentences), max(len(one.ids) for one in sentences)
    slots = max(len(one.first) for one in sentences)
    ids = np.full((rows, longest), pad, np.int64)
    cases, mask = np.zeros((rows, longest), np.int64), np.zeros((rows, longest), np.int64)
    first = np.zeros((rows, slots), np.int64)
    for row, one in enumerate(sentences):
        ids[row, : len(one.ids)] = one.ids
        cases[row, : len(one.ids)] = one.cases
        mask[row, : len(one.ids)] = 1
        first[row, : len(one.first)] = one.first
    return {"ids": ids, "mask": mask, "cases": cases, "first": first}
