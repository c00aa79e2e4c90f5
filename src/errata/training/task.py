"""What the training loop needs to know about a system.

A task reads the recipe's data, packs it once (arrays, keyed by digest), builds the model, gives the loss of a batch,
judges the model on dev with the project's own metrics, and saves a folder `systems.load_corrector` can read. The loop
(`training.loop`) knows nothing else about any system.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, runtime_checkable

import numpy as np

if TYPE_CHECKING:
    import torch
    from torch import nn

    from errata.training.settings import Recipe


class Examples(Protocol):
    """Packed training examples: random access, lengths known before anything is read."""

    @property
    def lengths(self) -> np.ndarray:
        """Tokens of each example, shape (examples,)."""
        ...

    def __len__(self) -> int: ...

    def collate(self, indices: Sequence[int], rng: np.random.Generator) -> dict[str, np.ndarray]:
        """The padded arrays of a batch; fresh noise, if any, comes from `rng` alone, so the batch can be made again.

        Called in worker processes: cheap arithmetic on arrays, no torch, no global generators.
        """
        ...


@dataclass(frozen=True, slots=True)
class Loss:
    """A batch's loss: the mean to minimise, the number of tokens it is the mean over, and named parts for the log.

    The loop weights batches by `n_tokens`, so accumulated and parallel batches give the gradient of one big batch.
    Counts and parts may stay tensors (detached, on the device): `.item()` here would make the GPU wait at every step.
    """

    total: torch.Tensor
    n_tokens: int | torch.Tensor
    parts: Mapping[str, float | torch.Tensor] = field(default_factory=dict)


class Task(Protocol):
    """One trainable system with one recipe; `TASKS` names the classes.

    `Settings` is the frozen dataclass behind the recipe's `model:` section, `DataSettings` behind `data:`: fields of
    type `Path` are input files, relative to the recipe, checked and digested (`Recipe.digests`); nested dataclasses,
    `X | None`, `tuple[X, ...]`, `Literal` and `dict[str, X]` are understood. A `ValueError` from `__post_init__`
    becomes a line naming the place in the recipe.

    `backbone` gives the parameter-name prefixes of the pretrained part (`("encoder.",)`, or `()`): what
    `optimiser.cold` freezes in the first epochs and what `optimiser.backbone_learning_rate` applies to.
    """

    Settings: ClassVar[type]
    DataSettings: ClassVar[type]
    backbone: ClassVar[tuple[str, ...]]

    @classmethod
    def prepare(cls, recipe: Recipe, cache: Path) -> Task:
        """Read and pack the data (into `cache`, keyed by digest of inputs and options) and learn vocabularies.

        `recipe.digests()` names the inputs even where only the packed data travelled; `training.packed` has the arrays.
        """
        ...

    @property
    def train_examples(self) -> Examples: ...

    def build_model(self) -> nn.Module:
        """A freshly initialised model (from the recipe's backbone); deterministic under the loop's seed."""
        ...

    def loss(self, model: nn.Module, batch: Mapping[str, torch.Tensor]) -> Loss: ...

    def evaluate(self, model: nn.Module) -> dict[str, float]:
        """Dev scores by the project's own metrics; `evaluation.select` names the one that picks checkpoints.

        The model arrives in eval mode, without gradients; random states are put back afterwards.
        """
        ...

    def save(self, model: nn.Module, folder: Path, training: Mapping[str, Any]) -> None:
        """Write a complete system folder (manifest with `training` provenance, vocabularies, weights)."""
        ...


class SharedScores(NamedTuple):
    """Scores of one head at the places that originals share with their variants, each (places, choices).

    `scale` times the sum over places counts for as much as the loss of the same head does.
    """

    original: torch.Tensor
    variant: torch.Tensor
    scale: float | torch.Tensor


@dataclass(frozen=True, slots=True)
class Comparison:
    """The loss of a batch, and what every head says of originals and of variants at the same places."""

    loss: Loss
    heads: Sequence[SharedScores]


@runtime_checkable
class ComparingTask(Protocol):
    """A task whose batches may hold originals beside their variants (`training.variants`)."""

    def compare(self, model: nn.Module, batch: Mapping[str, torch.Tensor]) -> Comparison:
        """The loss, with the scores it was made from at the shared places; the model runs once."""
        ...


@runtime_checkable
class StartingTask(Protocol):
    """A task class whose recipes may go on from a trained system (`start: en-small`)."""

    def starting_point(self, name: str) -> Mapping[str, Any]:
        """What a recipe that starts from the model `name`, or the folder of one, takes over: its sections."""
        ...


# A recipe's `system` is one of these names, or the address of a class elsewhere ("package.module:Task").
TASKS: dict[str, str] = {
    "tagger": "errata.systems.tagger.task:TaggerTask",
    "seq2seq": "errata.systems.seq2seq.task:Seq2SeqTask",
    "stg": "errata.systems.stg.task:StgTask",
    "classifier": "errata.systems.classifier.task:ClassifierTask",
    "encoder": "errata.systems.encoder.task:EncoderTask",
    "impara": "errata.judges.impara.task:ImparaTask",
    "some": "errata.judges.some.task:SomeTask",
    "causal-lm": "errata.systems.prompted.task:CausalLmTask",
}
