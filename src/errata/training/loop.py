"""The training loop: one for every system, on a CPU, a GPU or several, from the same recipe.

A step: take batches, weight their losses by tokens, one AdamW update, average, log; now and then judge on dev and save.
All that changes is in `RunState`; everything else is a function of the recipe and the step, which is why a resumed run
ends with the same weights as one that never stopped.
"""

from __future__ import annotations

import json
import logging
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from errata.errors import DataError
from errata.files import replacing_folder, write_text
from errata.networks.rounding import Rounding
from errata.training.batches import Batch, padding_share, plan_epoch, stream_batches
from errata.training.checkpoints import Checkpoints, RunState, start_from
from errata.training.devices import Place, pick_device, seed_all, untouched_randomness
from errata.training.log import Clock, Meter, TrainingLog, refuse_nonfinite
from errata.training.memory import give_back, keep_few_programs
from errata.training.objectives import Objective
from errata.training.optimiser import MovingAverage, build_optimiser, freeze_backbone, set_rates
from errata.training.provenance import describe
from errata.training.schedule import Timetable
from errata.training.settings import Recipe
from errata.training.task import Loss, Task

log = logging.getLogger(__name__)

MODEL = "model"  # the folder of a run with the best system so far
# Called with every record of the log; `steps` is how many there will be.
Show = Callable[[str, Mapping[str, Any], int], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended: all steps done, no progress on dev for `evaluation.patience`, or a signal."""

    ended: Literal["done", "early", "interrupted"]
    step: int
    scores: Mapping[str, float] = field(default_factory=dict)


def train(
    recipe: Recipe,
    task: Task,
    *,
    place: Place | None = None,
    resume: bool = False,
    show: Show = lambda event, record, steps: None,
) -> Outcome:
    """Train `task` as the recipe says; the run folder holds log, checkpoints and the best model afterwards."""
    place = place or Place(pick_device("auto"))
    keep_few_programs(place.device)
    if place.is_first:
        refuse_foreign(recipe.folder)
    state = _fresh_state(recipe, task, place)
    model, optimiser, meter = state.model, state.optimiser, state.meter
    examples, origin = task.train_examples, describe(recipe, place.world)
    first_epoch = plan_epoch(np.asarray(examples.lengths), recipe.batches, recipe.seed, 0)
    timetable = Timetable.of(recipe, len(first_epoch), place.world)
    checkpoints = Checkpoints(recipe.folder / "checkpoints")
    _begin_or_resume(recipe, state, checkpoints, origin, place, resume)
    rounding = Rounding(model, task.backbone, recipe.run.weight_bits)
    progress, patience, clock = state.progress, recipe.evaluation.patience, Clock(place.device)
    began = time.monotonic() - progress.seconds
    batches = stream_batches(
        *(examples, recipe.batches, recipe.seed, progress.position),
        rank=place.rank, world=place.world, pin=place.device.type == "cuda",
    )  # fmt: skip
    losses: nn.Module | None = None
    scores: dict[str, float] = {}

    def record(event: str, **values: Any) -> None:
        values = {"step": progress.step, "epoch": round(progress.step / timetable.per_epoch, 4), **values}
        records.write(event, **values)
        if place.is_first:
            show(event, values, timetable.expected_steps(progress.step, progress.seconds))

    log_file = recipe.folder / "log.jsonl" if place.is_first else None
    with TrainingLog(log_file, keep=progress.log_bytes) as records, _signals() as received:
        if progress.log_bytes == 0:
            record("start", steps=timetable.steps, **_sizes(model, np.asarray(examples.lengths), first_epoch))
            if recipe.run.start_from is not None and recipe.evaluation.select is not None:
                with clock.stopped():  # what training makes worse is not kept
                    scores = _judge(recipe, task, state, checkpoints, origin, place, rounding)
                    record("evaluation", scores=scores, best=progress.best[0][0])
                    progress.log_bytes = records.sync()
                    checkpoints.save(state, origin, place)
        is_over = timetable.is_over(progress.step, progress.seconds)
        while not is_over and not (patience and progress.stale >= patience):
            if losses is None or progress.step == timetable.cold:  # the set of trained weights changes
                freeze_backbone(optimiser, is_cold=progress.step < timetable.cold)
                losses = _parallel(_Losses(recipe.objective, task, model), place)
            rate = set_rates(optimiser, recipe, progress.step, timetable, progress.seconds)
            with clock.waiting():
                taken = [next(batches) for _ in range(recipe.batches.accumulate)]
                moved = [_moved(batch, place.device) for batch in taken]
            with clock.computing():
                with rounding.in_place():
                    norm = _gradients(losses, moved, optimiser, meter, place, recipe)
                optimiser.step()
                optimiser.zero_grad(set_to_none=True)
                state.average.update()
            clock.count(taken)
            give_back(place.device, progress.step)
            progress.step, progress.position = progress.step + 1, taken[-1].following
            progress.seconds = _elapsed(began, timetable, place)
            is_over = timetable.is_over(progress.step, progress.seconds)

            is_logged = progress.step % recipe.run.log_every == 0 or is_over
            if is_logged:
                means = _means(meter, place)
                refuse_nonfinite(means["loss"], progress.step)
                record("step", **means, lr=rate, grad_norm=float(norm), **clock.read(place.world))
            is_stopped = _is_stopped(received, place, is_logged)
            is_judged = is_over or timetable.is_evaluation(progress.step)
            if is_judged or is_stopped or progress.step % recipe.run.checkpoint_every == 0:
                with clock.stopped():
                    refuse_nonfinite(meter.state_dict().get("loss", 0.0), progress.step)
                    if is_judged:
                        scores = _judge(recipe, task, state, checkpoints, origin, place, rounding)
                        record("evaluation", scores=scores, best=progress.best[0][0] if progress.best else None)
                    progress.log_bytes = records.sync()
                    checkpoints.save(state, origin, place)
            if is_stopped and not is_over:
                return Outcome("interrupted", progress.step, scores)
    if recipe.evaluation.select is None and place.is_first:
        with state.average.in_place(), rounding.in_place():
            _save(recipe, task, model, {**origin, "step": progress.step, "scores": scores})
    return Outcome("done" if is_over else "early", progress.step, scores)


def _fresh_state(recipe: Recipe, task: Task, place: Place) -> RunState:
    """A model as the recipe's seed makes it (or `run.start_from` left it), with its optimiser."""
    if place.device.type == "cuda":
        torch.set_float32_matmul_precision("high")
        # cuDNN's attention is planned anew for every shape, and batches have all shapes: 360 ms a step for STG, not 70.
        torch.backends.cuda.enable_cudnn_sdp(False)
    torch.use_deterministic_algorithms(recipe.run.deterministic)
    seed_all(recipe.seed)
    model = task.build_model().to(place.device).train()
    if recipe.run.start_from is not None:
        start_from(model, recipe.run.start_from, place.device)
    if recipe.run.compile:
        # In place, so weights keep their names. Code for one shape is faster, where all batches have it.
        lengths = np.asarray(task.train_examples.lengths)
        model.compile(dynamic=None if len(lengths) and lengths.min() == lengths.max() else True)
    seed_all(recipe.seed + place.rank)  # the same weights everywhere, but each process its own dropout
    optimiser = build_optimiser(model, recipe.optimiser, task.backbone, place.device)
    return RunState(model, optimiser, MovingAverage(model, recipe.optimiser.ema), Meter(place.device))


def _begin_or_resume(
    recipe: Recipe, state: RunState, checkpoints: Checkpoints, origin: Mapping[str, Any], place: Place, resume: bool
) -> None:
    """Put the last checkpoint into `state` if that is wanted; a run is never overwritten unasked."""
    if checkpoints.last.exists() and not resume:
        raise DataError(f"{recipe.folder} holds a run already: --resume continues it, --restart begins it anew")
    if place.is_first and (recipe.folder / MODEL).exists() and not checkpoints.last.exists():
        raise DataError(f"{recipe.folder} holds a model but no checkpoint to go on from: --restart throws it away")
    if resume and checkpoints.restore(state, origin, place):
        log.info("resumed %s at step %d", checkpoints.last, state.progress.step)
        begun_with = json.loads((recipe.folder / "recipe.json").read_text(encoding="utf-8"))["versions"]
        if place.is_first and begun_with != origin["versions"]:
            log.warning("the run was begun with other versions (%s): results may differ in the last digits", begun_with)
    if place.is_first:
        write_text(recipe.folder / "recipe.json", json.dumps(origin, indent=2, ensure_ascii=False) + "\n")


def _elapsed(began: float, timetable: Timetable, place: Place) -> float:
    """The seconds since `began`, by the first process's clock; none where they decide nothing."""
    return 0.0 if timetable.seconds is None else float(place.share(time.monotonic() - began))


def clear_run(recipe: Recipe) -> None:
    """Remove what an earlier run left in the recipe's folder: checkpoints, log, model."""
    refuse_foreign(recipe.folder)
    Checkpoints(recipe.folder / "checkpoints").clear()
    (recipe.folder / "log.jsonl").unlink(missing_ok=True)
    shutil.rmtree(recipe.folder / MODEL, ignore_errors=True)


def refuse_foreign(folder: Path) -> None:
    """Raise if a run in `folder` would write over files that no run of errata's has left there."""
    try:
        is_run = "versions" in json.loads((folder / "recipe.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError):
        is_run = False
    written = (folder / name for name in (MODEL, "checkpoints", "log.jsonl", "loss.png", "recipe.json"))
    if not is_run and (taken := [path for path in written if path.exists()]):
        raise DataError(f"{taken[0]} is not of a run: choose another folder (--set run.folder=…)")


def _gradients(
    losses: nn.Module,
    batches: list[dict[str, torch.Tensor]],
    optimiser: torch.optim.Optimizer,
    meter: Meter,
    place: Place,
    recipe: Recipe,
) -> torch.Tensor:
    """Compute the clipped gradients of one step on `batches`; return their norm before clipping.

    Each batch's loss is weighted by its tokens and the gradient divided by all tokens, so it does not matter how
    examples were cut into batches or spread over devices.
    """
    n_tokens = torch.zeros((), device=place.device)
    for i, batch in enumerate(batches):
        is_final = i == len(batches) - 1
        with _unsynced(losses, is_final), _autocast(recipe, place.device):
            loss: Loss = losses(batch)
            (loss.total * loss.n_tokens).backward()  # type: ignore[no-untyped-call]
        n_tokens = n_tokens + loss.n_tokens
        meter.add(loss)
    gradients = [p.grad for group in optimiser.param_groups for p in group["params"] if p.grad is not None]
    # Several processes have averaged their gradients, not summed them: hence `world`.
    torch._foreach_mul_(gradients, place.world / place.sum(n_tokens).clamp(min=1))
    norm = torch.nn.utils.get_total_norm(gradients)
    if recipe.optimiser.clip is not None:
        torch._foreach_mul_(gradients, (recipe.optimiser.clip / (norm + 1e-6)).clamp(max=1.0))
    return norm


def _judge(
    recipe: Recipe,
    task: Task,
    state: RunState,
    checkpoints: Checkpoints,
    origin: Mapping[str, Any],
    place: Place,
    rounding: Rounding,
) -> dict[str, float]:
    """Dev scores of the (averaged, rounded) weights; when the selected one is among the best they are saved."""
    progress, select = state.progress, recipe.evaluation.select
    scores: dict[str, float] = {}
    if place.is_first:
        with state.average.in_place(), rounding.in_place(), untouched_randomness(), torch.no_grad():
            state.model.eval()
            with _autocast(recipe, place.device):
                scores = {name: float(value) for name, value in task.evaluate(state.model).items()}
            state.model.train()
    scores = place.share(scores)
    if select is None:
        return scores
    if select not in scores:
        raise DataError(f"evaluation.select: the task gives no score {select!r}, only {', '.join(sorted(scores))}")
    is_best = progress.judge(scores[select], recipe.evaluation.mode, recipe.evaluation.keep)
    if place.is_first and any(step == progress.step for _, step in progress.best):
        with state.average.in_place(), rounding.in_place():
            checkpoints.save_best(state.model, progress.step, scores)
            if is_best:
                _save(recipe, task, state.model, {**origin, "step": progress.step, "scores": scores})
    return scores


def _save(recipe: Recipe, task: Task, model: nn.Module, training: Mapping[str, Any]) -> None:
    """Write the system folder `model/`, whole."""
    model.eval()
    with replacing_folder(recipe.folder / MODEL) as beside, torch.no_grad(), untouched_randomness():
        task.save(model, beside, training)
    model.train()


class _Losses(nn.Module):
    """The objective as a module: what is called to get a loss must be what gradients are synchronised for."""

    def __init__(self, objective: Objective, task: Task, model: nn.Module) -> None:
        super().__init__()
        self.objective, self.task, self.model = objective, task, model

    def forward(self, batch: Mapping[str, torch.Tensor]) -> Loss:
        return self.objective.loss(self.task, self.model, batch)


def _parallel(losses: nn.Module, place: Place) -> nn.Module:
    if place.world == 1:
        return losses
    return DistributedDataParallel(losses, device_ids=[place.device] if place.device.type == "cuda" else None)


def _unsynced(losses: nn.Module, is_final: bool) -> AbstractContextManager[None]:
    """Processes exchange gradients once a step, at its final batch."""
    return losses.no_sync() if isinstance(losses, DistributedDataParallel) and not is_final else nullcontext()


def _autocast(recipe: Recipe, device: torch.device) -> torch.autocast:
    precision = recipe.run.precision
    is_bfloat16 = precision == "bfloat16" or (precision == "auto" and device.type == "cuda")
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=is_bfloat16)


def _moved(batch: Batch, device: torch.device) -> dict[str, torch.Tensor]:
    return {name: tensor.to(device, non_blocking=True) for name, tensor in batch.tensors.items()}


def _means(meter: Meter, place: Place) -> dict[str, Any]:
    """The window's mean losses over all processes."""
    sums = place.gather(meter.state_dict())
    return meter.read({name: sum(part.get(name, 0.0) for part in sums) for name in sums[0]})


def _sizes(model: nn.Module, lengths: np.ndarray, plan: list[np.ndarray]) -> dict[str, Any]:
    """What the run is about, for its first record."""
    return {
        "examples": len(lengths),
        "tokens": int(lengths.sum()),
        "padding": round(padding_share(lengths, plan), 4),
        "parameters": sum(p.numel() for p in model.parameters()),
    }


@contextmanager
def _signals() -> Iterator[list[int]]:
    """The list of interrupt and termination signals received in the block: the loop ends after the step under way."""
    received: list[int] = []

    def note(number: int, frame: object) -> None:
        received.append(number)
        signal.signal(number, previous[number])  # asked twice, stop at once

    previous: dict[int, Any] = {}
    try:
        previous.update({n: signal.signal(n, note) for n in (signal.SIGINT, signal.SIGTERM)})
    except ValueError:
        log.debug("not in the main thread: signals stay the program's own business")
    try:
        yield received
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _is_stopped(received: list[int], place: Place, is_meeting: bool) -> bool:
    """Whether to stop now; several processes agree on it at the steps that are logged."""
    if place.world == 1:
        return bool(received)
    return is_meeting and any(place.gather(bool(received)))
