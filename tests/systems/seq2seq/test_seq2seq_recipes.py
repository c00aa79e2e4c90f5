"""Every seq2seq recipe can be read: its keys exist and its values make sense."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from errata.training.recipe import read_recipe
from errata.training.shipped import FOLDER

RECIPES = sorted(path for path in FOLDER.glob("*.yaml") if "system: seq2seq" in path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_recipe_is_well_formed(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ERRATA_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for name in re.findall(r"[\w${}./-]+\.(?:m2|tsv|txt|json)(?:\.xz)?", path.read_text(encoding="utf-8")):
        if not name.startswith("${ERRATA_RECIPES}"):
            file = tmp_path / name.replace("${ERRATA_DATA}", str(tmp_path))
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
    recipe = read_recipe(path)
    assert recipe.system == "seq2seq"
    assert recipe.model.max_tokens < recipe.model.backbone.positions


def test_there_are_recipes_of_every_size() -> None:
    assert {"seq2seq-tiny", "seq2seq-small", "mucgec-seq2seq", "seq2seq-t5"} <= {path.stem for path in RECIPES}
