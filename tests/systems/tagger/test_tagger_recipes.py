"""Every tagger recipe can be read: its keys exist and its values make sense."""

from __future__ import annotations

import re

import pytest
from tiny_taggers import RECIPES

from errata.train.recipe import parse_recipe

TAGGERS = sorted(path for path in RECIPES.glob("*.yaml") if "system: tagger" in path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", TAGGERS, ids=lambda path: path.stem)
def test_recipe_is_well_formed(path, tmp_path, monkeypatch):
    monkeypatch.setenv("ERRATA_DATA", str(tmp_path))
    text = path.read_text(encoding="utf-8")
    for name in re.findall(r"[\w${}./-]+\.(?:m2|tsv|txt|json|src|ref\d)(?:\.xz)?", text):
        file = tmp_path / "recipes" / name.replace("${ERRATA_DATA}", str(tmp_path))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    for name in re.findall(r"(?:vocabulary|teacher): ([\w./-]+)", text):
        (tmp_path / "recipes" / name).mkdir(parents=True, exist_ok=True)
    recipe = parse_recipe(text, tmp_path / "recipes" / path.name)
    assert recipe.system == "tagger"
    assert recipe.model.max_tokens + 2 <= recipe.model.backbone.positions


def test_there_are_recipes_of_every_size():
    assert {"tagger-tiny", "tagger-small", "gector-roberta", "pie-bert", "lasertagger-bert", "mucgec-seq2edit"} <= {
        path.stem for path in TAGGERS
    }
