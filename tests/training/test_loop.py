"""The loop: it learns, and what it promises about weights, batches and dev scores holds."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from errata.errors import DataError, UsageError
from errata.training.batches import plan_epoch
from errata.training.checkpoints import Progress, load_checkpoint
from errata.training.devices import pick_device
from errata.training.log import read_log
from errata.training.loop import train
from errata.training.optimiser import build_optimiser
from errata.training.plot import plot_log
from errata.training.schedule import Timetable, rate_share
from errata.training.settings import OptimiserSettings, Recipe, ScheduleSettings

Prepared = Callable[..., tuple[Recipe, Any]]


def records(recipe: Recipe, event: str = "step") -> list[dict[str, Any]]:
    return [r for r in read_log(recipe.folder / "log.jsonl") if r["event"] == event]


def weights(recipe: Recipe) -> dict[str, torch.Tensor]:
    saved: dict[str, torch.Tensor] = load_checkpoint(recipe.folder / "checkpoints" / "last.pt", torch.device("cpu"))[
        "model"
    ]
    return saved


def test_it_learns_and_leaves_a_system_behind(prepared: Prepared) -> None:
    recipe, task = prepared("run.steps=150", "model.dropout=0", "data.noise=0")
    outcome = train(recipe, task)
    steps = records(recipe)
    assert (outcome.ended, outcome.step) == ("done", 150)
    assert [r["step"] for r in steps] == list(range(1, 151))
    assert steps[-1]["loss"] < 0.05 * steps[0]["loss"]
    assert steps[-1]["parts"]["accuracy"] == outcome.scores["accuracy"] == 1.0
    manifest = json.loads((recipe.folder / "model" / "errata.json").read_text("utf-8"))
    training = manifest["training"]
    assert training["recipe"] == recipe.as_dict()
    assert training["data"] == recipe.digests()
    assert training["versions"]["torch"] == torch.__version__
    assert load_file(recipe.folder / "model" / "model.safetensors").keys() == weights(recipe).keys()
    assert plot_log(recipe.folder / "log.jsonl", recipe.folder / "loss.png")
    assert (recipe.folder / "loss.png").read_bytes().startswith(b"\x89PNG")


def test_accumulated_batches_are_one_big_batch(prepared: Prepared, tmp_path: Path) -> None:
    """With all examples in every step it does not matter how they are cut."""
    ends = []
    for name, tokens, accumulate in (("one", 10_000, 1), ("three", 10_000, 3), ("many", 400, 7)):
        recipe, task = prepared(
            *(f"run.folder={tmp_path}/{name}", "run.steps=4", "model.dropout=0", "data.noise=0"),
            *(f"batches.tokens={tokens}", f"batches.accumulate={accumulate}", "evaluation.select=null"),
        )
        task.train_examples.rows = task.train_examples.rows[:120]
        task.train_examples.lengths = task.train_examples.lengths[:120]
        train(recipe, task)
        ends.append(weights(recipe))
        if name == "many":
            lengths = task.train_examples.lengths
            assert {len(plan_epoch(lengths, recipe.batches, recipe.seed, epoch)) for epoch in range(4)} == {7}
    for other in ends[1:]:
        assert all(torch.allclose(ends[0][name], other[name], atol=1e-5) for name in other)


def test_early_stopping_and_best_checkpoints(prepared: Prepared) -> None:
    recipe, task = prepared("run.steps=200", "evaluation.every=10", "evaluation.patience=3", "evaluation.keep=2")
    scores = iter([0.1, 0.5, 0.3, 0.5, 0.2, 0.9])
    task.evaluate = lambda model: {"accuracy": next(scores)}
    outcome = train(recipe, task)
    assert (outcome.ended, outcome.step) == ("early", 50)
    kept = sorted(p.name for p in (recipe.folder / "checkpoints").glob("best-*"))
    assert kept == ["best-00000020.pt", "best-00000040.pt"]
    manifest = json.loads((recipe.folder / "model" / "errata.json").read_text("utf-8"))
    assert manifest["training"]["step"] == 20


def test_a_run_can_end_by_the_clock(prepared: Prepared) -> None:
    recipe, task = prepared(
        *("run.steps=100000", "run.seconds=1.5", "model.delay=0.005", "evaluation.every=100000"),
        *("schedule.warmup=5", "schedule.shape=linear", "run.checkpoint_every=20"),
    )
    outcome = train(recipe, task)
    steps = records(recipe)
    assert outcome.ended == "done" and 10 < outcome.step == steps[-1]["step"] < 400
    assert [r["step"] for r in records(recipe, "evaluation")] == [outcome.step]
    rates = [r["lr"] for r in steps]
    assert max(rates) == pytest.approx(recipe.optimiser.learning_rate, rel=0.1)
    assert rates[-1] < 0.1 * max(rates)
    assert load_checkpoint(recipe.folder / "checkpoints" / "last.pt", torch.device("cpu"))["seconds"] >= 1.5
    assert train(recipe, task, resume=True).step == outcome.step


@pytest.mark.parametrize(
    ("step", "seconds", "expected", "is_over"),
    [
        pytest.param(0, 0.0, 1000, False, id="nothing-known-yet"),
        pytest.param(100, 20.0, 500, False, id="the-clock-comes-first"),
        pytest.param(100, 1.0, 1000, False, id="the-steps-come-first"),
        pytest.param(480, 100.0, 480, True, id="time-is-up"),
        pytest.param(1000, 60.0, 1000, True, id="all-steps-are-done"),
    ],
)
def test_how_many_steps_the_clock_leaves(step: int, seconds: float, expected: int, is_over: bool) -> None:
    timetable = Timetable(steps=1000, per_epoch=100, cold=0, evaluate_every=100, seconds=100.0)
    assert timetable.expected_steps(step, seconds) == expected
    assert timetable.is_over(step, seconds) == is_over


def test_a_smaller_score_can_be_better() -> None:
    progress = Progress(step=1)
    assert [progress.judge(score, "min", 1) for score in (0.5, 0.7, 0.5, 0.2)] == [True, False, False, True]
    assert (progress.best, progress.stale) == ([(0.2, 1)], 0)


def test_cold_epochs_leave_the_backbone_alone(prepared: Prepared) -> None:
    cold = "optimiser.cold={epochs: 1, learning_rate: 0.5}"
    recipe, task = prepared(cold, "optimiser.backbone_learning_rate=1e-3", "run.steps=40", "evaluation.select=null")
    seen = []
    build = task.build_model

    def note(model: torch.nn.Module, inputs: Any) -> None:
        if model.training:
            seen.append(model.encoder.weight.detach().clone())

    def build_and_watch() -> torch.nn.Module:
        model: torch.nn.Module = build()
        model.register_forward_pre_hook(note)
        return model

    task.build_model = build_and_watch
    train(recipe, task)
    per_epoch = round(1 / records(recipe)[0]["epoch"])
    rates = [r["lr"] for r in records(recipe)]
    assert rates[:per_epoch] == [0.5] * per_epoch and rates[per_epoch] == pytest.approx(1e-2)
    changed = [not before.equal(after) for before, after in pairwise(seen)]
    assert changed[:per_epoch] == [False] * per_epoch and all(changed[per_epoch:])


def test_averaged_weights_are_judged_and_saved(prepared: Prepared) -> None:
    recipe, task = prepared("optimiser.ema=0.9", "run.steps=20")
    train(recipe, task)
    best = load_checkpoint(recipe.folder / "checkpoints" / "best-00000020.pt", torch.device("cpu"))["model"]
    assert not best["head.weight"].equal(weights(recipe)["head.weight"])
    assert load_file(recipe.folder / "model" / "model.safetensors")["head.weight"].equal(best["head.weight"])


def test_a_second_stage_starts_from_the_first(prepared: Prepared, tmp_path: Path) -> None:
    first, task = prepared("run.steps=20")
    train(first, task)
    best = load_checkpoint(first.folder / "checkpoints" / "best-00000020.pt", torch.device("cpu"))["model"]
    second, task = prepared(
        f"run.start_from={first.folder}",
        f"run.folder={tmp_path}/second",
        "run.steps=1",
        "optimiser.learning_rate=1e-12",
    )
    train(second, task)
    assert all(torch.allclose(value, best[name]) for name, value in weights(second).items())
    third, task = prepared(f"run.start_from={first.folder}", f"run.folder={tmp_path}/third", "model.width=4")
    with pytest.raises(DataError, match=r"does not fit the model: encoder\.weight is \(27, 8\), not \(27, 4\)"):
        train(third, task)


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("evaluation.select=f1", "the task gives no score 'f1', only accuracy"),
        (
            "run.start_from=nowhere",
            "nowhere is neither a file of weights nor the folder of a run or of a trained system",
        ),
    ],
)
def test_faults(prepared: Prepared, assignment: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        train(*prepared(assignment))


def test_a_loss_that_is_no_number_stops_the_run_unsaved(prepared: Prepared) -> None:
    recipe, task = prepared("run.log_every=7", "run.checkpoint_every=1")
    right, calls = task.loss, []

    def loss(model: torch.nn.Module, batch: dict[str, torch.Tensor]) -> Any:
        calls.append(1)
        found = right(model, batch)
        return type(found)(found.total * (math.nan if len(calls) == 5 else 1), found.n_tokens)

    task.loss = loss
    with pytest.raises(DataError, match=r"the loss is nan at step 5: lower optimiser\.learning_rate"):
        train(recipe, task)
    assert load_checkpoint(recipe.folder / "checkpoints" / "last.pt", torch.device("cpu"))["step"] == 4


@pytest.mark.parametrize(
    ("shape", "shares"),
    [
        ("constant", [0.2, 0.4, 0.6, 0.8, 1, 1, 1]),
        ("linear", [0.2, 0.4, 0.6, 0.8, 1, 5 / 6, 4 / 6]),
        ("cosine", [0.2, 0.4, 0.6, 0.8, 1, (1 - math.cos(math.pi * 5 / 6)) / 2, 0.75]),
        ("inverse-sqrt", [0.2, 0.4, 0.6, 0.8, 1, math.sqrt(4 / 5), math.sqrt(4 / 6)]),
    ],
)
def test_schedules(shape: Any, shares: list[float]) -> None:
    for warmup in (4, 0.4):
        schedule = ScheduleSettings(shape, warmup=warmup)
        assert [rate_share(schedule, step, 10) for step in range(7)] == pytest.approx(shares)


def test_schedules_end_at_their_floor() -> None:
    assert rate_share(ScheduleSettings("linear", floor=0.1), 100, 100) == pytest.approx(0.1)
    assert rate_share(ScheduleSettings("cosine", floor=0.1), 100, 100) == pytest.approx(0.1)


def test_vectors_are_not_decayed(prepared: Prepared) -> None:
    _, task = prepared()
    model = task.build_model()
    optimiser = build_optimiser(model, OptimiserSettings(1e-3, weight_decay=0.5), ("encoder.",), torch.device("cpu"))
    decayed = {id(p): group["weight_decay"] for group in optimiser.param_groups for p in group["params"]}
    assert {name: decayed[id(p)] for name, p in model.named_parameters()} == {
        "encoder.weight": 0.5, "norm.weight": 0.0, "norm.bias": 0.0, "head.weight": 0.5, "head.bias": 0.0,
    }  # fmt: skip


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here")
@pytest.mark.parametrize("name", ["cuda", "abacus"])
def test_a_device_that_is_not_there(name: str) -> None:
    with pytest.raises(UsageError, match=f"no device '{name}'"):
        pick_device(name)
