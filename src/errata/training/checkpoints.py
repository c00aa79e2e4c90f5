"""Checkpoints: the last state of a run, whole, and the weights that did best on dev.

    checkpoints/last.pt            everything a run needs to go on exactly as if it had never stopped
    checkpoints/best-00001200.pt   weights and dev scores, `evaluation.keep` of them

Files are renamed into place once the disk has them, so a run killed at any moment leaves the one before.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import nn

from errata.errors import DataError
from errata.files import replacing
from errata.networks.weights import WEIGHTS, fit_weights, has_weights, load_weights
from errata.training.batches import START, Position
from errata.training.devices import Place, random_states, set_random_states
from errata.training.log import Meter
from errata.training.optimiser import MovingAverage
from errata.training.provenance import refuse_other_run


@dataclass(slots=True)
class Progress:
    """How far a run is: steps done, next batch, the best (score, step) so far, evaluations since the best one.

    `seconds` is how long it took before and after every resumption, if `run.seconds` limits it.
    """

    step: int = 0
    position: Position = START
    best: list[tuple[float, int]] = field(default_factory=list)
    stale: int = 0
    log_bytes: int = 0
    seconds: float = 0.0

    def judge(self, score: float, mode: str, keep: int) -> bool:
        """Note a dev score; whether it is the best so far. Of equal scores the earlier stays first."""
        sign = 1 if mode == "max" else -1
        is_best = not self.best or sign * score > sign * self.best[0][0]
        self.best = sorted([*self.best, (score, self.step)], key=lambda entry: (-sign * entry[0], entry[1]))[:keep]
        self.stale = 0 if is_best else self.stale + 1
        return is_best


@dataclass(slots=True)
class RunState:
    """All that changes while a run trains."""

    model: nn.Module
    optimiser: torch.optim.Optimizer
    average: MovingAverage
    meter: Meter
    progress: Progress = field(default_factory=Progress)


class Checkpoints:
    """The checkpoint folder of a run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def last(self) -> Path:
        return self.folder / "last.pt"

    def save(self, state: RunState, origin: Mapping[str, Any], place: Place) -> None:
        """Write the last state; best weights it does not list any more go afterwards, never before."""
        states = place.gather({"random": random_states(), "meter": state.meter.state_dict()})
        if not place.is_first:
            return
        progress = state.progress
        content = {
            "origin": dict(origin),
            "step": progress.step,
            "position": tuple(progress.position),
            "best": progress.best,
            "stale": progress.stale,
            "log_bytes": progress.log_bytes,
            "seconds": progress.seconds,
            "model": state.model.state_dict(),
            "optimiser": state.optimiser.state_dict(),
            "average": state.average.state_dict(),
            "processes": states,
        }
        with replacing(self.last) as beside:
            torch.save(content, beside)
        self._prune(progress)

    def restore(self, state: RunState, origin: Mapping[str, Any], place: Place) -> bool:
        """Put the last state back into `state`; False when there is none. Another recipe's state is a `DataError`."""
        if not self.last.exists():
            return False
        content = load_checkpoint(self.last, place.device)
        refuse_other_run(content["origin"], origin, self.last)
        fit_weights(state.model, content["model"], self.last)
        state.optimiser.load_state_dict(content["optimiser"])
        state.average.load_state_dict(content["average"])
        state.progress = Progress(
            step=content["step"],
            position=Position(*content["position"]),
            best=[(score, step) for score, step in content["best"]],
            stale=content["stale"],
            log_bytes=content["log_bytes"],
            seconds=content.get("seconds", 0.0),  # older checkpoints do not tell
        )
        mine = content["processes"][place.rank]
        state.meter.load_state_dict(mine["meter"])
        set_random_states({name: _on_host(value) for name, value in mine["random"].items()})
        if place.is_first:
            self._prune(state.progress)
        return True

    def save_best(self, model: nn.Module, step: int, scores: Mapping[str, float]) -> None:
        """Write the weights that scored so after `step` steps."""
        with replacing(self._best(step)) as beside:
            torch.save({"model": model.state_dict(), "step": step, "scores": dict(scores)}, beside)

    def clear(self) -> None:
        """Remove every checkpoint."""
        for path in self.folder.glob("*.pt"):
            path.unlink()

    def _prune(self, progress: Progress) -> None:
        listed = {self._best(step) for _, step in progress.best}
        for path in set(self.folder.glob("best-*.pt")) - listed:
            path.unlink()

    def _best(self, step: int) -> Path:
        return self.folder / f"best-{step:08d}.pt"


def load_checkpoint(path: Path, device: torch.device) -> dict[str, Any]:
    """What a checkpoint file holds; a damaged file is a `DataError`."""
    try:
        content: dict[str, Any] = torch.load(path, map_location=device, weights_only=True)
    except pickle.UnpicklingError as error:  # torch's own message says how to run what is in there
        raise DataError(f"{path} is not a readable checkpoint: it is damaged, or holds more than numbers") from error
    except (OSError, RuntimeError, EOFError) as error:
        raise DataError(f"{path} is not a readable checkpoint: {str(error).splitlines()[0]}") from error
    return content


def start_from(model: nn.Module, source: Path, device: torch.device) -> None:
    """Put the weights that `run.start_from` means into the model: of a trained system's folder, or a checkpoint's."""
    weights = find_weights(source)
    if weights.is_dir() or weights.suffix == Path(WEIGHTS).suffix:
        load_weights(model, weights)
    else:
        fit_weights(model, load_checkpoint(weights, device)["model"], weights)


def find_weights(source: Path) -> Path:
    """The weights `run.start_from` means: a file, a system's folder, or the best of a run (the last without dev)."""
    if source.is_file():
        return source
    if has_weights(source):
        return source
    last = source / "checkpoints" / "last.pt"
    if not last.exists():
        raise DataError(
            f"run.start_from: {source} is neither a file of weights nor the folder of a run or of a trained system"
        )
    best = load_checkpoint(last, torch.device("cpu"))["best"]
    return last.with_name(f"best-{best[0][1]:08d}.pt") if best else last


def _on_host(value: Any) -> Any:
    """Generator states are host tensors, wherever the checkpoint was mapped."""
    if isinstance(value, torch.Tensor):
        return value.cpu()
    if isinstance(value, tuple):
        return tuple(_on_host(item) for item in value)
    return value
