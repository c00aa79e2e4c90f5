"""A network that gives sentences vectors: an encoder, with the case of words beside their subwords if asked."""

from __future__ import annotations

from typing import Literal, TypeAlias

import torch
from torch import nn

from errata.networks.subwords import N_CASES

# Which state stands for a sentence: that of its start mark, or the mean over all subwords, marks included.
Pooling: TypeAlias = Literal["first", "mean"]


class SentenceModel(nn.Module):
    """Subwords (sentences, subwords) to vectors (sentences, hidden)."""

    def __init__(self, encoder: nn.Module, hidden: int, pooling: Pooling, *, has_cases: bool = False) -> None:
        super().__init__()
        self.encoder, self.hidden, self.pooling = encoder, hidden, pooling
        self.cases = nn.Embedding(N_CASES, hidden) if has_cases else None
        if self.cases is not None:
            nn.init.zeros_(self.cases.weight)  # the pretrained encoder starts out as it was

    @property
    def embeddings(self) -> nn.Embedding:
        """The encoder's table of subwords."""
        table: nn.Embedding = self.encoder.get_input_embeddings()  # type: ignore[operator]
        return table

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, cases: torch.Tensor) -> torch.Tensor:
        embedded = self.embeddings(ids)
        if self.cases is not None:
            embedded = embedded + self.cases(cases)
        states: torch.Tensor = self.encoder(inputs_embeds=embedded, attention_mask=mask).last_hidden_state
        if self.pooling == "first":
            return states[:, 0]
        weights = mask.unsqueeze(-1).to(states.dtype)
        return (states * weights).sum(1) / weights.sum(1)
