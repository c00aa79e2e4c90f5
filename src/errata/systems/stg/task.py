"""Training STG: what the loop asks of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import torch
from torch import nn

from errata.edits.apply import apply_edits
from errata.systems.evaluation import dev_scores, propose_whole
from errata.systems.stg.loss import shared_scores, stg_loss, stg_scores
from errata.systems.stg.model import StgModel
from errata.systems.stg.preparation import Prepared, prepare
from errata.systems.stg.runtime import TorchRuntime
from errata.systems.stg.saved import make_model, manifest_of, n_encoders, save_model, shape_of
from errata.systems.stg.settings import StgData, StgSettings
from errata.systems.stg.stg import CPU_BATCH, GPU_BATCH, SwitchTagGenerate
from errata.training.task import Comparison

if TYPE_CHECKING:
    from errata.training.settings import Recipe
    from errata.training.task import Examples, Loss


class StgTask:
    """STG with its data."""

    Settings: ClassVar[type] = StgSettings
    DataSettings: ClassVar[type] = StgData
    backbone: ClassVar[tuple[str, ...]] = ("encoders.",)

    def __init__(self, recipe: Recipe, prepared: Prepared) -> None:
        self.recipe, self.prepared = recipe, prepared
        self.settings: StgSettings = recipe.model

    @classmethod
    def prepare(cls, recipe: Recipe, cache: Path) -> StgTask:
        return cls(recipe, prepare(recipe, cache))

    @property
    def train_examples(self) -> Examples:
        return self.prepared.examples

    def build_model(self) -> StgModel:
        settings, subwords = self.settings, self.prepared.subwords
        shape = shape_of(settings)
        n_subwords = subwords.base.tokenizer.get_vocab_size()
        built = [settings.backbone.build(n_subwords) for _ in range(n_encoders(shape))]
        return make_model([encoder for encoder, _ in built], built[0][1], subwords, shape, settings.dropout)

    def loss(self, model: nn.Module, batch: Mapping[str, torch.Tensor]) -> Loss:
        assert isinstance(model, StgModel)
        return stg_loss(stg_scores(model, batch), batch, self.settings)

    def compare(self, model: nn.Module, batch: Mapping[str, torch.Tensor]) -> Comparison:
        assert isinstance(model, StgModel)
        scores = stg_scores(model, batch)
        return Comparison(stg_loss(scores, batch, self.settings), shared_scores(scores, batch, self.settings))

    def evaluate(self, model: nn.Module) -> dict[str, float]:
        """Dev scores over spans and whole sentences; nothing without a dev set.

        Spans are those of `systems.tagger.align`, which needs no lexicon: close to ChERRANT's, but not its scores.
        """
        assert isinstance(model, StgModel)
        dev = self.prepared.dev
        if not dev:
            return {}
        proposals = propose_whole(self.corrector(model), [one.tokens for one in dev])
        scores = dev_scores(dev, proposals, self.recipe.language)
        n_exact = 0
        for one, proposed in zip(dev, proposals, strict=True):
            answer = apply_edits(one.tokens, [each.edit for each in proposed])
            n_exact += answer in {apply_edits(one.tokens, reference) for reference in one.references}
        named = {f"span-{name}": scores[name] for name in ("f0.5", "precision", "recall")}
        return {**named, "exact-match": n_exact / len(dev), "changed": scores["changed"]}

    def corrector(self, model: StgModel) -> SwitchTagGenerate:
        """STG around a model in training, decoding as the recipe says."""
        device = next(model.parameters()).device
        return SwitchTagGenerate(
            TorchRuntime(model, str(device)),
            self.prepared.subwords,
            max_tokens=self.settings.max_tokens,
            decoding=self.settings.decoding,
            batch_tokens=CPU_BATCH if device.type == "cpu" else GPU_BATCH,
        )

    def save(self, model: nn.Module, folder: Path, training: Mapping[str, Any]) -> None:
        assert isinstance(model, StgModel)
        save_model(folder, model, self.prepared.subwords, manifest_of(self.settings, self.prepared.subwords, training))
