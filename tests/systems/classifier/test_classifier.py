"""Classifiers: fifty sentences by heart, the same judgements everywhere, thresholds, misuse in one line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from errata.cli import app
from errata.errors import DataError, ErrataError, UsageError
from errata.formats import read_corpus
from errata.pipeline.load import load_model
from errata.systems.classifier import Classifier
from errata.systems.classifier.data import read_labelled
from errata.systems.classifier.export import export_classifier
from errata.systems.classifier.thresholds import choose_thresholds
from errata.systems.comparison import compare_answers
from errata.text.sentences import cut_long
from errata.training.devices import Place, pick_device
from errata.training.loop import Outcome, train
from errata.training.recipe import find_task, read_recipe
from errata.training.shipped import FOLDER as RECIPES

TINY = RECIPES / "classifier-tiny.yaml"
LABELLED = RECIPES / "data" / "labelled.json"
PAIRS = RECIPES / "data" / "stg-pairs.tsv"
CORPUS = read_corpus(LABELLED)
TEXTS = [one.sentence.text or "" for one in CORPUS]
LABELS = [set(one.labels or ()) for one in CORPUS]

Trained = tuple[Path, Outcome]


def run_tiny(folder: Path, *assignments: str) -> Trained:
    recipe = read_recipe(TINY, [f"run.folder={folder / 'run'}", f"run.cache={folder / 'cache'}", *assignments])
    task = find_task(recipe.system).prepare(recipe, recipe.run.cache)
    return folder / "run" / "model", train(recipe, task, place=Place(pick_device("cpu")))


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    return run_tiny(tmp_path_factory.mktemp("classifier"))


def test_types_are_learnt_by_heart(trained: Trained) -> None:
    folder, outcome = trained
    judged = Classifier.load(folder).classify(TEXTS)
    assert [set(one.labels) for one in judged] == LABELS
    assert outcome.scores == {"f1": 1.0, "precision": 1.0, "recall": 1.0, "accuracy": 1.0}
    assert sum(len(one.labels) > 1 for one in judged) == 2
    assert set(judged[0].probabilities) == {"IWO", "IWC", "CM", "CR", "SC", "ILL", "AM"}


def test_detection_learns_from_pairs(tmp_path: Path) -> None:
    folder, outcome = run_tiny(tmp_path, "model.task=detection", f"data.train=[{PAIRS}]", "run.steps=60")
    judged = Classifier.load(folder).classify(TEXTS)
    assert [bool(one.labels) for one in judged] == [bool(labels) for labels in LABELS]
    assert outcome.scores["f1"] == 1.0


def test_detection_reads_labels_operations_and_texts_alike() -> None:
    by_types, by_text = ([one.labels for one in read_labelled([path], "detection", "zh")] for path in (LABELLED, PAIRS))
    assert by_types == by_text


@pytest.mark.parametrize("small", [False, True], ids=["float32", "small"])
def test_export_judges_the_same(trained: Trained, tmp_path: Path, small: bool) -> None:
    export_classifier(trained[0], tmp_path / "out", small=small)
    expected, found = (Classifier.load(folder).classify(TEXTS) for folder in (trained[0], tmp_path / "out"))
    assert [one.labels for one in found] == [one.labels for one in expected]
    assert compare_answers(trained[0], tmp_path / "out").n_changed <= 1  # of 100 sentences, most of them new


def test_command_line_writes_labels_that_score_perfectly(trained: Trained, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("\n".join(TEXTS) + "\n", "utf-8")
    labels = tmp_path / "out.labels"
    arguments = ["classify", str(tmp_path / "in.txt"), "--model", str(trained[0])]
    runner = CliRunner()
    assert runner.invoke(app, [*arguments, "-o", str(labels)], catch_exceptions=False).exit_code == 0
    assert labels.read_text("utf-8").splitlines()[-1] == "*"
    for metric in ("detection", "identification"):
        scored = runner.invoke(
            app, ["score", "--metric", metric, "--gold", str(LABELLED), "--hyp", str(labels), "--json"]
        )
        assert json.loads(scored.stdout)[0]["value"] == 1.0
    table = tmp_path / "out.jsonl"
    assert runner.invoke(app, [*arguments, "--json", "-o", str(table)], catch_exceptions=False).exit_code == 0
    first = json.loads(table.read_text("utf-8").splitlines()[0])
    assert first["labels"] == ["IWO"] and first["probabilities"]["IWO"] > 0.5


def test_empty_and_long_texts_are_judged(trained: Trained) -> None:
    """An error in one part of a long text is an error of the text; an empty one has none."""
    classifier = Classifier.load(trained[0])
    text = TEXTS[-1] * 12 + TEXTS[0]
    empty, long = classifier.classify(["", text])
    assert empty.labels == () and set(empty.probabilities.values()) == {0.0}
    ranges = cut_long(text, classifier.max_tokens, lambda token: not token.isalnum())
    parts = classifier.classify([text[a:b] for a, b in ranges])
    assert len(parts) > 1
    highest = {label: max(part.probabilities[label] for part in parts) for label in long.probabilities}
    assert long.probabilities == pytest.approx(highest, abs=1e-5)


def test_a_threshold_replaces_those_of_dev(trained: Trained) -> None:
    assert all(len(one.labels) == 7 for one in Classifier.load(trained[0], threshold=0.0).classify(TEXTS[:3]))
    assert not any(one.labels for one in Classifier.load(trained[0], threshold=1.0).classify(TEXTS[:3]))


@pytest.mark.parametrize(
    ("probabilities", "gold", "both", "threshold"),
    [
        pytest.param([0.9, 0.8, 0.2, 0.1], [1, 1, 0, 0], False, 0.5, id="nearest-to-half"),
        pytest.param([0.3, 0.25, 0.1, 0.05], [1, 1, 0, 0], False, 0.25, id="low"),
        pytest.param([0.95, 0.9, 0.7, 0.65], [1, 1, 0, 0], True, 0.75, id="high"),
        pytest.param([0.4, 0.6], [0, 0], False, 0.5, id="never-there"),
    ],
)
def test_thresholds(probabilities: list[float], gold: list[int], both: bool, threshold: float) -> None:
    chosen = choose_thresholds(np.array(probabilities)[:, None], np.array(gold)[:, None], both_classes=both)
    assert chosen == [threshold]


def test_a_classifier_is_no_corrector(trained: Trained) -> None:
    with pytest.raises(UsageError, match="judges sentences and corrects none: use errata classify"):
        load_model(trained[0])


def test_loading_is_strict(trained: Trained, tmp_path: Path) -> None:
    from safetensors.numpy import load_file, save_file

    folder = tmp_path / "model"
    shutil.copytree(trained[0], folder)
    weights = load_file(folder / "model.safetensors")
    del weights["labels.bias"]
    save_file(weights, folder / "model.safetensors")
    with pytest.raises(DataError, match=r"labels\.bias is missing"):
        Classifier.load(folder)
    (folder / "errata.json").write_text('{"system": "stg"}', "utf-8")
    with pytest.raises(UsageError, match="holds a stg, not a classifier"):
        Classifier.load(folder)


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("model.task=detect", "detection"),
        ("data.train=[]", "train names at least one file"),
        (f"data.train=[{PAIRS}]", "sentence 1 has no error types"),
        ("model.max_tokens=70", "max_tokens is at most backbone.positions - 2"),
    ],
)
def test_faulty_recipes_are_one_line(tmp_path: Path, assignment: str, message: str) -> None:
    with pytest.raises(ErrataError) as raised:
        recipe = read_recipe(TINY, [f"run.cache={tmp_path}", assignment])
        find_task(recipe.system).prepare(recipe, recipe.run.cache)
    assert message in str(raised.value) and "\n" not in str(raised.value)
