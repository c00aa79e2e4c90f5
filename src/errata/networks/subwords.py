"""Words to the encoder's subwords: identifiers, case classes, and where each word begins.

Each word is cut into subwords by itself, and the result is remembered: running text costs one dictionary look-up per
word. The first subword of a word carries its tag; slot 0 has the encoder's start mark. Every word has at least one
subword. Where a sentence has more subwords than the encoder takes, long words are shown by their first few; no word
is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from errata.errors import DataError
from errata.networks.tokenizer import encode_word, mark_id, read_tokenizer, tokenizing

if TYPE_CHECKING:
    from tokenizers import Tokenizer

TOKENIZER = "tokenizer.json"
# Subwords shown of one word. More of them (of a URL, say) tell a tagger nothing.
MAX_SUBWORDS = 8
N_CASES = 4
# Words remembered, and how long they may be in characters: longer strings are not words and would fill the memory.
REMEMBERED = 500_000
MAX_REMEMBERED = 100


@dataclass(frozen=True, slots=True)
class EncoderInput:
    """A sentence for the encoder: subwords with their case classes, and the first subword of every slot."""

    ids: list[int]
    cases: list[int]
    first: list[int]


class Subwords:
    """Cuts words into an encoder's subwords."""

    def __init__(self, tokenizer: Tokenizer, max_positions: int, origin: str = "the tokenizer") -> None:
        self.tokenizer, self.max_positions, self.origin = tokenizer, max_positions, origin
        tokenizer.encode_special_tokens = True  # a text that contains "[MASK]" means these letters
        with tokenizing(f"{origin} cannot read an empty sentence"):
            marks = tokenizer.encode("").ids
        if not marks:
            raise DataError(f"{origin} puts no start or end mark around a sentence: a tagger needs one for slot 0")
        self.start, self.end = marks[0], marks[-1]
        self.pad = mark_id(tokenizer, "[PAD]", "<pad>", origin=origin)
        self._unknown = mark_id(tokenizer, "[UNK]", "<unk>", origin=origin)
        self._known: dict[str, tuple[list[int], list[int]]] = {}

    @classmethod
    def load(cls, folder: Path, max_positions: int) -> Subwords:
        """The tokenizer in a system folder."""
        return cls(read_tokenizer(folder / TOKENIZER), max_positions, str(folder / TOKENIZER))

    def save(self, folder: Path) -> None:
        self.tokenizer.save(str(folder / TOKENIZER))

    def word(self, word: str) -> tuple[list[int], list[int]]:
        """The subwords of a word, at least one, and its case class for each."""
        known = self._known.get(word)
        if known is None:
            ids = encode_word(self.tokenizer, word, self.origin)[:MAX_SUBWORDS] or [self._unknown]
            known = ids, [case_class(word)] * len(ids)
            if len(self._known) < REMEMBERED and len(word) <= MAX_REMEMBERED:
                self._known[word] = known
        return known

    def encode(self, tokens: Sequence[str]) -> EncoderInput:
        """The subwords of a sentence, within the encoder's positions."""
        room = self.max_positions - 2
        if len(tokens) > room:
            raise DataError(
                f"a sentence of {len(tokens)} tokens does not fit an encoder of {self.max_positions} positions"
            )
        words = [self._known.get(token) or self.word(token) for token in tokens]
        limit = MAX_SUBWORDS
        while limit > 1 and sum([len(ids) for ids, _ in words]) > room:
            limit -= 1
            words = [(ids[:limit], cases[:limit]) for ids, cases in words]
        subwords, kinds, first = [self.start], [0], [0]
        for ids, cases in words:
            first.append(len(subwords))
            subwords += ids
            kinds += cases
        subwords.append(self.end)
        kinds.append(0)
        return EncoderInput(subwords, kinds, first)


def case_class(word: str) -> int:
    """0 lower or no case, 1 Capital, 2 UPPER, 3 mIxed."""
    if word.islower() or word.lower() == word:
        return 0
    if len(word) > 1 and word.isupper():
        return 2
    return 1 if word[0].isupper() and word[1:] == word[1:].lower() else 3


def pad_batch(sentences: Sequence[EncoderInput], pad: int) -> dict[str, np.ndarray]:
    """The arrays the model takes: `ids`, `mask`, `cases` (sentences, subwords) and `first` (sentences, slots)."""
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
