"""The networks: a pointer over what follows, tags with counts, and masks to fill; over one encoder or three."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import nn
from torch.nn import functional as F

from errata.systems.stg.plan import Tag

SWITCH, TAGGER, GENERATOR = range(3)
# The pointer is told how far apart two slots are, up to REACH; at first it holds that a slot follows the one before it.
REACH = 32
AS_IT_WAS = 6.0
IMPOSSIBLE = -1e4


class Reading(NamedTuple):
    """What decoding needs of a sentence; `pointers` are log-probabilities, the others probabilities."""

    pointers: torch.Tensor  # (sentences, slots, slots): the slot that follows; slot 0 is the end
    tags: torch.Tensor  # (sentences, slots, tags)
    counts: torch.Tensor  # (sentences, slots, max_insert): one to insert, two …


class StgModel(nn.Module):
    """Switch, Tagger and Generator. `encoders` holds one for all (joint) or one for each (independent)."""

    fill_bias: torch.Tensor

    def __init__(
        self,
        encoders: Sequence[nn.Module],
        hidden: int,
        *,
        max_insert: int,
        n_types: int,
        fillable: Sequence[int],
        has_hints: bool = False,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.encoders = nn.ModuleList(encoders)
        self.dropout = nn.Dropout(dropout)
        self.query, self.key = nn.Linear(hidden, hidden), nn.Linear(hidden, hidden)
        self.distance = nn.Parameter(torch.zeros(2 * REACH + 1))
        nn.init.constant_(self.distance[REACH + 1], AS_IT_WAS)
        self.tags, self.counts = nn.Linear(hidden, len(Tag)), nn.Linear(hidden, max_insert)
        self.transform = nn.Sequential(nn.Linear(hidden, hidden), nn.GELU(), nn.LayerNorm(hidden))
        rows = self.embeddings(GENERATOR).weight.shape[0]
        self.bias = nn.Parameter(torch.zeros(rows))
        self.hint = nn.Linear(hidden, hidden, bias=False) if has_hints else None
        if self.hint is not None:
            nn.init.zeros_(self.hint.weight)  # the pretrained encoder starts out as it was
        # Type identification (TTI) trains each encoder; nothing reads it afterwards.
        self.types = nn.ModuleList(nn.Linear(hidden, n_types) for _ in encoders if n_types)
        forbidden = torch.full((rows,), IMPOSSIBLE)
        forbidden[list(fillable)] = 0
        self.register_buffer("fill_bias", forbidden, persistent=False)

    @property
    def is_joint(self) -> bool:
        return len(self.encoders) == 1

    def encoder(self, stage: int) -> nn.Module:
        """The encoder of a stage."""
        return self.encoders[0 if self.is_joint else stage]

    def embeddings(self, stage: int) -> nn.Embedding:
        """The table of subwords of a stage's encoder."""
        table: nn.Embedding = self.encoder(stage).get_input_embeddings()  # type: ignore[operator]
        return table

    def encode(
        self, stage: int, ids: torch.Tensor, mask: torch.Tensor, hints: torch.Tensor | None = None
    ) -> torch.Tensor:
        """States (sentences, subwords, hidden); `hints` are the subwords that masks replace, −1 where there is none."""
        embedded = self.embeddings(stage)(ids)
        if hints is not None and self.hint is not None:
            # `padding_idx`: else the gradients of all that is no hint would be added up one after the other.
            hinted = self.hint(F.embedding(hints.clamp(min=0), self.embeddings(stage).weight, padding_idx=0))
            embedded = embedded + hinted * (hints >= 0).unsqueeze(-1)
        states: torch.Tensor = self.encoder(stage)(inputs_embeds=embedded, attention_mask=mask).last_hidden_state
        return self.dropout(states)  # type: ignore[no-any-return]

    def point(self, slots: torch.Tensor, first: torch.Tensor) -> torch.Tensor:
        """Pointer scores (sentences, slots, slots) from the states of the slots."""
        n = slots.shape[1]
        scores = self.query(slots) @ self.key(slots).transpose(1, 2) * slots.shape[-1] ** -0.5
        number = torch.arange(n, device=first.device)
        is_slot = (first > 0) | (number == 0)
        # The end, which is slot 0 as a column, stands behind the last slot.
        to_others = self._distance_bias(number - number[:, None])  # (slots, slots)
        to_end = self._distance_bias(is_slot.sum(1, keepdim=True) - number).unsqueeze(-1)  # (sentences, slots, 1)
        bias = torch.where(number == 0, to_end, to_others)
        allowed = is_slot[:, None, :] & (number[:, None] != number)
        return torch.where(allowed, scores.float() + bias, IMPOSSIBLE)

    def _distance_bias(self, apart: torch.Tensor) -> torch.Tensor:
        # No look-up: a GPU would add up its gradient one after the other for each of the few distances.
        chosen = F.one_hot(apart.clamp(-REACH, REACH) + REACH, 2 * REACH + 1)
        return (chosen * self.distance).sum(-1)

    def fill_scores(self, states: torch.Tensor, where: torch.Tensor) -> torch.Tensor:
        """Scores (sentences, masks, subwords) of what belongs to the masks at `where`."""
        return F.linear(self.transform(gather(states, where)), self.embeddings(GENERATOR).weight, self.bias)

    def read(self, ids: torch.Tensor, mask: torch.Tensor, first: torch.Tensor) -> Reading:
        """Order and tags of sentences; the tags are right where the order stays, others are read again re-ordered."""
        states = self.encode(SWITCH, ids, mask)
        pointers = self.point(gather(states, first), first).log_softmax(-1)
        slots = gather(states if self.is_joint else self.encode(TAGGER, ids, mask), first)
        tags = self.tags(slots).float().softmax(-1)
        return Reading(pointers, tags, self.counts(slots).float().softmax(-1))

    def fill(
        self, ids: torch.Tensor, mask: torch.Tensor, hints: torch.Tensor, where: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The best subword for each mask and its probability, both (sentences, masks)."""
        scores = self.fill_scores(self.encode(GENERATOR, ids, mask, hints), where).float() + self.fill_bias
        best, subword = scores.max(-1)
        return subword, (best - scores.logsumexp(-1)).exp()


def gather(states: torch.Tensor, where: torch.Tensor) -> torch.Tensor:
    """The states at positions `where` (sentences, places)."""
    return states.gather(1, where.unsqueeze(-1).expand(-1, -1, states.shape[-1]))
