"""The network that rates corrections."""

from __future__ import annotations

import torch
from torch import nn

from errata.judges.sentence_model import SentenceModel


class RatingModel(nn.Module):
    """Three ratings of a hypothesis: two from its vector, the meaning from what it has in common with its source."""

    def __init__(self, sentences: SentenceModel, dropout: float = 0.0) -> None:
        super().__init__()
        self.sentences = sentences
        self.dropout = nn.Dropout(dropout)
        self.alone = nn.Linear(sentences.hidden, 2)
        self.together = nn.Linear(2 * sentences.hidden, 1)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, cases: torch.Tensor) -> torch.Tensor:
        """Ratings (pairs, 3); the first half of the rows are sources, the second half hypotheses."""
        source, hypothesis = self.dropout(self.sentences(ids, mask, cases)).float().chunk(2)
        common = torch.cat([source * hypothesis, (source - hypothesis).abs()], -1)
        return torch.cat([self.alone(hypothesis), self.together(common)], -1)
