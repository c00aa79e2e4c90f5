"""An encoder small enough to learn a page by heart in seconds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from errata.training.devices import Place, pick_device
from errata.training.loop import Outcome, train
from errata.training.recipe import find_task, read_recipe
from errata.training.settings import Recipe
from errata.training.shipped import FOLDER

RECIPE = """\
system: encoder
language: zh
seed: 1
model:
  backbone: {architecture: bert, layers: 2, hidden: 64, heads: 4, pieces: 700, positions: 32, dropout: 0.0}
data:
  text: [text.txt]
  dev_blocks: 6
optimiser: {learning_rate: 3.0e-3}
schedule: {shape: linear, warmup: 0.1}
batches: {tokens: 512}
evaluation: {select: accuracy, every: 60}
run: {steps: 120, log_every: 20}
"""


def write_text(folder: Path) -> Path:
    """The corrected sentences of the tiny recipes, some to a paragraph."""
    pairs = (FOLDER / "data" / "tagger-pairs.zh.tsv").read_text("utf-8").splitlines()
    sentences = [pair.split("\t")[1] for pair in pairs]
    path = folder / "text.txt"
    path.write_text("\n".join("".join(sentences[i : i + 3]) for i in range(0, len(sentences), 3)), encoding="utf-8")
    return path


def prepare_tiny(folder: Path, *assignments: str) -> tuple[Recipe, Any]:
    """The recipe with changes, and its task; all files lie in `folder`."""
    write_text(folder)
    (folder / "encoder.yaml").write_text(RECIPE, encoding="utf-8")
    places = [f"run.folder={folder / 'run'}", f"run.cache={folder / 'cache'}"]
    recipe = read_recipe(folder / "encoder.yaml", [*places, *assignments])
    return recipe, find_task(recipe.system).prepare(recipe, recipe.run.cache)


def run_tiny(folder: Path, *assignments: str) -> Outcome:
    """Train it on the CPU."""
    return train(*prepare_tiny(folder, *assignments), place=Place(pick_device("cpu")))
