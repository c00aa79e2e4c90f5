"""IMPARA from training to scores: what it learns, the same verdicts everywhere, stated rules for odd input."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file
from typer.testing import CliRunner

import errata
from errata.cli import app
from errata.errors import DataError, ErrataError, UsageError
from errata.formats import read_corpus
from errata.judges.impara.judge import ImparaJudge
from errata.judges.impara.task import ImparaTask
from errata.judges.models import digest_model
from errata.metrics.base import Item, Metric, get_metric
from errata.model import Sentence
from errata.networks.encoder import keep_layers, load_encoder
from errata.networks.native import is_available
from errata.systems.installed import find_model
from errata.systems.tagger.borrowing import borrow_encoder
from errata.training.devices import Place, pick_device
from errata.training.loop import Outcome, train
from errata.training.recipe import read_recipe
from errata.training.shipped import FOLDER as RECIPES

PAIRS = read_corpus(RECIPES / "data" / "tagger-pairs.en.tsv")
SOURCES = [one.sentence.tokens for one in PAIRS]
TARGETS = [tuple((one.annotations[0].target or "").split()) for one in PAIRS]
Trained = tuple[Path, Outcome]
BACKENDS = ["onnx", *(["native"] if is_available() else [])]


def test_corrections_are_better_than_sources(trained: Trained) -> None:
    folder, outcome = trained
    judge = ImparaJudge.load(folder)
    changed = [row for row, target in enumerate(TARGETS) if target != SOURCES[row]]
    gaps = judge.corrections(TARGETS) - judge.corrections(SOURCES)
    assert (gaps[changed] > 0).mean() > 0.95 and outcome.scores["accuracy"] > 0.95


@pytest.mark.parametrize("backend", BACKENDS)
def test_verdicts_are_the_same_without_torch(trained: Trained, exported: Path, backend: str) -> None:
    expected = np.array(ImparaJudge.load(trained[0]).judge(SOURCES, TARGETS))
    found = np.array(ImparaJudge.load(exported, backend=backend).judge(SOURCES, TARGETS))
    # Similarity is stored in 4 bits: it decides a yes or no.
    assert np.abs(found - expected)[:, 0].max() < 0.02 and np.abs(found - expected)[:, 1].max() < 0.1


@pytest.mark.parametrize("backend", BACKENDS)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_a_verdict_does_not_depend_on_other_sentences(exported: Path, backend: str, data: st.DataObject) -> None:
    judge = ImparaJudge.load(exported, backend=backend)
    chosen = data.draw(st.lists(st.integers(0, len(SOURCES) - 1), min_size=1, max_size=30))
    together = judge.judge([SOURCES[row] for row in chosen], [TARGETS[row] for row in chosen])
    alone = [judge.judge([SOURCES[row]], [TARGETS[row]])[0] for row in chosen]
    assert np.array(together) == pytest.approx(np.array(alone), abs=5e-7)  # six digits


def test_long_and_empty_hypotheses_have_verdicts(exported: Path) -> None:
    judge = ImparaJudge.load(exported)
    long = SOURCES[0] * 40  # longer than the encoder takes
    verdicts = judge.judge([long, SOURCES[0], (), ()], [long, (), SOURCES[0], ()])
    assert 0 < verdicts[0].correction < 1 and verdicts[0].similarity == 1.0
    assert verdicts[1] == (0.0, 0.0)
    assert verdicts[2].similarity == 0.0 and verdicts[2].correction > 0
    assert verdicts[3] == (0.0, 1.0)
    assert judge.judge([()], [()]) == [(0.0, 1.0)]


def test_the_metric_needs_no_references(exported: Path) -> None:
    sources, targets = ([" ".join(tokens) for tokens in side] for side in (SOURCES, TARGETS))
    options = {"metric": "impara", "model": str(exported)}
    before, after = errata.score(sources, sources, **options), errata.score(sources, targets, **options)
    assert 0 <= before.value < after.value <= 1
    assert f"|weights:{digest_model(exported)}|arithmetic:" in after.signature and "|gold:none|" in after.signature
    apart = errata.score(sources, targets, threshold=1.0, **options)
    assert apart.value == 0 and apart.parts["unlike"] == len(sources)
    interval = errata.score(sources, targets, bootstrap=100, **options).interval
    assert interval is not None and interval[0] <= after.value <= interval[1]


def test_the_fast_way_to_resample_agrees_with_the_plain_one(exported: Path) -> None:
    metric = get_metric("impara", model=str(exported))
    stats = metric.stats([Item(Sentence(a), " ".join(b)) for a, b in zip(SOURCES[:9], TARGETS[:9], strict=True)])
    rows = np.random.default_rng(0).integers(0, 9, (5, 9))
    assert metric.resample(stats, rows) == pytest.approx(Metric.resample(metric, stats, rows))


def test_other_metrics_say_that_they_need_references() -> None:
    with pytest.raises(UsageError, match="errant compares with references"):
        errata.score(["a"], ["a"])
    with pytest.raises(UsageError, match="errant compares with references"):
        errata.compare(["a"], {"x": ["a"], "y": ["b"]})


def test_systems_are_compared_without_references(exported: Path) -> None:
    sources, targets = ([" ".join(tokens) for tokens in side] for side in (SOURCES, TARGETS))
    found = errata.compare(sources, {"old": sources, "new": targets}, metric="impara", model=str(exported))
    assert found.tests["new"].difference > 0 and found.ranking[0].name == "new"


def test_the_command_needs_sources_alone(exported: Path, tmp_path: Path) -> None:
    for name, side in (("src.txt", SOURCES), ("hyp.txt", TARGETS)):
        (tmp_path / name).write_text("".join(" ".join(tokens) + "\n" for tokens in side), "utf-8")
    files = ["--src", str(tmp_path / "src.txt"), "--hyp", str(tmp_path / "hyp.txt"), "--json"]
    answer = CliRunner().invoke(app, ["score", "--metric", "impara", "--set", f"model={exported}", *files])
    assert answer.exit_code == 0, answer.output
    assert json.loads(answer.stdout)[0]["parts"]["unlike"] == 0
    answer = CliRunner().invoke(app, ["score", "--metric", "impara", "--metric", "errant", *files])
    assert isinstance(answer.exception, UsageError), answer.exception
    assert "no gold corpus" in str(answer.exception)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": "./no-such"}, "there is no such folder"),
        ({"model": "en-small"}, "is no impara but tagger"),
        ({"threshold": 1.5}, "between 0 and 1"),
    ],
)
def test_misuse_is_told_in_a_line(options: dict[str, object], message: str) -> None:
    with pytest.raises(ErrataError, match=message):
        errata.score(["He go home ."], ["He goes home ."], metric="impara", **options)


@pytest.mark.parametrize("change", [{"pooling": "mean"}, {"max_positions": 9}])
def test_what_decides_answers_is_in_the_digest(exported: Path, tmp_path: Path, change: dict[str, object]) -> None:
    folder = shutil.copytree(exported, tmp_path / "copy")
    described = json.loads((folder / "vectors.json").read_text("utf-8"))
    (folder / "vectors.json").write_text(json.dumps({**described, **change}), "utf-8")
    assert digest_model(folder) != digest_model(exported)


@pytest.mark.parametrize(
    ("file", "change", "message"),
    [
        ("vectors.json", {"has_cases": False}, "they have weights"),
        ("errata.json", {"settings": {"threshold": -3}}, "between 0 and 1"),
        ("errata.json", {"settings": {"threshold": float("nan")}}, "between 0 and 1"),
        ("errata.json", {"settings": None}, "needs a language and a threshold"),
        ("score.json", {"bias": True}, "weights and a bias"),
    ],
)
def test_descriptions_that_do_not_fit_are_refused(
    exported: Path, tmp_path: Path, file: str, change: dict[str, object], message: str
) -> None:
    folder = shutil.copytree(exported, tmp_path / "copy")
    described = json.loads((folder / file).read_text("utf-8"))
    (folder / file).write_text(json.dumps({**described, **change}), "utf-8")
    with pytest.raises(DataError, match=message):
        ImparaJudge.load(folder, backend=BACKENDS[-1])


def test_weights_that_are_no_numbers_give_no_score(trained: Trained, tmp_path: Path) -> None:
    folder = shutil.copytree(trained[0], tmp_path / "copy")
    weights = load_file(folder / "model.safetensors")
    save_file({name: weight * float("nan") for name, weight in weights.items()}, folder / "model.safetensors")
    with pytest.raises(DataError, match="not numbers"):
        ImparaJudge.load(folder).corrections(TARGETS)
    (folder / "model.safetensors").unlink()
    with pytest.raises(DataError, match="has neither"):
        ImparaJudge.load(folder)


def test_a_judge_is_for_its_language(exported: Path) -> None:
    with pytest.raises(UsageError, match="judges en, not zh"):
        errata.score(["我爱你门。"], ["我爱你们。"], metric="impara", model=str(exported), language="zh")


@pytest.mark.parametrize("file", ["score.json", "vectors.json", "similarity/vectors.json", "weights.json"])
@pytest.mark.parametrize("content", ["", "[]", "{}", '{"weight": [1], "bias": 0}', '{"hidden": -1}'])
def test_damaged_folders_are_refused(exported: Path, tmp_path: Path, file: str, content: str) -> None:
    folder = shutil.copytree(exported, tmp_path / "copy")
    (folder / file).write_text(content, "utf-8")
    with pytest.raises(DataError):
        ImparaJudge.load(folder).corrections(TARGETS)


def test_the_encoder_of_a_tagger_is_borrowed_with_its_cases() -> None:
    encoder, hidden, cases = borrow_encoder(find_model("en-small"))
    assert hidden == 384 and cases is not None and cases.shape == (4, 384)
    assert encoder.get_input_embeddings().weight.std() > 0.01
    with pytest.raises(DataError, match="it has no errata"):
        borrow_encoder(Path(__file__).parent)


def test_what_is_no_tagger_lends_nothing(exported: Path) -> None:
    with pytest.raises(DataError, match="is no tagger but impara"):
        borrow_encoder(exported)


@pytest.mark.parametrize(
    ("assignments", "message"),
    [
        (["model.backbone=null"], "give backbone or tagger"),
        (["model.backbone=null", "model.tagger=en-small"], "give similarity"),
        (["model.similarity_tagger=en-small"], "give similarity_layers"),
        (["model.similarity_layers=0"], "layers of similarity or similarity_tagger"),
        (["model.frozen=true"], "frozen is for a tagger or a pretrained backbone"),
        (["model.frozen_layers=1"], "frozen_layers is for a tagger or a pretrained backbone"),
        (["model.backbone={name: ./tiny, positions: 62}", "model.frozen_layers=-1"], "frozen_layers is 0 or more"),
        (
            ["model.backbone={name: ./tiny, positions: 62}", "model.frozen_layers=1"],
            "leaves a new case_embedding at zero",
        ),
        (["data.pairs=0"], "pairs is above 0"),
        (["model.threshold=2"], "threshold is between 0 and 1"),
    ],
)
def test_recipes_are_checked(assignments: list[str], message: str) -> None:
    with pytest.raises(ErrataError, match=message):
        read_recipe(RECIPES / "impara-tiny.yaml", assignments)


def test_a_frozen_encoder_is_saved_as_it_was(frozen: Path, trained: Trained) -> None:
    before, after = (load_file(folder / "model.safetensors") for folder in (trained[0], frozen))
    kept = [name for name in before if name.startswith("encoder.")]
    assert len(kept) > 10 and all((after[name] == before[name]).all() for name in kept)


def test_the_scores_of_a_frozen_encoder_are_those_it_was_trained_with(frozen: Path) -> None:
    manifest = json.loads((frozen / "errata.json").read_text("utf-8"))
    judge = ImparaJudge.load(frozen)
    changed = [row for row, target in enumerate(TARGETS) if target != SOURCES[row]]
    gaps = judge.corrections(TARGETS) - judge.corrections(SOURCES)
    assert manifest["training"]["scores"]["accuracy"] > 0.8 and (gaps[changed] > 0).mean() > 0.8


def test_similarity_keeps_its_first_layers(frozen: Path) -> None:
    described = json.loads((frozen / "similarity" / "encoder.json").read_text("utf-8"))
    names = load_file(frozen / "similarity" / "model.safetensors")
    assert described["config"]["layers"] == 1 and not any("layers.1." in name for name in names)
    assert ImparaJudge.load(frozen).judge(SOURCES[:1], TARGETS[:1])[0].similarity < 1


def test_no_more_layers_are_kept_than_there_are(trained: Trained) -> None:
    encoder, _ = load_encoder(trained[0])
    with pytest.raises(DataError, match="has 2 layers: 3 of them cannot be kept"):
        keep_layers(encoder, 3, "tiny")
    keep_layers(encoder, 1, "tiny")
    assert encoder.config.layers == 1 and len(encoder.layers) == 1  # type: ignore[union-attr, arg-type]


def test_the_first_layers_may_stay_as_they_are(trained: Trained, tmp_path: Path) -> None:
    encoder = f"model.backbone={{name: '{trained[0]}', positions: 62}}"
    places = [f"run.folder={tmp_path / 'run'}", f"run.cache={tmp_path / 'cache'}", "run.steps=5", encoder]
    recipe = read_recipe(RECIPES / "impara-tiny.yaml", [*places, "model.frozen_layers=1", "model.case_embedding=false"])
    train(recipe, ImparaTask.prepare(recipe, recipe.run.cache), place=Place(pick_device("cpu")))
    before, after = (load_file(folder / "model.safetensors") for folder in (trained[0], tmp_path / "run" / "model"))
    learnt = {name for name in before if name in after and not after[name].equal(before[name])}
    assert any(name.startswith("encoder.layers.1.") for name in learnt)
    assert not any(name.startswith(("encoder.embedding", "encoder.layers.0.")) for name in learnt)


@pytest.mark.parametrize("n_layers", [2, 3])
def test_a_layer_must_be_left_to_learn(trained: Trained, tmp_path: Path, n_layers: int) -> None:
    encoder = f"model.backbone={{name: '{trained[0]}', positions: 62}}"
    places = [f"run.cache={tmp_path / 'cache'}", encoder, f"model.frozen_layers={n_layers}"]
    places += ["model.case_embedding=false"]
    recipe = read_recipe(RECIPES / "impara-tiny.yaml", places)
    with pytest.raises(DataError, match=f"has 2 layers: {n_layers} of them cannot be frozen"):
        ImparaTask.prepare(recipe, recipe.run.cache).build_model()


def test_scores_are_scaled_where_a_recipe_says_so(trained: Trained, frozen: Path) -> None:
    plain, scaled = (
        json.loads((folder / "errata.json").read_text("utf-8"))["training"]["scale"] for folder in (trained[0], frozen)
    )
    assert plain == 1.0 and scaled not in (0.0, 1.0) and np.isfinite(scaled)
