"""Tokens to the encoder's subwords and back: whole sentences, sentences with masks, and what may fill a mask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from errata.networks.subwords import MAX_SUBWORDS, EncoderInput, Subwords
from errata.networks.tokenizer import mark_id

NO_HINT = -1


@dataclass(frozen=True, slots=True)
class Mask:
    """A token to be generated, in the place of `hint` or of nothing."""

    hint: str | None = None


@dataclass(frozen=True, slots=True)
class Masked:
    """A sentence for the generator: subwords, where the masks are, and the subword each replaces (or `NO_HINT`)."""

    ids: list[int]
    where: list[int]
    hints: list[int]


class StgSubwords:
    """The subwords of one encoder (`base`) for one language, with the mask."""

    def __init__(self, base: Subwords, language: str) -> None:
        self.base, self.language = base, language
        self.mask = mark_id(base.tokenizer, "[MASK]", "<mask>", origin=base.origin)
        self._marks = {self.mask, base.pad, base.start, base.end}
        self._marks.add(mark_id(base.tokenizer, "[UNK]", "<unk>", origin=base.origin))
        self._singles: dict[str, int | None] = {}

    @classmethod
    def load(cls, folder: Path, max_positions: int, language: str) -> StgSubwords:
        """The tokenizer in a system folder."""
        return cls(Subwords.load(folder, max_positions), language)

    @property
    def room(self) -> int:
        """The longest sentence in subwords."""
        return self.base.max_positions - 2

    @cached_property
    def fills(self) -> dict[int, str]:
        """The subwords that may fill a mask, and the token each makes: one that the tokenizer reads as this subword."""
        tokenizer = self.base.tokenizer
        texts = {number: tokenizer.decode([number]).strip() for number in sorted(tokenizer.get_vocab().values())}
        return {number: text for number, text in texts.items() if text and self.subword_of(text) == number}

    def subword_of(self, token: str) -> int | None:
        """The subword that makes exactly this token; None when no single one does."""
        if self.language == "zh" and len(token) != 1:
            return None
        ids, _ = self.base.word(token)
        return ids[0] if len(ids) == 1 and ids[0] not in self._marks else None

    def encode(self, tokens: Sequence[str]) -> EncoderInput:
        """The same as `Subwords.encode`, but faster where each token is one subword, as in Chinese."""
        if len(tokens) <= self.room:
            ids = [self._single(token) for token in tokens]
            if None not in ids:
                whole = [self.base.start, *ids, self.base.end]
                return EncoderInput(whole, [0] * len(whole), list(range(len(ids) + 1)))  # type: ignore[arg-type]
        return self.base.encode(tokens)

    def _single(self, token: str) -> int | None:
        """The only subword of a token, which may be the unknown one; None where there are several."""
        known = self._singles.get(token, NO_HINT)
        if known == NO_HINT:
            ids = self.base.word(token)[0]
            known = self._singles[token] = ids[0] if len(ids) == 1 else None
        return known

    def encode_masked(self, tokens: Sequence[str | Mask]) -> Masked:
        """The subwords of a sentence with masks, which must fit into `room`."""
        cut = [[self.mask] if isinstance(token, Mask) else self.base.word(token)[0] for token in tokens]
        limit = MAX_SUBWORDS
        while limit > 1 and sum(min(len(ids), limit) for ids in cut) > self.room:
            limit -= 1
        masked = Masked([self.base.start], [], [])
        for token, ids in zip(tokens, cut, strict=True):
            if isinstance(token, Mask):
                masked.where.append(len(masked.ids))
                masked.hints.append(NO_HINT if token.hint is None else self.base.word(token.hint)[0][0])
            masked.ids.extend(ids[:limit])
        masked.ids.append(self.base.end)
        return masked


def pad_masked(sentences: Sequence[Masked], pad: int) -> dict[str, np.ndarray]:
    """The arrays the generator takes: `ids`, `mask`, `hints` (sentences, subwords) and `where` (sentences, masks)."""
    rows, longest = len(sentences), max((len(one.ids) for one in sentences), default=0)
    ids = np.full((rows, longest), pad, np.int64)
    mask = np.zeros((rows, longest), np.int64)
    hints = np.full((rows, longest), NO_HINT, np.int64)
    where = np.zeros((rows, max((len(one.where) for one in sentences), default=0)), np.int64)
    for row, one in enumerate(sentences):
        ids[row, : len(one.ids)] = one.ids
        mask[row, : len(one.ids)] = 1
        hints[row, one.where] = one.hints
        where[row, : len(one.where)] = one.where
    return {"ids": ids, "mask": mask, "hints": hints, "where": where}
