"""The network: an encoder, and a probability for every label from the state of a sentence's start."""

from __future__ import annotations

import torch
from torch import nn


class ClassifierModel(nn.Module):
    """Encoder with one output for each label; labels do not exclude each other."""

    def __init__(self, encoder: nn.Module, hidden: int, n_labels: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.encoder = encoder
        self.dropout = nn.Dropout(dropout)
        self.labels = nn.Linear(hidden, n_labels)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Scores (sentences, labels)."""
        states = self.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        return self.labels(self.dropout(states[:, 0]))  # type: ignore[no-any-return]

    def probabilities(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Probabilities (sentences, labels)."""
        return self(ids, mask).float().sigmoid()  # type: ignore[no-any-return]
