"""The settings of a training run: one frozen dataclass tree, read from a recipe, saved as JSON beside the weights.

`model:` and `data:` belong to the system (`Task.Settings`, `Task.DataSettings`), `objective:` to the objective, the
rest is here. `docs/training.md` explains every key.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from errata.training.digests import remembered_digest
from errata.training.parsing import OutputPath
from errata.training.shipped import FOLDER, VARIABLE


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)


@dataclass(frozen=True, slots=True)
class ColdSettings:
    """Train everything but the backbone first, at its own constant rate."""

    epochs: float
    learning_rate: float

    def __post_init__(self) -> None:
        _require(self.epochs > 0 and self.learning_rate > 0, "epochs and learning_rate are above 0")


@dataclass(frozen=True, slots=True)
class OptimiserSettings:
    """AdamW, or Muon for the matrices of layers; norms, biases and other vectors are never decayed."""

    learning_rate: float
    name: Literal["adamw", "muon"] = "adamw"
    backbone_learning_rate: float | None = None
    weight_decay: float = 0.01
    betas: tuple[float, float] = (0.9, 0.999)
    epsilon: float = 1e-8
    clip: float | None = 1.0
    ema: float | None = None
    cold: ColdSettings | None = None

    def __post_init__(self) -> None:
        _require(self.learning_rate > 0, "learning_rate is above 0")
        _require(self.clip is None or self.clip > 0, "clip is above 0, or null for none")
        _require(self.ema is None or 0 < self.ema < 1, "ema is a decay between 0 and 1, or null for none")


@dataclass(frozen=True, slots=True)
class ScheduleSettings:
    """The learning rate over the run, as a share of the full one."""

    shape: Literal["constant", "linear", "cosine", "inverse-sqrt"] = "linear"
    warmup: float = 0.0
    floor: float = 0.0

    def __post_init__(self) -> None:
        _require(self.warmup >= 0, "warmup is a share of the run (below 1) or a number of steps")
        _require(0 <= self.floor <= 1, "floor is a share of the learning rate, 0 to 1")


@dataclass(frozen=True, slots=True)
class BatchSettings:
    """How examples are grouped, and who groups them."""

    tokens: int = 8192
    sentences: int | None = None
    accumulate: int = 1
    workers: int = 0
    start_method: Literal["fork", "spawn", "forkserver"] | None = None

    def __post_init__(self) -> None:
        _require(self.tokens > 0 and self.accumulate > 0, "tokens and accumulate are above 0")
        _require(self.sentences is None or self.sentences > 0, "sentences is above 0, or null for no limit")
        _require(self.workers >= 0, "workers is 0 or more")


@dataclass(frozen=True, slots=True)
class EvaluationSettings:
    """When the model is judged on dev, and what that decides."""

    every: int | None = None
    select: str | None = None
    mode: Literal["max", "min"] = "max"
    patience: int | None = None
    keep: int = 1

    def __post_init__(self) -> None:
        _require(self.every is None or self.every > 0, "every is a number of steps, or null for once an epoch")
        _require(self.keep > 0, "keep is above 0")
        _require(
            self.patience is None or self.select is not None, "patience needs select: the score to be patient about"
        )


@dataclass(frozen=True, slots=True)
class RunSettings:
    """How long, where, and in what precision.

    `seconds` ends the run before all steps are done, with the schedule laid out over those that will be reached.
    With `weight_bits`, every step is computed with the backbone's matrices rounded to so many bits, as
    `errata export --layer-bits` stores them.
    """

    steps: int | None = None
    epochs: float | None = None
    seconds: float | None = None
    folder: OutputPath | None = None
    cache: OutputPath = Path("runs/cache")
    start_from: OutputPath | None = None
    checkpoint_every: int = 1000
    log_every: int = 10
    precision: Literal["auto", "float32", "bfloat16"] = "auto"
    weight_bits: int | None = None
    compile: bool = False
    deterministic: bool = False

    def __post_init__(self) -> None:
        _require((self.steps is None) != (self.epochs is None), "give steps or epochs, one of them")
        _require((self.steps if self.epochs is None else self.epochs) > 0, "steps and epochs are above 0")  # type: ignore[operator]
        _require(self.seconds is None or self.seconds > 0, "seconds is above 0, or null for no limit")
        _require(self.checkpoint_every > 0 and self.log_every > 0, "checkpoint_every and log_every are above 0")
        _require(self.weight_bits is None or 3 <= self.weight_bits <= 10, "weight_bits is between 3 and 10")


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that decides a run.

    `origin` is the file it was read from, `start` the folder at which its paths start, `inputs` the files it names.
    """

    origin: Path
    start: Path
    system: str
    language: str
    seed: int
    model: Any
    data: Any
    objective: Any
    optimiser: OptimiserSettings
    schedule: ScheduleSettings
    batches: BatchSettings
    evaluation: EvaluationSettings
    run: RunSettings
    inputs: tuple[Path, ...] = field(default=(), compare=False)

    @property
    def folder(self) -> Path:
        """Where the run writes: `run.folder`, or `runs/` and the recipe's name."""
        return self.run.folder or Path("runs") / self.origin.stem

    def digests(self) -> dict[str, str]:
        """SHA-256 of every input file, by path as seen from where the recipe's paths start.

        They are remembered in `run.cache`, so a machine to which only the packed data travelled knows them too.
        """
        names = {self.relative(path): path for path in self.inputs}
        return {name: remembered_digest(path, name, self.run.cache) for name, path in sorted(names.items())}

    def relative(self, path: Path) -> str:
        """`path` as seen from where the recipe's paths start: the same on every machine with the same layout."""
        if path.is_relative_to(FOLDER.resolve()):
            return f"${{{VARIABLE}}}/{path.relative_to(FOLDER.resolve()).as_posix()}"
        return Path(os.path.relpath(path, self.start)).as_posix()

    def as_dict(self) -> dict[str, Any]:
        """The settings, ready for JSON; input paths are as seen from where the recipe's paths start."""
        settings = {name: self._plain(getattr(self, name)) for name in SECTIONS}
        settings["objective"] = {"name": self.objective.name, **settings["objective"]}
        return settings

    def _plain(self, value: Any) -> Any:
        if dataclasses.is_dataclass(value):
            return {f.name: self._plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
        if isinstance(value, Path):
            return self.relative(value) if value in self.inputs else value.as_posix()
        if isinstance(value, Mapping):
            return {key: self._plain(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._plain(item) for item in value]
        return value


# The keys of a recipe, in the order it is written.
SECTIONS = (
    *("system", "language", "seed", "model", "data", "objective"),
    *("optimiser", "schedule", "batches", "evaluation", "run"),
)
