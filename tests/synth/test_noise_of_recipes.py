"""The noise that the recipes name exists."""

from __future__ import annotations

import pytest
import yaml

from errata.synth.chinese import Chinese
from errata.synth.english import English
from errata.training.shipped import recipe_names, shipped_recipe


@pytest.mark.parametrize("name", recipe_names())
def test_recipes_mix_noise_that_exists(name: str) -> None:
    recipe = yaml.safe_load(shipped_recipe(name).read_text("utf-8"))
    synthetic = (recipe.get("data") or {}).get("synthetic") or {}
    assert set(synthetic.get("mix") or ()) <= {*English.names, *Chinese.names}
