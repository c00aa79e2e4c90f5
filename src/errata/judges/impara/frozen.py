"""An encoder that stays as it is: the vectors of all pairs are computed once, and only the score is learnt.

So a judge is trained in minutes on one core, where an encoder takes hours. That of a tagger knows errors already.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import torch
from torch import nn

from errata.judges.batching import plan_batches
from errata.judges.sentence_model import SentenceModel
from errata.judges.twins import Twins, twin_rows
from errata.training.packed import Packed, padded

BATCH_TOKENS = 2048


class VectorPairs:
    """Examples that are the vectors of pairs of sentences: rows 2 i and 2 i + 1 are those of pair i."""

    def __init__(self, packed: Packed) -> None:
        self.packed = packed

    @property
    def lengths(self) -> np.ndarray:
        """Two vectors a pair."""
        return np.full(len(self), 2)

    def __len__(self) -> int:
        return len(self.packed["vectors"]) // 2

    def collate(self, indices: Sequence[int], rng: np.random.Generator) -> dict[str, np.ndarray]:
        """`vectors` (2 × pairs, hidden): all first sentences, then all second ones."""
        return {"vectors": np.asarray(self.packed["vectors"][twin_rows(indices)])}


class FrozenModel(nn.Module):
    """The score alone, on vectors."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.score = nn.Linear(hidden, 1)

    def forward(self, vectors: torch.Tensor) -> torch.Tensor:
        """Scores (sentences,)."""
        return self.score(vectors).squeeze(-1)  # type: ignore[no-any-return]


def pack_vectors(twins: Twins, model: SentenceModel) -> Mapping[str, np.ndarray]:
    """The array that `VectorPairs` reads; a sentence that is in several pairs is encoded once."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = model.to(device).eval()
    offsets = twins.packed["offsets"]
    numbers: dict[bytes, int] = {}
    first: list[int] = []  # the row of each different sentence
    place = np.empty(len(offsets) - 1, int)
    for row, (start, end) in enumerate(pairwise(offsets)):
        known = b"".join(twins.packed[name][start:end].tobytes() for name in ("ids", "cases"))
        place[row] = numbers.setdefault(known, len(first))
        if place[row] == len(first):
            first.append(row)
    rows = np.array(first)
    vectors = np.empty((len(rows), model.hidden), np.float32)
    for batch in plan_batches((offsets[rows + 1] - offsets[rows]).tolist(), BATCH_TOKENS):
        vectors[batch] = _encode(twins, rows[batch], model, device)
    return {"vectors": vectors[place]}


def _encode(twins: Twins, rows: np.ndarray, model: SentenceModel, device: str) -> np.ndarray:
    offsets = twins.packed["offsets"]
    ids = padded(twins.packed["ids"], offsets, rows, twins.pad)
    cases = padded(twins.packed["cases"], offsets, rows, 0)
    mask = (np.arange(ids.shape[1]) < (offsets[rows + 1] - offsets[rows])[:, None]).astype(np.int64)
    with torch.inference_mode():
        found: np.ndarray = (
            model(*(torch.from_numpy(one).to(device) for one in (ids, mask, cases))).float().cpu().numpy()
        )
    return found
