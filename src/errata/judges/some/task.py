"""Training SOME: what the loop asks of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from errata.errors import DataError
from errata.judges.ratings import ASPECTS
from errata.judges.some.model import RatingModel
from errata.judges.some.preparation import Prepared, prepare
from errata.judges.some.saved import save_judge
from errata.judges.some.settings import SomeData, SomeSettings
from errata.judges.starting import build_sentence_model
from errata.training.task import Loss

if TYPE_CHECKING:
    from errata.training.settings import Recipe
    from errata.training.task import Examples

DEV_BATCH = 64  # corrections judged at once


class SomeTask:
    """SOME with its data."""

    Settings: ClassVar[type] = SomeSettings
    DataSettings: ClassVar[type] = SomeData
    backbone: ClassVar[tuple[str, ...]] = ("sentences.encoder.",)

    def __init__(self, recipe: Recipe, prepared: Prepared) -> None:
        self.recipe, self.prepared = recipe, prepared
        self.settings: SomeSettings = recipe.model

    @classmethod
    def prepare(cls, recipe: Recipe, cache: Path) -> SomeTask:
        return cls(recipe, prepare(recipe, cache))

    @property
    def train_examples(self) -> Examples:
        return self.prepared.train

    def build_model(self) -> RatingModel:
        sentences = build_sentence_model(self.settings, self.prepared.subwords.tokenizer.get_vocab_size())
        return RatingModel(sentences, self.settings.dropout)

    def loss(self, model: nn.Module, batch: Mapping[str, torch.Tensor]) -> Loss:
        """The mean squared error of the three ratings."""
        rated = model(batch["ids"], batch["mask"], batch["cases"]).float()
        return Loss(F.mse_loss(rated, batch["ratings"]), len(rated))

    def evaluate(self, model: nn.Module) -> dict[str, float]:
        """The correlation of each rating with people's on dev, and the mean of the three."""
        dev, device = self.prepared.dev, next(model.parameters()).device
        if len(dev) < 2:
            raise DataError("fewer than two corrections are kept apart to judge on: give data.dev, or more")
        found, wanted = [], []
        rng = np.random.default_rng(0)  # nothing is drawn
        for start in range(0, len(dev), DEV_BATCH):
            arrays = dev.collate(range(start, min(start + DEV_BATCH, len(dev))), rng)
            batch = {name: torch.from_numpy(array).to(device) for name, array in arrays.items()}
            found.append(model(batch["ids"], batch["mask"], batch["cases"]).float().cpu().numpy())
            wanted.append(arrays["ratings"])
        rated, people = np.concatenate(found), np.concatenate(wanted)
        scores = {name: _correlate(rated[:, place], people[:, place]) for place, name in enumerate(ASPECTS)}
        return {"correlation": sum(scores.values()) / len(scores), **scores}

    def save(self, model: nn.Module, folder: Path, training: Mapping[str, Any]) -> None:
        assert isinstance(model, RatingModel)
        described = {"corrections": len(self.prepared.train), "held_out": len(self.prepared.dev), **training}
        save_judge(folder, model, self.prepared.subwords, self.recipe.language, described)


def _correlate(found: np.ndarray, wanted: np.ndarray) -> float:
    """Pearson's correlation; 0 where all are alike."""
    if found.std() == 0 or wanted.std() == 0:
        return 0.0
    return float(np.corrcoef(found, wanted)[0, 1])
