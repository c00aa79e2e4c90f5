"""The classifier's sections of a recipe: `model:` and `data:`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from errata.networks.encoder import BackboneSettings
from errata.systems.stg.data import TYPES

# The labels of each task, in the order of the network's outputs.
LABELS = {"detection": ("ERROR",), "identification": TYPES}


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)


@dataclass(frozen=True, slots=True)
class ClassifierSettings:
    """What is decided about a sentence, and by what network.

    `detection` decides whether there is an error, `identification` which of FCGEC's types it has, several if need be.
    `positive_weight` above 1 makes sentences that have a label count for more. `vocabulary` names a trained system
    (or the cache folder of one) whose tokenizer is taken instead of learning one.
    """

    backbone: BackboneSettings
    task: Literal["detection", "identification"] = "detection"
    max_tokens: int = 128
    dropout: float = 0.1
    positive_weight: float = 1.0
    vocabulary: Path | None = None

    def __post_init__(self) -> None:
        _require(0 < self.max_tokens <= self.backbone.positions - 2, "max_tokens is at most backbone.positions - 2")
        _require(0 <= self.dropout < 1, "dropout is in [0, 1)")
        _require(self.positive_weight > 0, "positive_weight is above 0")

    @property
    def labels(self) -> tuple[str, ...]:
        return LABELS[self.task]


@dataclass(frozen=True, slots=True)
class ClassifierData:
    """What is learnt from and judged on.

    Detection takes any corrected text errata reads: a sentence that some correction changes has an error.
    Identification needs error types (FCGEC's JSON, or JSON lines with labels). Thresholds are chosen on `dev`.
    """

    train: tuple[Path, ...]
    dev: tuple[Path, ...] = ()
    tokenise: bool = False
    dev_limit: int | None = None

    def __post_init__(self) -> None:
        _require(bool(self.train), "train names at least one file")
