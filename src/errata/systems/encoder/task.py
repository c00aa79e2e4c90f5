"""Pretraining an encoder: what the loop asks of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import torch
from torch import nn

from errata.errors import DataError
from errata.systems.encoder.model import Answers, MaskedLanguageModel
from errata.systems.encoder.preparation import Prepared, prepare
from errata.systems.encoder.saved import save_model
from errata.systems.encoder.settings import EncoderData, EncoderSettings
from errata.training.task import Loss

if TYPE_CHECKING:
    from errata.training.settings import Recipe
    from errata.training.task import Examples

DEV_BATCH = 64  # inputs judged at once


class EncoderTask:
    """An encoder with its text."""

    Settings: ClassVar[type] = EncoderSettings
    DataSettings: ClassVar[type] = EncoderData
    backbone: ClassVar[tuple[str, ...]] = ("encoder.",)

    def __init__(self, recipe: Recipe, prepared: Prepared) -> None:
        self.recipe, self.prepared = recipe, prepared
        self.settings: EncoderSettings = recipe.model

    @classmethod
    def prepare(cls, recipe: Recipe, cache: Path) -> EncoderTask:
        return cls(recipe, prepare(recipe, cache))

    @property
    def train_examples(self) -> Examples:
        return self.prepared.train

    def build_model(self) -> MaskedLanguageModel:
        backbone = self.settings.backbone
        encoder, hidden = backbone.build(self.prepared.subwords.tokenizer.get_vocab_size())
        if not hasattr(encoder.config, "save_pretrained"):
            raise DataError(
                f"backbone {backbone.name!r} has layers of errata's own, which no recipe can name afterwards"
            )
        return MaskedLanguageModel(encoder, hidden)

    def loss(self, model: nn.Module, batch: Mapping[str, torch.Tensor]) -> Loss:
        """The mean over the hidden subwords, and the share of them that was found."""
        answers: Answers = model(batch["ids"], batch["places"], batch["labels"])
        n_hidden = answers.n_hidden.clamp(min=1)
        return Loss(answers.loss / n_hidden, answers.n_hidden, {"accuracy": answers.n_right / n_hidden})

    def evaluate(self, model: nn.Module) -> dict[str, float]:
        """The share of hidden subwords of the held-out inputs that is found, and the loss there.

        The same words are hidden every time. Nothing if no input is held out.
        """
        assert isinstance(model, MaskedLanguageModel)
        dev, device = self.prepared.dev, next(model.parameters()).device
        if not len(dev):
            return {}
        rng = np.random.default_rng(self.recipe.seed)
        sums = torch.zeros(3, dtype=torch.float64, device=device)
        for start in range(0, len(dev), DEV_BATCH):
            arrays = dev.collate(range(start, min(start + DEV_BATCH, len(dev))), rng)
            batch = {name: torch.from_numpy(array).to(device) for name, array in arrays.items()}
            sums += torch.stack([value.double() for value in model.forward(**batch)])  # not compiled for this shape
        loss, n_right, n_hidden = sums.tolist()
        return {"accuracy": n_right / n_hidden, "loss": loss / n_hidden}

    def save(self, model: nn.Module, folder: Path, training: Mapping[str, Any]) -> None:
        assert isinstance(model, MaskedLanguageModel)
        inputs = len(self.prepared.train)
        text = {
            "inputs": inputs,
            "subwords": inputs * self.prepared.train.positions,
            "held_out": len(self.prepared.dev),
        }
        save_model(folder, model, self.prepared.subwords, self.recipe.language, {**training, "text": text})
