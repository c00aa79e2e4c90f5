"""Training IMPARA: what the loop asks of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from errata.errors import DataError
from errata.judges.impara.calibration import fit_scale
from errata.judges.impara.frozen import FrozenModel
from errata.judges.impara.model import RankingModel
from errata.judges.impara.preparation import Prepared, build_similarity, prepare
from errata.judges.impara.saved import save_judge
from errata.judges.impara.settings import ImparaData, ImparaSettings
from errata.judges.impara.taught import TAUGHT
from errata.judges.starting import build_sentence_model
from errata.networks.encoder import freeze_layers
from errata.training.task import Loss

if TYPE_CHECKING:
    from errata.training.settings import Recipe
    from errata.training.task import Examples

DEV_BATCH = 64  # pairs judged at once


class ImparaTask:
    """IMPARA with its data."""

    Settings: ClassVar[type] = ImparaSettings
    DataSettings: ClassVar[type] = ImparaData
    backbone: ClassVar[tuple[str, ...]] = ("sentences.encoder.",)

    def __init__(self, recipe: Recipe, prepared: Prepared) -> None:
        self.recipe, self.prepared = recipe, prepared
        self.settings: ImparaSettings = recipe.model

    @classmethod
    def prepare(cls, recipe: Recipe, cache: Path) -> ImparaTask:
        return cls(recipe, prepare(recipe, cache))

    @property
    def train_examples(self) -> Examples:
        return self.prepared.train

    def build_model(self) -> RankingModel | FrozenModel:
        whole = self._build_whole()
        if self.settings.frozen_layers:
            self._freeze_layers(whole)
        return FrozenModel(whole.sentences.hidden) if self.settings.frozen else whole

    def _freeze_layers(self, model: RankingModel) -> None:
        name = self.settings.tagger or str(self.settings.backbone and self.settings.backbone.name)
        freeze_layers(model.sentences.encoder, self.settings.frozen_layers, name)
        if model.sentences.cases is not None:
            model.sentences.cases.requires_grad_(False)  # else gradients would go all the way down

    def _build_whole(self) -> RankingModel:
        sentences = build_sentence_model(self.settings, self.prepared.subwords.tokenizer.get_vocab_size())
        return RankingModel(sentences, self.settings.dropout)

    def loss(self, model: nn.Module, batch: Mapping[str, torch.Tensor]) -> Loss:
        """The mean of σ(worse − better): no pair counts for more than 1, however wrong its order is.

        With teachers, part of it is the cross-entropy of each sentence's σ(R) and theirs.
        """
        scores = _score(model, batch)
        better, worse = scores.chunk(2)
        gaps = better - worse
        total = gaps.neg().sigmoid().mean()
        parts = {"accuracy": (gaps > 0).float().mean().detach()}
        if (distil := self.settings.distil) is not None:
            taught = (batch[TAUGHT] / distil.temperature).sigmoid()
            distance = F.binary_cross_entropy_with_logits(scores, taught)
            total = (1 - distil.weight) * total + distil.weight * distance
            parts["teachers"] = distance.detach()
        return Loss(total, len(gaps), parts)

    def evaluate(self, model: nn.Module) -> dict[str, float]:
        """The share of dev pairs in the right order, and their loss."""
        better, worse = self._judge_dev(model)
        gaps = better - worse
        return {"accuracy": float((gaps > 0).float().mean()), "loss": float(gaps.neg().sigmoid().mean())}

    def _judge_dev(self, model: nn.Module) -> tuple[torch.Tensor, torch.Tensor]:
        """The scores of the better and of the worse sentences of dev pairs."""
        dev, device = self.prepared.dev, next(model.parameters()).device
        if not len(dev):
            raise DataError("no pair is kept apart to judge on: give data.dev, or more sentences")
        scores = [_score(model, batch).chunk(2) for batch in _batches(dev, device)]
        better, worse = (torch.cat(side).cpu() for side in zip(*scores, strict=True))
        return better, worse

    def _find_scale(self, model: nn.Module) -> float:
        """What R is multiplied by: the teachers' temperature, or what held-out pairs say if that is asked for."""
        if self.settings.distil is not None:
            return self.settings.distil.temperature
        if not self.settings.scaled:
            return 1.0
        better, worse = (scores.numpy().astype(float) for scores in self._judge_dev(model))
        return fit_scale(better, worse)

    def _complete(self, model: nn.Module) -> RankingModel:
        """The model with its encoder."""
        if isinstance(model, FrozenModel):
            whole = self._build_whole()
            whole.score.load_state_dict(model.score.state_dict())
            return whole
        assert isinstance(model, RankingModel)
        return model

    def save(self, model: nn.Module, folder: Path, training: Mapping[str, Any]) -> None:
        scale = self._find_scale(model)
        described = {
            "pairs": len(self.prepared.train),
            "held_out": len(self.prepared.dev),
            "scale": scale,
            **training,
        }
        similarity = build_similarity(self.recipe, self.prepared.similar), self.prepared.similar
        save_judge(
            folder,
            self._complete(model),
            self.prepared.subwords,
            similarity,
            self.recipe.language,
            self.settings,
            described,
            scale,
        )


def _score(model: nn.Module, batch: Mapping[str, torch.Tensor]) -> torch.Tensor:
    """The scores of the better sentences of pairs, then of the worse ones."""
    scores: torch.Tensor = model(**{name: values for name, values in batch.items() if name != TAUGHT}).float()
    return scores


def _batches(examples: Examples, device: torch.device) -> list[dict[str, torch.Tensor]]:
    rng = np.random.default_rng(0)  # nothing is drawn
    parts = (range(start, min(start + DEV_BATCH, len(examples))) for start in range(0, len(examples), DEV_BATCH))
    return [
        {name: torch.from_numpy(array).to(device) for name, array in examples.collate(part, rng).items()}
        for part in parts
    ]
