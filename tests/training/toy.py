"""A task small enough to train in a second: tag each of ten letters with its position modulo three, noisily."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from errata.networks.weights import save_weights
from errata.training.settings import Recipe
from errata.training.task import Loss


@dataclass(frozen=True)
class ToySettings:
    width: int = 8
    dropout: float = 0.2
    delay: float = 0.0


@dataclass(frozen=True)
class ToyData:
    train: Path
    noise: float = 0.1


class ToyExamples:
    def __init__(self, rows: list[np.ndarray], noise: float) -> None:
        self.rows, self.noise = rows, noise
        self.lengths = np.array([len(row) for row in rows])

    def __len__(self) -> int:
        return len(self.rows)

    def collate(self, indices: Sequence[int], rng: np.random.Generator) -> dict[str, np.ndarray]:
        rows = [self.rows[i] for i in indices]
        letters = np.zeros((len(rows), max(map(len, rows))), dtype=np.int64)
        labels = np.full_like(letters, -100)
        for i, row in enumerate(rows):
            noisy = np.where(rng.random(len(row)) < self.noise, rng.integers(1, 27, len(row)), row)
            letters[i, : len(row)], labels[i, : len(row)] = noisy, row % 3
        return {"letters": letters, "labels": labels}


class ToyModel(nn.Module):
    def __init__(self, settings: ToySettings) -> None:
        super().__init__()
        self.encoder = nn.Embedding(27, settings.width)
        self.norm = nn.LayerNorm(settings.width)
        self.dropout = nn.Dropout(settings.dropout)
        self.head = nn.Linear(settings.width, 3)

    def forward(self, letters: torch.Tensor) -> torch.Tensor:
        logits: torch.Tensor = self.head(self.dropout(self.norm(self.encoder(letters))))
        return logits


class ToyTask:
    Settings = ToySettings
    DataSettings = ToyData
    backbone = ("encoder.",)

    def __init__(self, recipe: Recipe, rows: list[np.ndarray]) -> None:
        self.recipe, self.rows = recipe, rows
        self.train_examples = ToyExamples(rows, recipe.data.noise)

    @classmethod
    def prepare(cls, recipe: Recipe, cache: Path) -> ToyTask:
        recipe.digests()
        lines = recipe.data.train.read_text(encoding="utf-8").split()
        return cls(recipe, [np.array([ord(c) - 96 for c in line]) for line in lines])

    def build_model(self) -> nn.Module:
        return ToyModel(self.recipe.model)

    def loss(self, model: nn.Module, batch: Mapping[str, torch.Tensor]) -> Loss:
        time.sleep(self.recipe.model.delay)
        logits = model(batch["letters"]).flatten(0, 1)
        labels = batch["labels"].flatten()
        right = (logits.argmax(-1) == labels).sum() / (labels >= 0).sum()
        total = nn.functional.cross_entropy(logits, labels, ignore_index=-100)
        return Loss(total, (labels >= 0).sum(), {"accuracy": right})

    def evaluate(self, model: nn.Module) -> dict[str, float]:
        torch.rand(3)  # the loop must not be disturbed by it
        device = next(model.parameters()).device
        rows = [torch.from_numpy(row).to(device) for row in self.rows[:20]]
        right = [(model(row[None])[0].argmax(-1) == row % 3).double().mean() for row in rows]
        return {"accuracy": float(torch.stack(right).mean())}

    def save(self, model: nn.Module, folder: Path, training: Mapping[str, Any]) -> None:
        save_weights(model, folder / "model.safetensors")
        (folder / "errata.json").write_text(json.dumps({"system": "toy", "training": training}), encoding="utf-8")
