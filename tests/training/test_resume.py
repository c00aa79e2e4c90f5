"""A run that is killed and resumed is the run that was never killed."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from errata.errors import DataError
from errata.training.checkpoints import load_checkpoint
from errata.training.log import read_log
from errata.training.loop import train
from errata.training.settings import Recipe

Prepared = Callable[..., tuple[Recipe, Any]]

TIMES = {"tokens_per_second", "step_ms", "compute_ms", "wait_ms", "step_to_compute", "padding"}


def last(recipe: Recipe) -> dict[str, Any]:
    return load_checkpoint(recipe.folder / "checkpoints" / "last.pt", torch.device("cpu"))


def curve(recipe: Recipe) -> list[dict[str, Any]]:
    """The log without what depends on the machine's speed."""
    log = read_log(recipe.folder / "log.jsonl")
    return [{key: value for key, value in r.items() if key not in TIMES} for r in log]


def equal(left: Any, right: Any) -> bool:
    """Bit-identical, all the way down."""
    if isinstance(left, torch.Tensor):
        return left.equal(right)
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(equal(left[key], right[key]) for key in left)
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(equal(a, b) for a, b in zip(left, right, strict=True))
    return bool(left == right)


def killed_at(recipe: Recipe, task: Any, steps: int) -> None:
    """Train in another process and kill it (-9) once `steps` steps are in the log."""
    process = multiprocessing.get_context("fork").Process(target=train, args=(recipe, task), kwargs={"resume": True})
    process.start()
    log = recipe.folder / "log.jsonl"
    while process.is_alive() and (not log.exists() or log.read_text("utf-8").count('"event": "step"') < steps):
        time.sleep(0.001)
    process.kill()
    process.join()
    assert process.exitcode == -signal.SIGKILL


SETTINGS = (
    *("run.steps=120", "run.log_every=3", "run.checkpoint_every=10", "model.delay=0.002", "batches.accumulate=2"),
    *("optimiser.ema=0.95", "optimiser.cold={epochs: 1, learning_rate: 1e-3}", "evaluation.keep=2"),
)


@pytest.mark.parametrize("workers", [0, 1])
def test_killed_five_times(prepared: Prepared, tmp_path: Path, workers: int) -> None:
    whole, task = prepared(*SETTINGS, f"run.folder={tmp_path}/whole")
    train(whole, task)
    broken, task = prepared(*SETTINGS, f"run.folder={tmp_path}/broken", f"batches.workers={workers}")
    rng = random.Random(workers)
    for done in sorted(rng.sample(range(1, 38), 5)):
        killed_at(broken, task, done)
    assert 0 < last(broken)["step"] < 120
    outcome = train(broken, task, resume=True)
    assert (outcome.ended, outcome.step) == ("done", 120)
    assert curve(broken) == curve(whole)
    assert [r["step"] for r in curve(broken) if r["event"] == "step"] == list(range(3, 121, 3))
    for part in ("model", "optimiser", "average", "processes", "best", "position"):
        assert equal(last(broken)[part], last(whole)[part]), part
    assert (broken.folder / "model" / "model.safetensors").read_bytes() == (
        whole.folder / "model" / "model.safetensors"
    ).read_bytes()
    assert {p.name for p in (broken.folder / "checkpoints").iterdir()} == {
        p.name for p in (whole.folder / "checkpoints").iterdir()
    }


def test_resuming_with_another_recipe_is_refused(prepared: Prepared, recipe_file: Path) -> None:
    train(*prepared("run.steps=5"))
    with pytest.raises(DataError) as caught:
        train(*prepared("run.steps=5", "optimiser.learning_rate=0.5", "seed=9"), resume=True)
    assert str(caught.value).endswith("it is another run: seed was 3, is 9; optimiser.learning_rate was 0.01, is 0.5")
    (recipe_file.parent / "letters.txt").write_text("abc", encoding="utf-8")
    with pytest.raises(DataError, match=r"it is another run: data\.letters\.txt was [0-9a-f]{64}, is [0-9a-f]{64}"):
        train(*prepared("run.steps=5"), resume=True)


def test_speed_settings_may_change(prepared: Prepared) -> None:
    train(*prepared("run.steps=5"))
    assert train(*prepared("run.steps=5", "batches.workers=2", "run.log_every=2"), resume=True).step == 5


def test_a_run_is_not_overwritten(prepared: Prepared) -> None:
    train(*prepared("run.steps=5"))
    with pytest.raises(DataError, match="holds a run already: --resume continues it, --restart begins it anew"):
        train(*prepared("run.steps=5"))


def test_a_damaged_checkpoint(prepared: Prepared) -> None:
    recipe, task = prepared("run.steps=5")
    train(recipe, task)
    file = recipe.folder / "checkpoints" / "last.pt"
    file.write_bytes(file.read_bytes()[:200])
    with pytest.raises(DataError, match=r"last\.pt is not a readable checkpoint"):
        train(recipe, task, resume=True)


def run(recipe_file: Path, *arguments: str, **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "errata.training", str(recipe_file), "--device", "cpu", *arguments],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def test_a_terminated_run_saves_itself(recipe_file: Path) -> None:
    slow = ("--set", "model.delay=0.05")
    log = recipe_file.parent / "run" / "log.jsonl"
    process = run(recipe_file, *slow)
    while process.poll() is None and (not log.exists() or log.read_text("utf-8").count('"event": "step"') < 3):
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.splitlines()[-1].startswith("stopped at step ")
    saved = load_checkpoint(recipe_file.parent / "run" / "checkpoints" / "last.pt", torch.device("cpu"))["step"]
    assert 3 <= saved < 60
    assert said.splitlines()[-1] == f"stopped at step {saved}; the same command with --resume goes on from there"


def test_killed_right_after_the_start_was_judged(prepared: Prepared, tmp_path: Path) -> None:
    first, task = prepared("run.steps=3", f"run.folder={tmp_path}/first")
    train(first, task)
    second = (f"run.start_from={tmp_path}/first", "run.steps=30", "run.checkpoint_every=1000", "model.delay=0.01")
    whole, task = prepared(*second, f"run.folder={tmp_path}/whole")
    train(whole, task)
    assert [r["step"] for r in curve(whole) if r["event"] == "evaluation"] == [0, 20, 30]
    broken, task = prepared(*second, f"run.folder={tmp_path}/broken")
    killed_at(broken, task, 1)
    assert last(broken)["step"] == 0
    train(broken, task, resume=True)
    assert curve(broken) == curve(whole)
    assert equal(last(broken)["model"], last(whole)["model"])


def test_a_run_by_the_clock_can_be_ended_where_it_was_killed(prepared: Prepared) -> None:
    """What is left of a lost machine's time: the model of the last checkpoint."""
    settings = ("run.steps=100000", "evaluation.select=null", "run.checkpoint_every=5", "model.delay=0.005")
    killed_at(*prepared(*settings, "run.seconds=1000"), 12)
    recipe, task = prepared(*settings, "run.seconds=0.001")
    reached = last(recipe)["step"]
    outcome = train(recipe, task, resume=True)
    assert (outcome.ended, outcome.step) == ("done", reached) and reached >= 5
    assert (recipe.folder / "model" / "errata.json").is_file()
