"""Training looks for evaluation sentences in its data, and says in the checkpoint and the card what it found."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest
import torch

from errata.datasets.similar import DEFINITION
from errata.systems.cards import read_facts
from errata.systems.manifest import read_manifest
from errata.training.guard import check_recipe, recall_check
from errata.training.recipe import read_recipe
from errata.training.run import run_recipe
from errata.training.shipped import FOLDER as RECIPES

COPY = "She goes home every day at five o'clock ."
RECIPE = """
system: tagger
language: en
model: {backbone: {layers: 1, hidden: 16, heads: 2, pieces: 200, positions: 34}, tags: 100, max_tokens: 32}
data: {train: [train.tsv], dev: [dev.tsv]}
optimiser: {learning_rate: 0.001}
run: {steps: 1}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("ERRATA_DATA", raising=False)
    (tmp_path / "train.tsv").write_text(
        f"She go home every day at five .\t{COPY}\nThank you .\tThank you .\nBirds sing .\tBirds sang .\n", "utf-8"
    )
    (tmp_path / "dev.tsv").write_text(f"{COPY}\t{COPY}\nThank you !\tThank you !\n", "utf-8")
    (tmp_path / "recipe.yaml").write_text(RECIPE, "utf-8")
    return tmp_path


def test_a_run_is_stamped(folder: Path) -> None:
    assert run_recipe(folder / "recipe.yaml", device="cpu") == 0
    model = folder / "runs" / "recipe" / "model"
    manifest = read_manifest(model)
    stamp = manifest["training"]["contamination"]
    counts = {"exact": 1, "near": 0, "short": 1}
    assert stamp["definition"] == DEFINITION
    assert [(one["set"], one["sentences"], len(one["digest"])) for one in stamp["against"]] == [("dev.tsv", 2, 8)]
    assert stamp["files"] == [
        {"file": "train.tsv", "records": 3, **counts, "sets": {"dev.tsv": {**counts, "sentences": 2}}}
    ]
    told = json.loads((folder / "runs" / "recipe" / "recipe.json").read_text("utf-8"))
    assert told["contamination"] == stamp
    checkpoint = torch.load(folder / "runs" / "recipe" / "checkpoints" / "last.pt", weights_only=True)
    assert checkpoint["origin"]["contamination"] == stamp
    phrase = "training data compared with evaluation sets (1): exact copies 1, near duplicates 0"
    assert read_facts(model, manifest).contamination == phrase


def test_ratings_are_trained_on_too(folder: Path) -> None:
    (folder / "rated.csv").write_text(f"source,output,ave_g,ave_f,ave_m\nShe goes .,{COPY},4,4,4\n", "utf-8")
    settings = ["data.train=[train.tsv]", "data.dev=[dev.tsv]", "data.ratings=[rated.csv]"]
    report = check_recipe(read_recipe(RECIPES / "impara-tiny.yaml", settings))
    assert [(one["file"], one["exact"]) for one in report["files"]] == [("train.tsv", 1), ("rated.csv", 1)]


def test_what_is_left_out_is_not_counted(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "errata"):
        check_recipe(read_recipe(folder / "recipe.yaml"))
    assert "train.tsv: evaluation sentences among 3 records: exact copies 1, near duplicates 0" in caplog.text
    caplog.clear()
    report = check_recipe(read_recipe(folder / "recipe.yaml", ["data.exclude=[dev.tsv]"]))
    zeros = {"exact": 0, "near": 0, "short": 0}
    assert report["files"] == [{"file": "train.tsv", "records": 3, "left_out": 2, **zeros, "sets": {}}]
    assert not caplog.text


def test_where_only_packed_data_are_the_stamp_travels(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    recipe = read_recipe(folder / "recipe.yaml")
    assert recall_check(recipe) is None
    report = check_recipe(recipe)
    (folder / "train.tsv").unlink()
    elsewhere = read_recipe(folder / "recipe.yaml")
    assert check_recipe(elsewhere) == recall_check(elsewhere) == report
    next(elsewhere.run.cache.glob("contamination-*.json")).unlink()
    assert check_recipe(elsewhere)["not_checked"].endswith("train.tsv is not here")
    assert "evaluation sentences were not looked for" in caplog.text


def test_another_evaluation_set_is_compared_with(folder: Path) -> None:
    assert len(check_recipe(read_recipe(folder / "recipe.yaml"))["against"]) == 1
    (folder / "dev.tsv").write_text("Birds sing .\tBirds sing .\n", "utf-8")
    again = check_recipe(read_recipe(folder / "recipe.yaml"))
    assert list(again["files"][0]["sets"]) == ["dev.tsv"] and again["files"][0]["short"] == 1
