"""What the training loop needs to know about a system.

A task reads the recipe's data, packs it once (arrays, keyed by digest), builds the model, gives the loss of a batch,
judges the model on dev with the project's own metrics, and saves a folder `systems.load_corrector` can read. The loop
(`train.loop`) knows nothing else about any system.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

if TYPE_CHECKING:
    import torch
    from torch import nn

    from errata.train.settings import Recipe


class Examples(Protocol):
    """Packed training examples: random access, lengths known before anything is read."""

    @property
    def lengths(self) -> np.ndarray:
        """Tokens of each example, shape (examples,)."""
        ...

    def __len__(self) -> int: ...

    def collate(self, indices: Sequence[int], rng: np.random.Generator) -> dict[str, np.ndarray]:
        """The padded arrays of a batch. Fresh noise, if any, is drawn from `rng` alone, so a batch can be made again."""
        ...


@dataclass(frozen=True, slots=True)
class Loss:
    """A batch's loss: the scalar to minimise, named parts for the log, and the number of tokens it speaks for."""

    total: torch.Tensor
    n_tokens: int
    parts: Mapping[str, float] = field(default_factory=dict)


class Task(Protocol):
    """One trainable system with one recipe; `TASKS` names the classes.

    `Settings` is the frozen dataclass behind the recipe's `model:` section, `DataSettings` behind `data:`.
    """

    Settings: ClassVar[type]
    DataSettings: ClassVar[type]

    @classmethod
    def prepare(cls, recipe: Recipe, cache: Path) -> Task:
        """Read and pack the data (into `cache`, keyed by digest of inputs and options) and learn vocabularies."""
        ...

    @property
    def train_examples(self) -> Examples: ...

    def build_model(self) -> nn.Module:
        """A freshly initialised model (from the recipe's backbone); deterministic under the loop's seed."""
        ...

    def parameter_groups(self, model: nn.Module, step: int) -> Mapping[str, bool]:
        """Parameter-name prefixes that are frozen at `step` (cold epochs): prefix → is frozen; usually empty."""
        ...

    def loss(self, model: nn.Module, batch: Mapping[str, torch.Tensor]) -> Loss: ...

    def evaluate(self, model: nn.Module) -> dict[str, float]:
        """Dev scores by the project's own metrics; the recipe's `select` names the one that picks checkpoints."""
        ...

    def save(self, model: nn.Module, folder: Path, training: Mapping[str, Any]) -> None:
        """Write a complete system folder (manifest with `training` provenance, vocabularies, weights)."""
        ...


TASKS: dict[str, str] = {
    "tagger": "errata.systems.tagger.task:TaggerTask",
    "seq2seq": "errata.systems.seq2seq.task:Seq2SeqTask",
    "stg": "errata.systems.stg.task:StgTask",
    "classifier": "errata.systems.classifier.task:ClassifierTask",
    "causal-lm": "errata.systems.prompted.task:CausalLmTask",
}
