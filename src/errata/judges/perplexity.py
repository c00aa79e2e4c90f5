"""How well a causal language model foresees texts: their mean loss per subword, the logarithm of the perplexity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from errata.judges.batching import plan_batches

if TYPE_CHECKING:
    from errata.systems.lm.causal import Causal

# Subwords in a batch, padding and all: a GPU wants more.
CPU_BATCH, GPU_BATCH = 2048, 32768


class Perplexity:
    """Losses under a causal language model; those of a text do not depend on other texts."""

    def __init__(self, causal: Causal) -> None:
        self._causal, self._start = causal, causal.start
        self._device = next(causal.model.parameters()).device
        self._longest = int(getattr(causal.model.config, "max_position_embeddings", 2**20))

    def losses(self, texts: Sequence[str]) -> np.ndarray:
        """The mean negative log-probability of each text's subwords, in nats; 0 for an empty text.

        What is longer than the model can read is judged by its beginning.
        """
        rows = [[self._start, *self._causal.tokenizer.encode(text, add_special_tokens=False)] for text in texts]
        rows = [row[: self._longest] for row in rows]
        found = np.zeros(len(rows))
        limit = CPU_BATCH if self._device.type == "cpu" else GPU_BATCH
        for batch in plan_batches([len(row) for row in rows], limit):
            found[batch] = self._run([rows[place] for place in batch])
        return found

    def _run(self, rows: Sequence[list[int]]) -> list[float]:
        import torch
        from torch.nn import functional as F

        longest = max(map(len, rows))
        if longest == 1:
            return [0.0] * len(rows)
        # Padding comes after what is scored, and a causal model does not look ahead, so no mask is needed.
        ids = torch.tensor([row + [self._start] * (longest - len(row)) for row in rows], device=self._device)
        with torch.inference_mode():
            logits = self._causal.model(ids).logits[:, :-1].float()
            losses = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten(), reduction="none").view(len(rows), -1)
        return [
            float(one[: len(row) - 1].double().sum()) / max(1, len(row) - 1)
            for one, row in zip(losses, rows, strict=True)
        ]
