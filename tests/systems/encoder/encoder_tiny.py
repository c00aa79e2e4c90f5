"""An encoder small enough to learn a page by heart in seconds."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from errata.training.devices import Place, pick_device
from errata.training.loop import Outcome, train
from errata.training.recipe import find_task, read_recipe
from errata.training.settings import Recipe

WORDS = "苹果 学校 图书馆 故事 音乐 高兴 起来 昨天 我们 好听 老师 他 跑 吃饭 因为 环境".split()
RECIPE = """\
system: encoder
language: zh
seed: 1
model:
  backbone: {architecture: bert, layers: 2, hidden: 64, heads: 4, pieces: 700, positions: 32, dropout: 0.0}
data:
  text: [text.txt]
  dev_blocks: 20
optimiser: {learning_rate: 3.0e-3}
schedule: {shape: linear, warmup: 0.1}
batches: {tokens: 512}
evaluation: {select: accuracy, every: 60}
run: {steps: 120, log_every: 20}
"""


def write_text(folder: Path) -> Path:
    """Paragraphs that say one word again and again: whoever sees the others knows a hidden one."""
    rng = random.Random(1)
    path = folder / "text.txt"
    path.write_text("".join(28 // len(word) * word + "。\n" for word in rng.choices(WORDS, k=300)), encoding="utf-8")
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
