"""R-Drop: a batch read twice, under two draws of dropout."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from errata.errors import DataError
from errata.training.devices import Place, pick_device
from errata.training.log import read_log
from errata.training.loop import train
from errata.training.objectives import Likelihood, RepeatedDropout
from errata.training.recipe import find_task, read_recipe
from errata.training.settings import Recipe
from errata.training.shipped import FOLDER as RECIPES


def prepare(tmp_path: Path, name: str = "tagger-tiny", *assignments: str) -> tuple[Recipe, Any]:
    places = [f"run.folder={tmp_path / 'run'}", f"run.cache={tmp_path / 'cache'}", "objective.name=r-drop"]
    recipe = read_recipe(RECIPES / f"{name}.yaml", [*places, *assignments])
    return recipe, find_task(recipe.system).prepare(recipe, recipe.run.cache)


def first_batch(task: Any) -> dict[str, torch.Tensor]:
    arrays = task.train_examples.collate(list(range(8)), np.random.default_rng(1))
    return {name: torch.from_numpy(array) for name, array in arrays.items()}


def test_without_dropout_it_is_the_likelihood(tmp_path: Path) -> None:
    _, task = prepare(tmp_path)
    model, batch = task.build_model().eval(), first_batch(task)
    repeated = RepeatedDropout().loss(task, model, batch)
    assert float(repeated.parts["kl"]) == 0
    assert torch.equal(repeated.total, Likelihood().loss(task, model, batch).total)


def test_two_draws_of_dropout_differ_and_alpha_weighs_that(tmp_path: Path) -> None:
    _, task = prepare(tmp_path, "tagger-tiny", "model.dropout=0.3")
    model, batch = task.build_model().train(), first_batch(task)
    losses = []
    for alpha in (0.0, 2.0):
        torch.manual_seed(3)
        losses.append(RepeatedDropout(alpha).loss(task, model, batch))
    told, weighed = losses
    assert float(told.parts["kl"]) > 0
    assert torch.allclose(weighed.total, told.total + 2 * told.parts["kl"])
    torch.manual_seed(3)
    readings = [Likelihood().loss(task, model, batch).total for _ in range(2)]
    assert torch.allclose(told.total, torch.stack(readings).mean())


def test_its_gradient_draws_the_two_readings_together(tmp_path: Path) -> None:
    _, task = prepare(tmp_path, "tagger-tiny", "model.dropout=0.3")
    model, batch = task.build_model().train(), first_batch(task)
    optimiser = torch.optim.Adam(model.parameters(), 1e-3)
    apart = []
    for step in range(30):
        torch.manual_seed(step % 3)
        loss = RepeatedDropout(50.0).loss(task, model, batch)
        optimiser.zero_grad()
        loss.total.backward()
        optimiser.step()
        apart.append(float(loss.parts["kl"]))
    assert max(apart[-3:]) < min(apart[:3])


def test_a_recipe_trains_with_it_and_logs_the_divergence(tmp_path: Path) -> None:
    recipe, task = prepare(tmp_path, "tagger-tiny", "run.steps=3", "run.log_every=1", "model.dropout=0.1")
    train(recipe, task, place=Place(pick_device("cpu")))
    steps = [record for record in read_log(recipe.folder / "log.jsonl") if record["event"] == "step"]
    assert len(steps) == 3
    assert all(record["parts"]["kl"] > 0 for record in steps)


def test_a_system_that_cannot_read_twice_is_refused_in_one_line(tmp_path: Path) -> None:
    _, task = prepare(tmp_path, "classifier-tiny")
    with pytest.raises(DataError, match="objective r-drop: ClassifierTask cannot read a batch twice"):
        RepeatedDropout().loss(task, task.build_model(), {})


def test_a_negative_weight_is_refused() -> None:
    with pytest.raises(ValueError, match="alpha is 0 or more"):
        RepeatedDropout(-1.0)
