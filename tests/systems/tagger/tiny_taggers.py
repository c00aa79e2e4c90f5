"""Training tiny taggers on fifty sentence pairs."""

from __future__ import annotations

from pathlib import Path

from errata.training.shipped import FOLDER as RECIPES


def run(recipe: Path, folder: Path, *assignments: str) -> Path:
    """Train as a recipe says, under `folder`; the folder of the trained tagger."""
    from errata.systems.tagger.task import TaggerTask
    from errata.training.devices import Place, pick_device
    from errata.training.loop import train
    from errata.training.recipe import read_recipe

    settings = read_recipe(recipe, [f"run.folder={folder / 'run'}", f"run.cache={folder / 'cache'}", *assignments])
    task = TaggerTask.prepare(settings, settings.run.cache)
    train(settings, task, place=Place(pick_device("cpu")))
    return folder / "run" / "model"


def pairs(language: str) -> list[tuple[str, str]]:
    """The fifty sentence pairs of a language."""
    lines = (RECIPES / "data" / f"tagger-pairs.{language}.tsv").read_text(encoding="utf-8").splitlines()
    return [(source, target) for source, target in (line.split("\t") for line in lines)]
