"""Every seq2seq recipe can be read: its keys exist and its values make sense."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from errata.training.recipe import read_recipe
from errata.training.shipped import FOLDER, shipped_recipe


def read_whole(path: Path) -> str:
    """The recipe's text and those it extends."""
    text = path.read_text(encoding="utf-8")
    return text + "".join(read_whole(shipped_recipe(name)) for name in re.findall("^extends: (.+)$", text, re.M))


RECIPES = sorted(path for path in FOLDER.glob("*.yaml") if "system: seq2seq" in read_whole(path))


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_recipe_is_well_formed(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ERRATA_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    text = read_whole(path)
    for name in re.findall(r"[\w${}./-]+\.(?:m2|tsv|txt|json|src|ref\d)(?:\.xz)?", text):
        if not name.startswith("${ERRATA_RECIPES}"):
            file = tmp_path / name.replace("${ERRATA_DATA}", str(tmp_path))
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
    for name in re.findall(r"vocabulary: ([\w./-]+)", text):
        (tmp_path / name).mkdir(parents=True)
    recipe = read_recipe(path)
    assert recipe.system == "seq2seq"
    assert recipe.model.max_tokens < recipe.model.backbone.positions


def test_there_are_recipes_of_every_size() -> None:
    assert {"seq2seq-tiny", "seq2seq-en-noise", "seq2seq-en", "mucgec-seq2seq", "seq2seq-t5"} <= {
        path.stem for path in RECIPES
    }


def test_the_tagger_and_this_leave_the_same_sentences_out() -> None:
    """What no English model may see is one list."""
    excluded = [
        re.findall(r"^    - (.+)$", text[text.index("  exclude:") : text.index("  synthetic:")], re.M)
        for text in (shipped_recipe(name).read_text("utf-8") for name in ("en-small-noise", "seq2seq-en-noise"))
    ]
    assert excluded[0] == excluded[1] and len(excluded[0]) > 20
