"""Probabilities of sentences under a causal language model; alternatives are scored from where they differ.

The originals of several sentences go through the model at once. That gives their scores, the keys and values of every
prefix, and the probability of the first different subword of every alternative. If that is improbable, the alternative
is not run. The others are run as far as a few subwords behind the change; those that are behind the original there are
given up, and the rest is run to its end.

Alternatives of one sentence stand side by side in one line, a pack: a mask has each see the prefix that it shares with
the original, which is computed once, and itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Any

import torch

from errata.systems.lm.causal import Causal

# Subwords that go through the model at once: limits memory and keeps a batch in the CPU's cache.
BATCH_PIECES = 1024
GPU_BATCH_PIECES = 8192
# Subwords in one pack at most: the mask has a number for each two of them.
PACK_PIECES = 64
# What a run of the model costs beside its subwords, in subwords: two runs are made of one if that costs less. A CPU
# reads all weights once; a GPU waits for the program that starts some thousand small steps.
RUN_PIECES = 24
GPU_RUN_PIECES = 1024
# Places whose probabilities over the whole vocabulary are computed at once: numbers that stay in the CPU's cache.
HEAD_PLACES = 64
GPU_HEAD_PLACES = 2048
# Subwords behind the change that the first look takes in. All 18 changes to 60 sentences of CoNLL-14 were ahead of the
# original there, and six of seven alternatives that pass the margin were not.
LOOK_AHEAD = 2
# Subwords that show what a model does beside its head; several, as the first ones may be marks that it reads as zeros.
PROBE = (0, 1, 2, 3, 4, 5, 6, 7)

Asked = tuple[str, Sequence[str]]
"""A sentence and its alternatives."""


@dataclass(slots=True)
class _Row:
    """An alternative to sentence number `sentence`, with which it shares the first `shared` subwords.

    `look` is how many of its subwords the first look takes in, and `known` the loss of the first `n_known`.
    """

    sentence: int
    text: str
    pieces: list[int]
    shared: int
    look: int
    n_known: int = 0
    known: float = 0.0

    @property
    def is_whole(self) -> bool:
        return self.n_known == len(self.pieces)

    def behind(self, before: Sequence[float]) -> float:
        """By how many nats it is less probable than its original, up to where as many subwords follow in both."""
        return self.known - before[len(before) - 1 - (len(self.pieces) - self.n_known)]


_Pack = list[tuple[_Row, int]]


class Scorer:
    """Total negative log-probabilities under a causal language model."""

    def __init__(
        self,
        causal: Causal,
        *,
        margin: float,
        lag: float = float("inf"),
        batch_pieces: int | None = None,
        pack_pieces: int = PACK_PIECES,
        run_pieces: int | None = None,
    ) -> None:
        self.model, self.tokenizer, self.margin, self.lag = *causal, margin, lag
        self.start = causal.start
        self.device = next(causal.model.parameters()).device
        on_cpu = self.device.type == "cpu"
        self.batch_pieces = batch_pieces or (BATCH_PIECES if on_cpu else GPU_BATCH_PIECES)
        self.pack_pieces = pack_pieces
        self.run_pieces = run_pieces or (RUN_PIECES if on_cpu else GPU_RUN_PIECES)
        self.head_places = HEAD_PLACES if on_cpu else GPU_HEAD_PLACES
        self._splits = _splits(causal.model)

    def pieces(self, text: str) -> list[int]:
        """The subwords of a text, after the start mark."""
        return self._all_pieces([text])[0]

    def _all_pieces(self, texts: Sequence[str]) -> list[list[int]]:
        encoded = self.tokenizer(list(texts), add_special_tokens=False, return_attention_mask=False)["input_ids"]
        return [[self.start, *pieces] for pieces in encoded]

    def score(self, original: str, alternatives: Sequence[str]) -> tuple[float, dict[str, float]]:
        """The total negative log-probability of the original, and of every alternative that has a chance.

        An alternative has none if its first different subword is `margin` nats less probable than the original's, or
        if it is more than `lag` nats less probable as far as the first look goes.
        """
        return self.score_all([(original, alternatives)])[0]

    def score_all(self, asked: Sequence[Asked]) -> list[tuple[float, dict[str, float]]]:
        """The same for many sentences, which cost least if those of about the same length are side by side."""
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
            if group and (len(group) + 1) * width > self.batch_pieces:
                yield group
                group, width = [], len(pieces)
            group.append((pieces, alternatives))
        if group:
            yield group

    @torch.inference_mode()
    def _score_group(self, group: Sequence[tuple[list[int], Sequence[str]]]) -> list[tuple[float, dict[str, float]]]:
        originals, rows = [pieces for pieces, _ in group], list(self._rows(group))
        read, cache = self._read(self._pad(originals, self.start))
        losses, firsts = self._known_losses(read, originals, rows)
        before = [list(accumulate(some, initial=0.0)) for some in losses]  # of the first 1, 2 … subwords
        hopeful = []
        for row, first in zip(rows, firsts, strict=True):
            row.known = before[row.sentence][row.shared - 1]
            if row.is_whole:
                hopeful.append(row)
                continue
            row.n_known, row.known = row.shared + 1, row.known + first
            original = losses[row.sentence][row.shared - 1 : row.shared]
            if not original or first <= original[0] + self.margin:
                hopeful.append(row)
        if self.lag < float("inf"):
            self._run(cache, [(row, row.look) for row in hopeful])
            hopeful = [row for row in hopeful if row.is_whole or row.behind(before[row.sentence]) <= self.lag]
        self._run(cache, [(row, len(row.pieces)) for row in hopeful])
        found: list[tuple[float, dict[str, float]]] = [(some[-1], {}) for some in before]
        for row in hopeful:
            found[row.sentence][1][row.text] = row.known
        return found

    def _known_losses(
        self, read: torch.Tensor, originals: Sequence[Sequence[int]], rows: Sequence[_Row]
    ) -> tuple[list[list[float]], list[float]]:
        """The losses of all subwords of the originals, and of each row's first different one (0 where it has none)."""
        width = read.shape[1]
        asked: list[tuple[int, int]] = []
        for number, pieces in enumerate(originals):
            asked += enumerate(pieces[1:], start=number * width)
        asked += [(row.sentence * width + row.shared - 1, row.pieces[row.shared]) for row in rows if not row.is_whole]
        losses = iter(self._losses(read, asked))
        own = [list(islice(losses, len(pieces) - 1)) for pieces in originals]
        return own, [0.0 if row.is_whole else next(losses) for row in rows]

    def _rows(self, group: Sequence[tuple[list[int], Sequence[str]]]) -> Iterator[_Row]:
        texts = [(number, text) for number, (_, others) in enumerate(group) for text in dict.fromkeys(others)]
        pieces = self._all_pieces([text for _, text in texts]) if texts else []
        for (number, text), other in zip(texts, pieces, strict=True):
            original = group[number][0]
            shared = _shared(original, other)
            most = min(len(original), len(other)) - shared
            ending = min(most, _shared(original[::-1], other[::-1]))
            look = min(len(other), max(shared + 1, len(other) - ending + LOOK_AHEAD))
            yield _Row(number, text, other, shared, look, n_known=shared)

    def _run(self, cache: Any, goals: Sequence[tuple[_Row, int]]) -> None:
        """Run rows until the loss of that many subwords is known."""
        unknown = [(row, end) for row, end in goals if row.n_known < end]
        for batch in self._batches(unknown):
            read = self._read_packs(cache, batch)
            asked: list[tuple[int, int]] = []
            for number, pack in enumerate(batch):
                targets = [piece for row, end in pack for piece in row.pieces[row.shared + 1 : end]]
                asked += enumerate(targets, start=number * read.shape[1])
            losses = iter(self._losses(read, asked))
            for row, end in (goal for pack in batch for goal in pack):
                some = list(islice(losses, end - 1 - row.shared))
                row.known += sum(some[row.n_known - row.shared - 1 :])
                row.n_known = end

    def _batches(self, goals: Sequence[tuple[_Row, int]]) -> Iterator[list[_Pack]]:
        """Packs that are run together, as wide as the widest of them: the division is the one that costs least."""
        packs = sorted(_packs(goals, self.pack_pieces), key=_width)
        costs, cuts = [0], [0]  # of the first packs, and where the last batch of them begins
        for last in range(1, len(packs) + 1):
            width = _width(packs[last - 1])
            most = max(1, self.batch_pieces // width)
            cost, cut = min(
                (costs[first] + self.run_pieces + (last - first) * width, first)
                for first in range(max(0, last - most), last)
            )
            costs.append(cost)
            cuts.append(cut)
        last = len(packs)
        while last:
            yield packs[cuts[last] : last]
            last = cuts[last]

    def _read_packs(self, cache: Any, batch: Sequence[_Pack]) -> torch.Tensor:
        """What the model knows at every place of the packs."""
        # Of each subword in a pack: itself, its place in the text, the length of its prefix, the number of its row.
        packed = [
            [
                (row.pieces[place], place, row.shared, number)
                for number, (row, end) in enumerate(pack)
                for place in range(row.shared, end - 1)
            ]
            for pack in batch
        ]
        ids, places, shared, owners = (
            self._pad([[one[part] for one in pack] for pack in packed], filler)
            for part, filler in enumerate((self.start, 1, 1, -1))
        )
        # (packs, places, places of the original and of the pack)
        is_prefix = torch.arange(cache.get_seq_length(), device=self.device) < shared.unsqueeze(2)
        is_own = (owners.unsqueeze(2) == owners.unsqueeze(1)).tril()
        kind = self.model.get_input_embeddings().weight.dtype
        is_seen = torch.cat((is_prefix, is_own), 2).unsqueeze(1)
        mask = torch.zeros(is_seen.shape, dtype=kind, device=self.device).masked_fill_(~is_seen, torch.finfo(kind).min)
        chosen = copy(cache)
        chosen.layers = [copy(layer) for layer in cache.layers]  # what follows gives them new tensors
        chosen.batch_select_indices(torch.tensor([pack[0][0].sentence for pack in batch], device=self.device))
        return self._read(ids, attention_mask=mask, position_ids=places, past_key_values=chosen)[0]

    def _read(self, ids: torch.Tensor, **options: Any) -> tuple[torch.Tensor, Any]:
        """What the model makes of every place, from which its head foretells the next subword, and its cache.

        Of a model that does more than apply its head, logits.
        """
        answer = (self.model.base_model if self._splits else self.model)(ids, use_cache=True, **options)
        return answer.last_hidden_state if self._splits else answer.logits, answer.past_key_values

    def _losses(self, read: torch.Tensor, asked: Sequence[tuple[int, int]]) -> list[float]:
        """The losses of subwords, each after a place of what was read, counted through all lines."""
        if not asked:
            return []
        read = read.flatten(0, 1)
        places, pieces = torch.tensor(asked, device=self.device).unbind(1)
        needed, which = places.unique(return_inverse=True)  # type: ignore[no-untyped-call]
        losses = torch.empty(len(asked), device=self.device)
        for start in range(0, len(needed), self.head_places):
            some = read[needed[start : start + self.head_places]]
            logits = self.model.get_output_embeddings()(some) if self._splits else some
            shares = logits.float().log_softmax(-1)  # (places, vocabulary)
            (inside,) = ((which >= start) & (which < start + len(some))).nonzero(as_tuple=True)
            losses[inside] = -shares[which[inside] - start, pieces[inside]]
        return losses.tolist()

    def _pad(self, rows: Sequence[Sequence[int]], filler: int) -> torch.Tensor:
        """The rows as one tensor, as wide as the longest."""
        width = max(map(len, rows))
        return torch.tensor([[*row, *[filler] * (width - len(row))] for row in rows], device=self.device)


@torch.inference_mode()
def _splits(model: Any) -> bool:
    """Whether a model's logits are its head applied to its last layer, and nothing else: some bound or scale them."""
    head = model.get_output_embeddings()
    if head is None:
        return False
    some = torch.tensor([PROBE], device=next(model.parameters()).device)
    return torch.equal(head(model.base_model(some).last_hidden_state), model(some).logits)


def _packs(goals: Sequence[tuple[_Row, int]], most: int) -> Iterator[_Pack]:
    """Rows of one sentence that stand in one line, each with how many of its subwords are asked for."""
    pack: _Pack = []
    for row, end in goals:
        if pack and (pack[0][0].sentence != row.sentence or _width([*pack, (row, end)]) > most):
            yield pack
            pack = []
        pack.append((row, end))
    if pack:
        yield pack


def _width(pack: _Pack) -> int:
    return sum(end - 1 - row.shared for row, end in pack)


def _shared(a: Sequence[int], b: Sequence[int]) -> int:
    """How many subwords two texts have in common at the beginning, the start mark included."""
    n = 0
    while n < min(len(a), len(b)) and a[n] == b[n]:
        n += 1
    return n
