"""Two processes train what one process trains with twice the batches."""

from __future__ import annotations

import multiprocessing
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from errata.training.checkpoints import load_checkpoint
from errata.training.devices import joined
from errata.training.log import read_log
from errata.training.loop import train
from errata.training.settings import Recipe

Prepared = Callable[..., tuple[Recipe, Any]]


def work(rank: int, port: int, recipe: Recipe, task: Any, resume: bool) -> None:
    os.environ.update(
        {
            "RANK": str(rank),
            "LOCAL_RANK": str(rank),
            "WORLD_SIZE": "2",
            "MASTER_ADDR": "127.0.0.1",
            "MASTER_PORT": str(port),
        }
    )
    with joined("cpu") as place:
        assert (place.rank, place.world) == (rank, 2)
        train(recipe, task, place=place, resume=resume)


def in_two_processes(recipe: Recipe, task: Any, resume: bool = False) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=work, args=(rank, port, recipe, task, resume)) for rank in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
        assert process.exitcode == 0


def last(recipe: Recipe) -> dict[str, Any]:
    return load_checkpoint(recipe.folder / "checkpoints" / "last.pt", torch.device("cpu"))


def test_two_processes_are_one_with_twice_the_batches(prepared: Prepared, tmp_path: Path) -> None:
    common = (
        "model.dropout=0",
        "run.steps=12",
        "evaluation.every=6",
        "optimiser.cold={epochs: 1, learning_rate: 0.01}",
    )
    one, task = prepared(*common, f"run.folder={tmp_path}/one", "batches.accumulate=4")
    train(one, task)
    two, task = prepared(*common, f"run.folder={tmp_path}/two", "batches.accumulate=2")
    in_two_processes(two, task)
    alone, together = last(one), last(two)
    assert together["position"] == alone["position"] and len(together["processes"]) == 2
    assert all(torch.allclose(together["model"][name], value, atol=1e-5) for name, value in alone["model"].items())
    losses = [[r["loss"] for r in read_log(run.folder / "log.jsonl") if r["event"] == "step"] for run in (one, two)]
    assert torch.allclose(*map(torch.tensor, losses), atol=1e-5)


def test_two_processes_resume_exactly(prepared: Prepared, tmp_path: Path) -> None:
    common = ("run.steps=12", "run.checkpoint_every=5", "evaluation.select=null", "evaluation.every=100")
    whole, task = prepared(*common, f"run.folder={tmp_path}/whole")
    in_two_processes(whole, task)
    broken, task = prepared(*common, f"run.folder={tmp_path}/broken")

    calls = []
    right = task.loss

    def loss(model: torch.nn.Module, batch: Any) -> Any:
        calls.append(1)
        if len(calls) == 8:
            os._exit(0)  # both processes vanish after their seventh step
        return right(model, batch)

    task.loss = loss
    in_two_processes(broken, task)
    assert last(broken)["step"] == 5
    task.loss = right
    in_two_processes(broken, task, resume=True)
    assert all(last(broken)["model"][name].equal(value) for name, value in last(whole)["model"].items())
