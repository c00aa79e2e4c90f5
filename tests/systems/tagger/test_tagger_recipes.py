"""Every tagger recipe can be read: its keys exist and its values make sense."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tiny_taggers import RECIPES

from errata.training.recipe import read_recipe
from errata.training.shipped import shipped_recipe


def read_whole(path: Path) -> str:
    """The recipe's text and those it extends."""
    text = path.read_text(encoding="utf-8")
    return text + "".join(read_whole(shipped_recipe(name)) for name in re.findall("^extends: (.+)$", text, re.M))


TAGGERS = sorted(path for path in RECIPES.glob("*.yaml") if "system: tagger" in read_whole(path))


@pytest.mark.parametrize("path", TAGGERS, ids=lambda path: path.stem)
def test_recipe_is_well_formed(path, tmp_path, monkeypatch):
    monkeypatch.setenv("ERRATA_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    text = read_whole(path)
    for name in re.findall(r"[\w${}./-]+\.(?:m2|tsv|txt|json|para|src|ref\d)(?:\.xz)?", text):
        if not name.startswith("${ERRATA_RECIPES}"):
            file = tmp_path / name.replace("${ERRATA_DATA}", str(tmp_path))
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
    for name in re.findall(r"(?:vocabulary|teacher): ([\w./-]+)", text):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
    # A model that is not installed is not needed to see that the recipe is well formed.
    recipe = read_recipe(path, ["start=en-small"] if "\nstart: " in text else [])
    assert recipe.system == "tagger"
    assert recipe.model.max_tokens + 2 <= recipe.model.backbone.positions


def test_there_are_recipes_of_every_size():
    assert {"tagger-tiny", "tagger-small", "gector-roberta", "pie-bert", "lasertagger-bert", "mucgec-seq2edit"} <= {
        path.stem for path in TAGGERS
    }
