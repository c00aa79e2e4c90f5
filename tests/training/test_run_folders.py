"""A run keeps what is in its folder, unless it wrote that itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from errata.errors import DataError
from errata.training.run import run_recipe


@pytest.mark.parametrize("name", ["model/thesis.tex", "log.jsonl", "checkpoints/notes", "recipe.json", "loss.png"])
@pytest.mark.parametrize("restart", [True, False])
def test_a_run_writes_over_nothing_of_yours(recipe_file: Path, name: str, restart: bool) -> None:
    file = recipe_file.parent / "run" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("[]")
    with pytest.raises(DataError, match="is not of a run: choose another folder"):
        run_recipe(recipe_file, ["run.steps=3"], restart=restart)
    assert file.read_text() == "[]"


@pytest.mark.parametrize("resume", [True, False])
def test_a_model_without_checkpoints_is_kept(recipe_file: Path, resume: bool) -> None:
    assert run_recipe(recipe_file, ["run.steps=3"]) == 0
    run = recipe_file.parent / "run"
    for checkpoint in (run / "checkpoints").iterdir():
        checkpoint.unlink()
    before = {file.name: file.read_bytes() for file in (run / "model").iterdir()}
    with pytest.raises(DataError, match="holds a model but no checkpoint"):
        run_recipe(recipe_file, ["run.steps=3"], resume=resume)
    assert {file.name: file.read_bytes() for file in (run / "model").iterdir()} == before
