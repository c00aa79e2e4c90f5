"""Batched beam search with a length penalty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch

from errata.systems.seq2seq.network import Network


class _Finished(NamedTuple):
    score: float
    subwords: list[int]


def beam_search(
    network: Network,
    ids: torch.Tensor,
    mask: torch.Tensor,
    *,
    start: Sequence[int],
    end: int,
    beam: int,
    length_penalty: float,
    limit: int,
) -> list[list[int] | None]:
    """The best answer to each source, without `start` and `end`; None where none ended within `limit` subwords.

    A finished answer's score is its log-probability over its length (the end mark counts) to `length_penalty`. The
    search for a sentence ends when a finished answer scores at least as high as the best unfinished one does so far.
    (Stopping at as many finished answers as beams would lose long corrections to early ends of bad beams.)
    """
    sentences, device = ids.shape[0], ids.device
    session = network.begin(ids, mask, beam)
    rows = torch.arange(sentences * beam, device=device)
    for subword in start:
        logits = session.step(torch.full_like(rows, subword))
    scores = torch.full((sentences, beam), -torch.inf, device=device)
    scores[:, 0] = 0.0  # all beams are the same yet
    written = torch.zeros((sentences * beam, 0), dtype=torch.int64, device=device)
    finished: list[list[_Finished]] = [[] for _ in range(sentences)]
    active = list(range(sentences))
    for length in range(1, limit + 1):
        totals = scores[..., None] + logits.float().log_softmax(-1).view(len(active), beam, -1)
        vocabulary = totals.shape[-1]
        best, where = totals.flatten(1).topk(2 * beam)  # (sentences, 2 · beam): enough if half of them end
        parent, subword_of = where // vocabulary, where % vocabulary
        is_end = subword_of == end
        for number, rank in (is_end & best.isfinite())[:, :beam].nonzero().tolist():
            row = number * beam + int(parent[number, rank])
            score = float(best[number, rank]) / length**length_penalty
            finished[active[number]].append(_Finished(score, written[row].tolist()))
        scores, chosen = best.masked_fill(is_end, -torch.inf).topk(beam)
        rows = torch.arange(len(active), device=device)[:, None] * beam + parent.gather(1, chosen)
        following = subword_of.gather(1, chosen)
        leading = (scores[:, 0] / length**length_penalty).tolist()
        left = [n for n, number in enumerate(active) if not _is_done(finished[number], leading[n])]
        if not left or length == limit:
            break
        if len(left) < len(active):
            active = [active[n] for n in left]
            kept = torch.tensor(left, device=device)
            scores, rows, following = scores[kept], rows[kept], following[kept]
        written = torch.cat([written[rows.flatten()], following.flatten()[:, None]], 1)
        session.select(rows.flatten())
        logits = session.step(following.flatten())
    return [max(answers, key=lambda one: one.score).subwords if answers else None for answers in finished]


def _is_done(answers: Sequence[_Finished], leading: float) -> bool:
    return any(answer.score >= leading for answer in answers)
