"""Probabilities of sentences under a causal language model; alternatives are scored from where they differ.

The originals of several sentences go through the model at once. That gives their scores, the keys and values of every
prefix, and the probability of the first different subword of every alternative. If that is improbable, the alternative
is not run. The others are run together with those of other sentences that share about as many subwords with theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import Any

import torch
from torch import nn

from errata.systems.lm.causal import Causal

# Subwords in one batch of alternatives: limits memory and keeps a batch in the CPU's cache.
BATCH_PIECES = 2048
GPU_BATCH_PIECES = 8192
# Originals that are read at once have this share of those subwords: each has several alternatives.
ORIGINALS = 4
# What a run of the model costs beside its subwords, in subwords: two runs are made of one if that costs less. A CPU
# reads all weights once; a GPU waits for the program that starts some thousand small steps.
RUN_PIECES = 24
GPU_RUN_PIECES = 1024
# A loss that is not asked for: PyTorch's number for targets to ignore.
IGNORED = -100

Asked = tuple[str, Sequence[str]]
"""A sentence and its alternatives."""


@dataclass(frozen=True, slots=True)
class _Row:
    """An alternative to sentence number `sentence`, with which it shares the first `shared` subwords."""

    sentence: int
    text: str
    pieces: list[int]
    shared: int


class Scorer:
    """Total negative log-probabilities under a causal language model."""

    def __init__(
        self, causal: Causal, *, margin: float, batch_pieces: int | None = None, run_pieces: int | None = None
    ) -> None:
        self.model, self.tokenizer, self.margin = *causal, margin
        self.start = causal.start
        self.device = next(causal.model.parameters()).device
        on_cpu = self.device.type == "cpu"
        self.batch_pieces = batch_pieces or (BATCH_PIECES if on_cpu else GPU_BATCH_PIECES)
        self.run_pieces = run_pieces or (RUN_PIECES if on_cpu else GPU_RUN_PIECES)

    def pieces(self, text: str) -> list[int]:
        """The subwords of a text, after the start mark."""
        return self._all_pieces([text])[0]

    def _all_pieces(self, texts: Sequence[str]) -> list[list[int]]:
        encoded = self.tokenizer(list(texts), add_special_tokens=False, return_attention_mask=False)["input_ids"]
        return [[self.start, *pieces] for pieces in encoded]

    def score(self, original: str, alternatives: Sequence[str]) -> tuple[float, dict[str, float]]:
        """The total negative log-probability of the original, and of every alternative that has a chance.

        An alternative has none if its first different subword is `margin` nats less probable than the original's.
        """
        return self.score_all([(original, alternatives)])[0]

    def score_all(self, asked: Sequence[Asked]) -> list[tuple[float, dict[str, float]]]:
        """The same for several sentences, in order; sentences of about the same length cost least side by side."""
        found: list[tuple[float, dict[str, float]]] = []
        for group in self._groups(asked):
            found += self._score_group(group)
        return found

    def _groups(self, asked: Sequence[Asked]) -> Iterator[list[tuple[list[int], Sequence[str]]]]:
        """Sentences whose originals go through the model at once: their subwords, and their alternatives."""
        group: list[tuple[list[int], Sequence[str]]] = []
        width = 0
        originals = self._all_pieces([original for original, _ in asked]) if asked else []
        for pieces, (_, alternatives) in zip(originals, asked, strict=True):
            width = max(width, len(pieces))
            if group and (len(group) + 1) * width > self.batch_pieces // ORIGINALS:
                yield group
                group, width = [], len(pieces)
            group.append((pieces, alternatives))
        if group:
            yield group

    @torch.inference_mode()
    def _score_group(self, group: Sequence[tuple[list[int], Sequence[str]]]) -> list[tuple[float, dict[str, float]]]:
        originals = [pieces for pieces, _ in group]
        answer = self.model(self._pad(originals, self.start), use_cache=True)
        shares = answer.logits.float().log_softmax(-1)  # (sentences, subwords, vocabulary)
        targets = self._pad([pieces[1:] for pieces in originals], 0, width=shares.shape[1])
        losses = -shares.gather(2, targets.unsqueeze(2)).squeeze(2)
        before = [list(accumulate(row, initial=0.0)) for row in losses.tolist()]  # of the first 1, 2 … subwords
        found: list[tuple[float, dict[str, float]]] = [
            (sums[len(pieces) - 1], {}) for sums, pieces in zip(before, originals, strict=True)
        ]
        rows = self._hopeful(shares, originals, list(self._rows(group)))
        cache = answer.past_key_values
        del answer, shares  # the largest there is
        for shared, batch in self._batches(rows):
            suffixes = self._suffixes(cache, shared, batch)
            for row, loss in zip(batch, suffixes, strict=True):
                found[row.sentence][1][row.text] = before[row.sentence][shared - 1] + loss
        return found

    def _rows(self, group: Sequence[tuple[list[int], Sequence[str]]]) -> Iterator[_Row]:
        texts = [(number, text) for number, (_, others) in enumerate(group) for text in dict.fromkeys(others)]
        pieces = self._all_pieces([text for _, text in texts]) if texts else []
        for (number, text), other in zip(texts, pieces, strict=True):
            yield _Row(number, text, other, _shared(group[number][0], other))

    def _hopeful(self, shares: torch.Tensor, originals: Sequence[Sequence[int]], rows: Sequence[_Row]) -> list[_Row]:
        """The rows with a chance; all are looked up at once, since a GPU makes the program wait for every answer."""
        asked = [row for row in rows if row.shared < min(len(row.pieces), len(originals[row.sentence]))]
        if not asked:
            return list(rows)
        places = [
            (row.sentence, row.shared - 1, row.pieces[row.shared], originals[row.sentence][row.shared]) for row in asked
        ]
        sentences, at, theirs, ours = torch.tensor(places, device=self.device).unbind(1)
        is_hopeful = shares[sentences, at, theirs] >= shares[sentences, at, ours] - self.margin
        hopeless = {id(row) for row, has_chance in zip(asked, is_hopeful.tolist(), strict=True) if not has_chance}
        return [row for row in rows if id(row) not in hopeless]

    def _batches(self, rows: Sequence[_Row]) -> Iterator[tuple[int, list[_Row]]]:
        """Rows that are run together, and how many subwords each of them shares with its original at least.

        What a row shares beyond that is computed again, and rows are as wide as the widest: the division is the one
        that costs least. Rows that share most come first.
        """
        ordered = sorted(rows, key=lambda row: row.shared, reverse=True)
        levels = [(shared, list(some)) for shared, some in groupby(ordered, key=lambda row: row.shared)]
        costs, cuts = [0], [0]  # of the first levels, and where the last division of them begins
        for last in range(1, len(levels) + 1):
            best, cut, n_rows, widest = -1, 0, 0, 0
            for first in range(last - 1, -1, -1):
                level = levels[first][1]
                n_rows, widest = n_rows + len(level), max(widest, *(len(row.pieces) for row in level))
                cost = costs[first] + self.run_pieces + n_rows * (widest - levels[last - 1][0] + 1)
                if best < 0 or cost < best:
                    best, cut = cost, first
            costs.append(best)
            cuts.append(cut)
        divisions, last = [], len(levels)
        while last:
            divisions.append((levels[last - 1][0], [row for _, level in levels[cuts[last] : last] for row in level]))
            last = cuts[last]
        for shared, division in reversed(divisions):
            yield from ((shared, batch) for batch in self._cut(shared, division))

    def _cut(self, shared: int, rows: Sequence[_Row]) -> Iterator[list[_Row]]:
        """The rows in batches of few enough subwords, those of about the same length together."""
        batch: list[_Row] = []
        for row in sorted(rows, key=lambda row: len(row.pieces)):
            if batch and (len(batch) + 1) * (len(row.pieces) - shared + 1) > self.batch_pieces:
                yield batch
                batch = []
            batch.append(row)
        if batch:
            yield batch

    def _suffixes(self, cache: Any, shared: int, rows: Sequence[_Row]) -> list[float]:
        """The total loss of each row after its first `shared` subwords."""
        suffixes = [row.pieces[shared - 1 :] for row in rows]
        if max(map(len, suffixes)) == 1:
            return [0.0] * len(rows)
        # Padding comes after what is scored, and a causal model does not look ahead, so no mask is needed.
        ids = self._pad(suffixes, self.start)
        prefixes = self._prefixes(cache, shared - 1, [row.sentence for row in rows])
        logits = self.model(ids, past_key_values=prefixes, use_cache=True).logits
        targets = self._pad([suffix[1:] for suffix in suffixes], IGNORED, width=ids.shape[1])
        losses = nn.functional.cross_entropy(
            logits.float().flatten(0, 1), targets.flatten(), reduction="none", ignore_index=IGNORED
        )
        return [float(loss) for loss in losses.view(len(rows), -1).sum(1).tolist()]

    def _prefixes(self, cache: Any, length: int, sentences: Sequence[int]) -> Any:
        """What the model knows of the first `length` subwords of these sentences; the cache stays as it is."""
        if not length:
            return None
        chosen = copy(cache)
        chosen.layers = [copy(layer) for layer in cache.layers]  # what follows gives them new tensors
        if surplus := chosen.get_seq_length() - length:
            chosen.crop(-surplus)
        chosen.batch_select_indices(torch.tensor(sentences, device=self.device))
        return chosen

    def _pad(self, rows: Sequence[Sequence[int]], filler: int, *, width: int = 0) -> torch.Tensor:
        """The rows as one tensor, as wide as the longest."""
        width = width or max(map(len, rows))
        return torch.tensor([[*row, *[filler] * (width - len(row))] for row in rows], device=self.device)


def _shared(a: Sequence[int], b: Sequence[int]) -> int:
    """How many subwords two texts have in common at the beginning, the start mark included."""
    n = 0
    while n < min(len(a), len(b)) and a[n] == b[n]:
        n += 1
    return n
