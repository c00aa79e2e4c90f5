"""The tiny recipe and its sentences."""

from __future__ import annotations

from pathlib import Path

from errata.training.devices import Place, pick_device
from errata.training.loop import Outcome, train
from errata.training.recipe import find_task, read_recipe
from errata.training.shipped import FOLDER as RECIPES

PAIRS = RECIPES / "data" / "stg-pairs.tsv"
TINY = RECIPES / "stg-tiny.yaml"


def read_pairs() -> tuple[list[str], list[str]]:
    """The sources and the targets."""
    rows = [line.split("\t") for line in PAIRS.read_text("utf-8").splitlines()]
    return [source for source, _ in rows], [target for _, target in rows]


def run_tiny(folder: Path, *assignments: str) -> Outcome:
    """Train the tiny recipe, changed by assignments, in `folder`."""
    recipe = read_recipe(TINY, [f"run.folder={folder / 'run'}", f"run.cache={folder / 'cache'}", *assignments])
    task = find_task(recipe.system).prepare(recipe, recipe.run.cache)
    return train(recipe, task, place=Place(pick_device("cpu")))
