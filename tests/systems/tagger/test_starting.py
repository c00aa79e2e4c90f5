"""A recipe that starts from a tagger takes over all that must be said of it, and goes on training its weights."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from tiny_taggers import pairs, run

from errata.errors import FormatError
from errata.networks.weights import read_weights
from errata.systems.installed import find_model
from errata.systems.manifest import read_manifest
from errata.systems.tagger.export import export_tagger
from errata.training.log import read_log
from errata.training.recipe import read_recipe
from errata.training.shipped import shipped_recipe

RECIPE = """
system: tagger
start: ./start
data: {train: [train.tsv], dev: [train.tsv]}
optimiser: {learning_rate: 1e-3}
evaluation: {select: "f0.5", patience: 2}
run: {steps: 3}
"""


@pytest.fixture
def recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A recipe with a few pairs to learn, in the current folder."""
    monkeypatch.chdir(tmp_path)
    lines = [f"{source}\t{target}\n" for source, target in pairs("en")[:10]]
    (tmp_path / "train.tsv").write_text("".join(lines), "utf-8")
    (tmp_path / "mine.yaml").write_text(RECIPE, "utf-8")
    return tmp_path / "mine.yaml"


@pytest.mark.parametrize("is_exported", [False, True], ids=["trained", "exported"])
def test_training_goes_on(is_exported: bool, recipe: Path, trained: Callable[[str], Path]) -> None:
    start = recipe.parent / "start"
    if is_exported:
        export_tagger(trained("en"), start, small=True)
    else:
        start.symlink_to(trained("en"))
    model = run(recipe, recipe.parent / "out", "evaluation={}")
    before, after = read_manifest(start)["settings"], read_manifest(model)["settings"]
    assert {name: before[name] for name in after} == after
    assert (model / "tags.json").read_bytes() == (start / "tags.json").read_bytes()
    old, new = read_weights(start), read_weights(model)
    moved = max(float((new[name] - old[name]).abs().max()) for name in old)
    assert 0 < moved < 0.02  # three steps at a rate of 1e-3


def test_a_start_that_training_makes_worse_is_kept(recipe: Path, trained: Callable[[str], Path]) -> None:
    (recipe.parent / "start").symlink_to(trained("en"))
    model = run(recipe, recipe.parent / "out", "optimiser.learning_rate=0.3")
    events = read_log(recipe.parent / "out" / "run" / "log.jsonl")
    judged = [(event["step"], event["scores"]["f0.5"]) for event in events if event["event"] == "evaluation"]
    assert [step for step, _ in judged] == [0, 1, 2] and judged[0][1] > max(score for _, score in judged[1:])
    old, new = read_weights(recipe.parent / "start"), read_weights(model)
    assert all(torch.equal(new[name], old[name]) for name in old)


def test_what_the_recipe_says_goes_before(recipe: Path, trained: Callable[[str], Path]) -> None:
    (recipe.parent / "start").symlink_to(trained("en"))
    read = read_recipe(recipe, ["model.dropout=0.3", "model.max_tokens=20"])
    assert (read.model.dropout, read.model.max_tokens, read.model.early_exit) == (0.3, 20, 1)
    assert read.model.vocabulary == trained("en").resolve() and str(read.run.start_from) == "start"


@pytest.mark.parametrize("name", ["en-small-adapt", "en-small-web"])
def test_shipped_recipes_start_from_the_bundled_model(name: str, recipe: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ERRATA_DATA", str(recipe.parent))
    read = read_recipe(shipped_recipe(name), ["data.train=[train.tsv]", "data.dev=[train.tsv]", "data.exclude=[]"])
    assert read.language == "en" and read.model.vocabulary == find_model("en-small").resolve()
    assert read.model.case_embedding and read.model.early_exit == 2 and read.model.decoding.passes == 1


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("start=./nowhere", "no model './nowhere': there is no such folder"),
        ("start=en-smal", "no model 'en-smal': give the folder of a trained system as a path"),
        ("start=zh-small", "start: zh-small is a model of another language (zh)"),
        ("start=[a]", "start: the name of an installed model is needed, or the folder of one (./mine)"),
        ("system=seq2seq", "start: this is for taggers; a seq2seq goes on from run.start_from"),
    ],
)
def test_faults_are_told(setting: str, message: str, recipe: Path) -> None:
    with pytest.raises(FormatError) as raised:
        read_recipe(recipe, ["language=en", setting])
    assert message in str(raised.value)
