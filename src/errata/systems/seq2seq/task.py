"""Training a sequence-to-sequence system: what the loop asks of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import torch
from torch import nn
from torch.nn import functional

from errata.edits.apply import apply_edits
from errata.systems.evaluation import dev_scores, propose_whole
from errata.systems.seq2seq.examples import IGNORED, SHARED, pad_rows
from errata.systems.seq2seq.preparation import Prepared, prepare
from errata.systems.seq2seq.runtime import TorchRuntime
from errata.systems.seq2seq.saved import build_network, save_system
from errata.systems.seq2seq.seq2seq import Seq2Seq
from errata.systems.seq2seq.settings import Seq2SeqData, Seq2SeqSettings
from errata.training.task import Comparison, Loss, SharedScores
from errata.training.variants import scores_at

if TYPE_CHECKING:
    from errata.training.settings import Recipe
    from errata.training.task import Examples

DEV_BATCH = 32


class Seq2SeqTask:
    """An encoder-decoder with its data."""

    Settings: ClassVar[type] = Seq2SeqSettings
    DataSettings: ClassVar[type] = Seq2SeqData

    def __init__(self, recipe: Recipe, prepared: Prepared) -> None:
        self.recipe, self.prepared = recipe, prepared
        self.settings: Seq2SeqSettings = recipe.model

    @classmethod
    def prepare(cls, recipe: Recipe, cache: Path) -> Seq2SeqTask:
        return cls(recipe, prepare(recipe, cache))

    @property
    def backbone(self) -> tuple[str, ...]:
        """The pretrained part: a network of transformers, or a tagger's encoder. Our own network has none."""
        return () if self.settings.backbone.is_new else ("model.", "encoder.")

    @property
    def train_examples(self) -> Examples:
        return self.prepared.examples

    def build_model(self) -> nn.Module:
        network: nn.Module = build_network(self.settings.backbone, self.prepared.subwords)[0]
        return network

    def loss(self, model: nn.Module, batch: Mapping[str, torch.Tensor]) -> Loss:
        return self._loss(self._logits(model, batch), batch["labels"], self.settings.label_smoothing)

    def compare(self, model: nn.Module, batch: Mapping[str, torch.Tensor]) -> Comparison:
        logits = self._logits(model, batch)
        loss = self._loss(logits, batch["labels"], self.settings.label_smoothing)
        return Comparison(loss, [SharedScores(*scores_at(logits, batch, SHARED), 1 / loss.n_tokens)])

    def _logits(self, model: nn.Module, batch: Mapping[str, torch.Tensor]) -> torch.Tensor:
        """The scores of every subword of the targets (sentences, subwords, vocabulary)."""
        labels = batch["labels"]
        written = labels.masked_fill(labels == IGNORED, self.prepared.subwords.pad).roll(1, 1)
        written[:, 0] = self._decoder_start(model)
        logits: torch.Tensor = model(batch["ids"], batch["mask"], written)
        return logits

    @staticmethod
    def _loss(logits: torch.Tensor, labels: torch.Tensor, smoothing: float) -> Loss:
        is_real = labels != IGNORED
        total = functional.cross_entropy(
            logits.flatten(0, 1).float(), labels.flatten(), ignore_index=IGNORED, label_smoothing=smoothing
        )
        # The likeliest subword is the right one: finding which it is takes a CPU as long as the loss.
        wanted = logits.gather(-1, labels.masked_fill(~is_real, 0).unsqueeze(-1)).squeeze(-1)
        right = ((wanted >= logits.amax(-1)) & is_real).sum() / is_real.sum()
        return Loss(total, is_real.sum(), {"accuracy": right.detach()})

    def _decoder_start(self, model: nn.Module) -> int:
        return int(getattr(model, "decoder_start", self.prepared.subwords.end))

    def evaluate(self, model: nn.Module) -> dict[str, float]:
        """Dev F0.5, precision, recall, the share of sentences changed, and the loss; nothing without a dev set."""
        dev = self.prepared.dev
        if not dev:
            return {}
        proposals = propose_whole(self.corrector(model), [one.tokens for one in dev])
        return {**dev_scores(dev, proposals, self.recipe.language), "loss": self._dev_loss(model)}

    def _dev_loss(self, model: nn.Module) -> float:
        """The mean cross-entropy of the first references (of what fits), without label smoothing."""
        subwords, device = self.prepared.subwords, next(model.parameters()).device
        rows = [
            (subwords.body(one.tokens), subwords.body(apply_edits(one.tokens, one.references[0])))
            for one in self.prepared.dev
            if one.references
        ]
        fitting = sorted((row for row in rows if max(map(len, row)) <= subwords.room), key=lambda row: len(row[1]))
        total = n_tokens = 0.0
        for start in range(0, len(fitting), DEV_BATCH):
            arrays = pad_rows(fitting[start : start + DEV_BATCH], subwords)
            batch = {name: torch.from_numpy(array).to(device) for name, array in arrays.items()}
            loss = self._loss(self._logits(model, batch), batch["labels"], 0.0)
            total += float(loss.total) * int(loss.n_tokens)
            n_tokens += int(loss.n_tokens)
        return total / max(n_tokens, 1.0)

    def corrector(self, model: nn.Module) -> Seq2Seq:
        """The system around a model in training, decoding as the recipe says."""
        device = next(model.parameters()).device
        return Seq2Seq(
            TorchRuntime(model, self.prepared.subwords, self._decoder_start(model), str(device)),
            self.prepared.subwords,
            language=self.recipe.language,
            max_tokens=self.settings.max_tokens,
            decoding=self.settings.decoding,
            batch_tokens=2048 if device.type == "cpu" else 16384,
        )

    def save(self, model: nn.Module, folder: Path, training: Mapping[str, Any]) -> None:
        told = {**training, "excluded": self.prepared.excluded} if self.prepared.excluded else training
        save_system(folder, model, self.prepared.subwords, self.settings, self._decoder_start(model), told)
