"""The network that ranks corrections: a sentence model and a score."""

from __future__ import annotations

import torch
from torch import nn

from errata.judges.sentence_model import SentenceModel


class RankingModel(nn.Module):
    """A score for every sentence, on no particular scale: what matters is which of two is higher."""

    def __init__(self, sentences: SentenceModel, dropout: float = 0.0) -> None:
        super().__init__()
        self.sentences = sentences
        self.dropout = nn.Dropout(dropout)
        self.score = nn.Linear(sentences.hidden, 1)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, cases: torch.Tensor) -> torch.Tensor:
        """Scores (sentences,)."""
        return self.score(self.dropout(self.sentences(ids, mask, cases))).squeeze(-1)  # type: ignore[no-any-return]
