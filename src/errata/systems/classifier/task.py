"""Training a classifier: what the loop asks of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from errata.metrics.base import Item
from errata.metrics.classification import Detection, Identification
from errata.model import Sentence
from errata.systems.classifier.classifier import CPU_BATCH, GPU_BATCH, Classifier
from errata.systems.classifier.model import ClassifierModel
from errata.systems.classifier.preparation import Prepared, as_array, prepare
from errata.systems.classifier.runtime import TorchRuntime
from errata.systems.classifier.saved import manifest_of, save_model
from errata.systems.classifier.settings import ClassifierData, ClassifierSettings
from errata.systems.classifier.thresholds import DEFAULT, choose_thresholds
from errata.training.task import Loss

if TYPE_CHECKING:
    from errata.training.settings import Recipe
    from errata.training.task import Examples

PARTS = ("f1", "precision", "recall", "accuracy")


class ClassifierTask:
    """A classifier with its data."""

    Settings: ClassVar[type] = ClassifierSettings
    DataSettings: ClassVar[type] = ClassifierData
    backbone: ClassVar[tuple[str, ...]] = ("encoder.",)

    def __init__(self, recipe: Recipe, prepared: Prepared) -> None:
        self.recipe, self.prepared = recipe, prepared
        self.settings: ClassifierSettings = recipe.model

    @classmethod
    def prepare(cls, recipe: Recipe, cache: Path) -> ClassifierTask:
        return cls(recipe, prepare(recipe, cache))

    @property
    def train_examples(self) -> Examples:
        return self.prepared.examples

    def build_model(self) -> ClassifierModel:
        encoder, hidden = self.settings.backbone.build(self.prepared.subwords.tokenizer.get_vocab_size())
        return ClassifierModel(encoder, hidden, len(self.settings.labels), self.settings.dropout)

    def loss(self, model: nn.Module, batch: Mapping[str, torch.Tensor]) -> Loss:
        scores = model(batch["ids"], batch["mask"]).float()
        weight = scores.new_full((scores.shape[1],), self.settings.positive_weight)
        total = F.binary_cross_entropy_with_logits(scores, batch["labels"], pos_weight=weight)
        return Loss(total, len(scores))

    def evaluate(self, model: nn.Module) -> dict[str, float]:
        """Macro F1 with precision, recall and accuracy at the thresholds that suit dev best; nothing without dev."""
        dev, labels = self.prepared.dev, self.settings.labels
        if not dev:
            return {}
        probabilities = self._dev_probabilities(model)
        thresholds = np.array(self._choose(probabilities))
        metric = Detection() if self.settings.task == "detection" else Identification()
        items = [
            Item(
                Sentence(one.tokens),
                "",
                labels=one.labels,
                predicted_labels=tuple(label for label, is_there in zip(labels, row, strict=True) if is_there),
            )
            for one, row in zip(dev, probabilities >= thresholds, strict=True)
        ]
        parts = metric.aggregate(metric.stats(items)).parts
        return {name: parts[name] for name in PARTS}

    def _dev_probabilities(self, model: nn.Module) -> np.ndarray:
        assert isinstance(model, ClassifierModel)
        device = next(model.parameters()).device
        classifier = Classifier(
            TorchRuntime(model, str(device)),
            self.prepared.subwords,
            dict.fromkeys(self.settings.labels, DEFAULT),
            language=self.recipe.language,
            max_tokens=self.settings.max_tokens,
            batch_tokens=CPU_BATCH if device.type == "cpu" else GPU_BATCH,
        )
        return classifier.probabilities([one.tokens for one in self.prepared.dev])

    def _choose(self, probabilities: np.ndarray) -> list[float]:
        gold = as_array(self.prepared.dev, self.settings.labels)
        return choose_thresholds(probabilities, gold, both_classes=self.settings.task == "detection")

    def save(self, model: nn.Module, folder: Path, training: Mapping[str, Any]) -> None:
        assert isinstance(model, ClassifierModel)
        thresholds = [DEFAULT] * len(self.settings.labels)
        if self.prepared.dev:
            thresholds = self._choose(self._dev_probabilities(model))
        by_label = dict(zip(self.settings.labels, thresholds, strict=True))
        manifest = manifest_of(self.recipe.language, self.settings, by_label, training)
        save_model(folder, model, self.prepared.subwords, manifest)
