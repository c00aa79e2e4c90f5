"""The network: an encoder, and BERT's head that says which subword a hidden one is."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import nn
from torch.nn import functional as F

from errata.systems.encoder.masking import IGNORED


class Answers(NamedTuple):
    """Sums over the hidden subwords of a batch: their loss, how many were found, how many there are."""

    loss: torch.Tensor
    n_right: torch.Tensor
    n_hidden: torch.Tensor


class MaskedLanguageModel(nn.Module):
    """An encoder with a head whose matrix is the encoder's table of subwords."""

    def __init__(self, encoder: nn.Module, hidden: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.head = Head(hidden, self.embeddings.num_embeddings)

    @property
    def embeddings(self) -> nn.Embedding:
        """The encoder's table of subwords."""
        table: nn.Embedding = self.encoder.get_input_embeddings()  # type: ignore[operator]
        return table

    def forward(self, ids: torch.Tensor, places: torch.Tensor, labels: torch.Tensor) -> Answers:
        """The loss at the places (inputs, places) of `ids` (inputs, positions); nothing is padding.

        Without an attention mask the fastest kernels can be used. Only the states at the places are compared with the
        vocabulary, which costs as much as several layers.
        """
        states = self.encoder(input_ids=ids).last_hidden_state  # (inputs, positions, hidden)
        asked = states.gather(1, places.unsqueeze(-1).expand(-1, -1, states.shape[-1]))
        scores = self.head(asked, self.embeddings.weight).flatten(0, 1).float()  # (inputs × places, subwords)
        wanted = labels.flatten()
        loss = F.cross_entropy(scores, wanted, ignore_index=IGNORED, reduction="sum")
        return Answers(loss, (scores.argmax(-1) == wanted).sum(), (wanted != IGNORED).sum())


class Head(nn.Module):
    """From a state to a score for every subword."""

    def __init__(self, hidden: int, n_subwords: int) -> None:
        super().__init__()
        self.transform = nn.Sequential(nn.Linear(hidden, hidden), nn.GELU(), nn.LayerNorm(hidden))
        self.bias = nn.Parameter(torch.zeros(n_subwords))

    def forward(self, states: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
        return F.linear(self.transform(states), table, self.bias)
