"""Probabilities of sentences under a causal language model; alternatives are scored from where they differ.

The original goes through the model once. That gives its score, the keys and values of every prefix, and the probability
of the first different subword of every alternative. If that is improbable, the alternative is not run.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import torch
from torch import nn

from errata.systems.lm.causal import Causal

# Subwords in one batch of alternatives, shared prefixes included: limits memory and keeps a batch in the CPU's cache.
BATCH_PIECES = 2048


class Scorer:
    """Total negative log-probabilities under a causal language model."""

    def __init__(self, causal: Causal, *, margin: float, batch_pieces: int = BATCH_PIECES) -> None:
        self.model, self.tokenizer, self.margin, self.batch_pieces = *causal, margin, batch_pieces
        self.start = causal.start
        self.device = next(causal.model.parameters()).device

    def pieces(self, text: str) -> list[int]:
        """The subwords of a text, after the start mark."""
        return [self.start, *self.tokenizer.encode(text, add_special_tokens=False)]

    @torch.inference_mode()
    def score(self, original: str, alternatives: Sequence[str]) -> tuple[float, dict[str, float]]:
        """The total negative log-probability of the original, and of every alternative that has a chance.

        An alternative has none if its first different subword is `margin` nats less probable than the original's.
        """
        pieces = self.pieces(original)
        answer = self.model(torch.tensor([pieces], device=self.device), use_cache=True)
        shares = answer.logits[0].float().log_softmax(-1)  # (subwords, vocabulary)
        losses = _losses(shares[:-1], pieces[1:])
        chosen: list[tuple[int, list[int], str]] = []  # subwords shared with the original, subwords, text
        for text in dict.fromkeys(alternatives):
            other = self.pieces(text)
            shared = _shared(pieces, other)
            if self._is_hopeful(shares, pieces, other, shared):
                chosen.append((shared, other, text))
        chosen.sort(key=lambda one: one[0], reverse=True)
        found: dict[str, float] = {}
        cache = answer.past_key_values
        for batch in self._batches(chosen):
            # The longest shared prefix comes first, so the cache only gets shorter.
            shared = min(one[0] for one in batch)
            if surplus := cache.get_seq_length() - (shared - 1):
                cache.crop(-surplus)
            before = float(losses[: shared - 1].sum())
            rows = [other[shared - 1 :] for _, other, _ in batch]
            for (_, _, text), loss in zip(batch, self._suffixes(cache, rows), strict=True):
                found[text] = before + loss
        return float(losses.sum()), found

    def _is_hopeful(self, shares: torch.Tensor, pieces: Sequence[int], other: Sequence[int], shared: int) -> bool:
        if shared == len(other) or shared == len(pieces):
            return True
        given = shares[shared - 1]
        return bool(given[other[shared]] >= given[pieces[shared]] - self.margin)

    def _batches(self, chosen: Sequence[tuple[int, list[int], str]]) -> list[list[tuple[int, list[int], str]]]:
        batches: list[list[tuple[int, list[int], str]]] = []
        width = 0
        for one in chosen:
            width = max(width, len(one[1]))
            if not batches or (len(batches[-1]) + 1) * width > self.batch_pieces:
                batches.append([])
                width = len(one[1])
            batches[-1].append(one)
        return batches

    def _suffixes(self, cache: Any, rows: Sequence[list[int]]) -> list[float]:
        """The total loss of each row without its first subword; the cache holds the prefix of all rows."""
        longest = max(map(len, rows))
        if longest == 1:
            return [0.0] * len(rows)
        # Padding comes after what is scored, and a causal model does not look ahead, so no mask is needed.
        ids = torch.tensor([row + [self.start] * (longest - len(row)) for row in rows], device=self.device)
        repeated = None
        if cache.get_seq_length():
            repeated = deepcopy(cache)
            repeated.batch_repeat_interleave(len(rows))
        logits = self.model(ids, past_key_values=repeated, use_cache=True).logits
        losses = nn.functional.cross_entropy(
            logits[:, :-1].float().flatten(0, 1), ids[:, 1:].flatten(), reduction="none"
        )
        summed = losses.view(len(rows), -1)
        return [float(summed[i, : len(row) - 1].sum()) for i, row in enumerate(rows)]


def _losses(shares: torch.Tensor, pieces: Sequence[int]) -> torch.Tensor:
    index = torch.tensor(pieces, device=shares.device, dtype=torch.long).unsqueeze(-1)
    return -shares.gather(1, index).squeeze(-1)


def _shared(a: Sequence[int], b: Sequence[int]) -> int:
    """How many subwords two texts have in common at the beginning, the start mark included."""
    n = 0
    while n < min(len(a), len(b)) and a[n] == b[n]:
        n += 1
    return n
