"""Training a tagger: what the loop asks of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import torch
from torch import nn

from errata.systems.evaluation import dev_scores, propose_whole
from errata.systems.manifest import read_manifest
from errata.systems.tagger.loss import shared_scores, tagging_loss
from errata.systems.tagger.model import FactoredHead, Scores, TaggerModel
from errata.systems.tagger.preparation import Prepared, prepare, teacher_vocabulary
from errata.systems.tagger.runtime import INPUTS, TorchRuntime
from errata.systems.tagger.saved import load_model, make_model, manifest_of, save_model
from errata.systems.tagger.settings import TaggerData, TaggerSettings
from errata.systems.tagger.starting import starting_point
from errata.systems.tagger.tagger import Tagger
from errata.training.task import Comparison

if TYPE_CHECKING:
    from errata.training.settings import Recipe
    from errata.training.task import Examples, Loss


class TaggerTask:
    """A tagger with its data."""

    Settings: ClassVar[type] = TaggerSettings
    DataSettings: ClassVar[type] = TaggerData
    backbone: ClassVar[tuple[str, ...]] = ("encoder.",)

    def __init__(self, recipe: Recipe, prepared: Prepared) -> None:
        self.recipe, self.prepared = recipe, prepared
        self.settings: TaggerSettings = recipe.model
        self._teacher: TaggerModel | None = None

    @classmethod
    def prepare(cls, recipe: Recipe, cache: Path) -> TaggerTask:
        return cls(recipe, prepare(recipe, cache))

    @classmethod
    def starting_point(cls, name: str) -> Mapping[str, Any]:
        return starting_point(name)

    @property
    def train_examples(self) -> Examples:
        return self.prepared.examples

    def build_model(self) -> TaggerModel:
        settings, vocabulary = self.settings, self.prepared.vocabulary
        encoder, hidden = settings.backbone.build(vocabulary.subwords.tokenizer.get_vocab_size())
        model = make_model(
            encoder,
            hidden,
            vocabulary,
            head=settings.head,
            detection=settings.has_detection,
            case_embedding=settings.case_embedding,
            early_exit=settings.early_exit,
            dropout=settings.dropout,
        )
        if isinstance(model.tags, FactoredHead):
            model.tags.start_from(model.embeddings.weight, vocabulary.subwords)
        return model

    def loss(self, model: nn.Module, batch: Mapping[str, torch.Tensor]) -> Loss:
        return self._loss(self._scores(model, batch), batch)

    def compare(self, model: nn.Module, batch: Mapping[str, torch.Tensor]) -> Comparison:
        scores = self._scores(model, batch)
        loss = self._loss(scores, batch)
        assert isinstance(loss.n_tokens, torch.Tensor)
        return Comparison(loss, shared_scores(scores, batch, self.settings, loss.n_tokens))

    def _scores(self, model: nn.Module, batch: Mapping[str, torch.Tensor]) -> Scores:
        assert isinstance(model, TaggerModel)
        scores: Scores = model(*(batch[name] for name in INPUTS))
        return scores

    def _loss(self, scores: Scores, batch: Mapping[str, torch.Tensor]) -> Loss:
        return tagging_loss(scores, batch, self.settings, self._teach(batch["ids"].device))

    def _teach(self, device: torch.device) -> TaggerModel | None:
        if self.settings.distil is not None and self._teacher is None:
            folder = self.settings.distil.teacher
            vocabulary = teacher_vocabulary(folder, self.prepared.vocabulary)
            self._teacher = load_model(folder, read_manifest(folder), vocabulary).to(device).requires_grad_(False)
        return self._teacher

    def evaluate(self, model: nn.Module) -> dict[str, float]:
        """Dev F0.5, precision, recall, and the share of sentences changed; nothing without a dev set."""
        assert isinstance(model, TaggerModel)
        dev = self.prepared.dev
        if not dev:
            return {}
        proposals = propose_whole(self.corrector(model), [one.tokens for one in dev])
        return dev_scores(dev, proposals, self.recipe.language)

    def corrector(self, model: TaggerModel) -> Tagger:
        """The tagger around a model in training, decoding as the recipe says."""
        device = next(model.parameters()).device
        return Tagger(
            TorchRuntime(model, str(device)),
            self.prepared.vocabulary,
            language=self.recipe.language,
            max_tokens=self.settings.max_tokens,
            decoding=self.settings.decoding,
        )

    def save(self, model: nn.Module, folder: Path, training: Mapping[str, Any]) -> None:
        assert isinstance(model, TaggerModel)
        told = {**training, "excluded": self.prepared.excluded} if self.prepared.excluded else training
        manifest = manifest_of(self.recipe.language, self.settings, self.prepared.vocabulary, told)
        save_model(folder, model, self.prepared.vocabulary, manifest)
