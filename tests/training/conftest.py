"""A recipe for the toy task, with its data, in a fresh folder."""

from __future__ import annotations

import random
import string
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from toy import ToyTask

from errata.training.recipe import read_recipe
from errata.training.settings import Recipe

RECIPE = """\
system: toy:ToyTask
language: en
seed: 3
model:
  width: 8
data:
  train: letters.txt
optimiser:
  learning_rate: 1e-2
batches:
  tokens: 256
evaluation:
  select: accuracy
  every: 20
run:
  steps: 60
  folder: {folder}/run
  cache: {folder}/cache
  log_every: 1
"""


@pytest.fixture
def recipe_file(tmp_path: Path) -> Path:
    rng = random.Random(1)
    words = ("".join(rng.choices(string.ascii_lowercase, k=rng.randint(3, 30))) for _ in range(200))
    (tmp_path / "letters.txt").write_text("\n".join(words), encoding="utf-8")
    path = tmp_path / "toy.yaml"
    path.write_text(RECIPE.format(folder=tmp_path), encoding="utf-8")
    return path


@pytest.fixture
def prepared(recipe_file: Path) -> Callable[..., tuple[Recipe, Any]]:
    """`prepared("run.steps=5", …)`: the recipe with changes, and its task."""

    def make(*assignments: str) -> tuple[Recipe, Any]:
        recipe = read_recipe(recipe_file, assignments)
        return recipe, ToyTask.prepare(recipe, recipe.run.cache)

    return make
