"""A tiny IMPARA, trained in seconds."""

from __future__ import annotations

from pathlib import Path

from errata.training.devices import Place, pick_device
from errata.training.loop import Outcome, train
from errata.training.recipe import find_task, read_recipe
from errata.training.shipped import FOLDER as RECIPES

TINY = RECIPES / "impara-tiny.yaml"


def run_tiny(folder: Path, *assignments: str) -> tuple[Path, Outcome]:
    recipe = read_recipe(TINY, [f"run.folder={folder / 'run'}", f"run.cache={folder / 'cache'}", *assignments])
    task = find_task(recipe.system).prepare(recipe, recipe.run.cache)
    return folder / "run" / "model", train(recipe, task, place=Place(pick_device("cpu")))
