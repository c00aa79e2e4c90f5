"""A tiny encoder: it learns, is resumed, is compiled, and other systems start from it."""

from __future__ import annotations

import dataclasses
import json
from functools import partialmethod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from encoder_tiny import prepare_tiny, run_tiny
from safetensors.torch import load_file

from errata.errors import DataError, ErrataError, FormatError
from errata.networks.encoder import BackboneSettings, load_backbone
from errata.pipeline.load import load_model
from errata.systems.encoder.settings import EncoderData, EncoderSettings, MaskingSettings
from errata.systems.tagger import Tagger
from errata.systems.tagger.export import export_tagger
from errata.training.checkpoints import load_checkpoint
from errata.training.devices import Place, pick_device
from errata.training.log import read_log
from errata.training.loop import Outcome, train
from errata.training.recipe import find_task, read_recipe
from errata.training.shipped import shipped_recipe

Trained = tuple[Path, Outcome]
CPU = Place(pick_device("cpu"))


def test_hidden_words_are_learnt(trained: Trained) -> None:
    model, outcome = trained
    log = read_log(model.parent / "log.jsonl")
    judged = [record["scores"] for record in log if record["event"] == "evaluation"]
    assert outcome.scores["accuracy"] > 0.35 > 0.2 > log[1]["parts"]["accuracy"]
    assert judged[-1]["loss"] < judged[0]["loss"]


def test_the_folder_says_where_it_comes_from(trained: Trained) -> None:
    manifest = json.loads((trained[0] / "errata.json").read_text("utf-8"))
    assert manifest["system"] == "encoder" and manifest["language"] == "zh"
    assert set(manifest["training"]["data"]) == {"text.txt"} and manifest["training"]["step"] in (60, 120)
    assert manifest["training"]["text"]["inputs"] > 100
    assert set(load_file(trained[0] / "head.safetensors")) == {
        "bias", "transform.0.weight", "transform.0.bias", "transform.2.weight", "transform.2.bias",
    }  # fmt: skip


def test_it_is_a_backbone(trained: Trained, caplog: pytest.LogCaptureFixture) -> None:
    encoder, tokenizer, hidden = load_backbone(BackboneSettings(str(trained[0]), positions=32))
    assert not caplog.records  # no table of a pooler's weights, which nobody misses
    config = json.loads((trained[0] / "config.json").read_text("utf-8"))
    assert (hidden, encoder.config.model_type) == (64, config["model_type"])
    weights = load_file(trained[0] / "model.safetensors")
    assert {name for name in encoder.state_dict() if name != "embeddings.position_ids"} == set(weights)
    assert all(encoder.state_dict()[name].equal(weight) for name, weight in weights.items())
    assert tokenizer.encode("我们").tokens == ["[CLS]", "我", "们", "[SEP]"]


@pytest.mark.parametrize(
    ("recipe", "encoder"), [("tagger-tiny-zh", "encoder"), ("stg-tiny", "encoders.0")], ids=["tagger", "stg"]
)
def test_a_system_starts_from_it(trained: Trained, tmp_path: Path, recipe: str, encoder: str) -> None:
    changes = [f"model.backbone={{name: {trained[0]}, positions: 32}}", "model.max_tokens=30"]
    places = [f"run.folder={tmp_path / 'run'}", f"run.cache={tmp_path / 'cache'}", "run.steps=2", "evaluation.every=2"]
    settings = read_recipe(shipped_recipe(recipe), [*changes, *places])
    task = find_task(settings.system).prepare(settings, settings.run.cache)
    own = task.build_model().state_dict()
    assert all(own[f"{encoder}.{name}"].equal(w) for name, w in load_file(trained[0] / "model.safetensors").items())
    assert train(settings, task, place=CPU).step == 2


def test_a_tagger_on_it_runs_on_our_kernels(trained: Trained, tmp_path: Path) -> None:
    changes = [f"model.backbone={{name: {trained[0]}, positions: 32}}", "model.max_tokens=30", "run.steps=5"]
    places = [f"run.folder={tmp_path / 'run'}", f"run.cache={tmp_path / 'cache'}", "evaluation.every=5"]
    settings = read_recipe(shipped_recipe("tagger-tiny-zh"), [*changes, *places])
    train(settings, find_task(settings.system).prepare(settings, settings.run.cache), place=CPU)
    export_tagger(tmp_path / "run" / "model", tmp_path / "out", small=False)
    taggers = Tagger.load(tmp_path / "run" / "model", backend="torch"), Tagger.load(tmp_path / "out", backend="native")
    sentence = taggers[0].vocabulary.subwords.encode(tuple("他很喜欢吃苹过。"))
    by_torch, by_kernels = (next(iter(tagger.runtime.run([[sentence]]))) for tagger in taggers)
    assert np.ptp(by_torch.error) > 0
    np.testing.assert_allclose(by_kernels.error, by_torch.error, atol=5e-3)


def last(folder: Path) -> dict[str, Any]:
    return load_checkpoint(folder / "checkpoints" / "last.pt", torch.device("cpu"))


@pytest.mark.parametrize("optimiser", ["adamw", "muon"])
def test_a_resumed_run_ends_with_the_same_weights(tmp_path: Path, optimiser: str) -> None:
    settings = (
        "run.steps=6", "run.checkpoint_every=3", "evaluation.every=6", "model.backbone.dropout=0.1",
        f"optimiser.name={optimiser}",
    )  # fmt: skip
    recipe, task = prepare_tiny(tmp_path, *settings)
    train(recipe, task, place=CPU)
    whole = last(recipe.folder)
    recipe, task = prepare_tiny(tmp_path, *settings, f"run.folder={tmp_path / 'broken'}")
    with pytest.raises(RuntimeError, match="pulled the plug"):
        train(recipe, _Unplugged(task, 4), place=CPU)
    assert last(recipe.folder)["step"] == 3
    train(recipe, task, place=CPU, resume=True)
    assert last(recipe.folder)["step"] == 6
    assert all(whole["model"][name].equal(weight) for name, weight in last(recipe.folder)["model"].items())
    assert (tmp_path / "run" / "model" / "model.safetensors").read_bytes() == (
        recipe.folder / "model" / "model.safetensors"
    ).read_bytes()


class _Unplugged:
    """A task that dies in a step."""

    def __init__(self, task: Any, step: int) -> None:
        self._task, self._left = task, step

    def __getattr__(self, name: str) -> Any:
        return getattr(self._task, name)

    def loss(self, model: Any, batch: Any) -> Any:
        self._left -= 1
        if not self._left:
            raise RuntimeError("pulled the plug")
        return self._task.loss(model, batch)


@pytest.mark.filterwarnings("ignore:.*torch.jit:DeprecationWarning")  # of the compiler's own imports
def test_a_compiled_run_saves_and_resumes_as_any_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The graphs are run as they are traced: making C++ of them takes half a minute and is not ours to test.
    monkeypatch.setattr(torch.nn.Module, "compile", partialmethod(torch.nn.Module.compile, backend="aot_eager"))
    settings = ("run.compile=true", "run.checkpoint_every=2", "evaluation.every=2", "model.backbone.layers=1")
    recipe, task = prepare_tiny(tmp_path, *settings, "run.steps=3")
    with pytest.raises(RuntimeError, match="pulled the plug"):
        train(recipe, _Unplugged(task, 3), place=CPU)
    outcome = train(recipe, task, place=CPU, resume=True)
    (tmp_path / "plain").mkdir()
    plain = run_tiny(tmp_path / "plain", *settings[1:], "run.steps=3")
    assert outcome.scores["loss"] == pytest.approx(plain.scores["loss"], rel=1e-4)
    for file in ("run", "plain/run"):
        assert set(load_file(tmp_path / file / "model" / "model.safetensors")) == set(
            task.build_model().encoder.state_dict()
        )


def test_an_english_encoder_reads_word_pieces(tmp_path: Path) -> None:
    (tmp_path / "english.txt").write_text("We walked to the unbelievable school yesterday.\n" * 40, encoding="utf-8")
    settings = (f"data.text=[{tmp_path / 'english.txt'}]", "language=en", "model.backbone.pieces=80")
    assert run_tiny(tmp_path, *settings, "run.steps=3", "evaluation.every=3", "data.dev_blocks=2").step == 3


def test_sounds_are_packed_for_corrupted_words(tmp_path: Path) -> None:
    _, task = prepare_tiny(tmp_path, "model.masking.corrupt=0.3")
    alphabet, known = task.train_examples.alphabet, task.prepared.subwords.tokenizer.get_vocab()
    alike = {c: set(alphabet.alike[known[c]][: alphabet.n_alike[known[c]]]) for c in "事果"}
    assert known["师"] in alike["事"] and known["苹"] not in alike["果"]


def test_the_shipped_recipe_reads(tmp_path: Path) -> None:
    recipe = read_recipe(shipped_recipe("zh-encoder"), [f"data.text=[{tmp_path}]"])
    assert recipe.model.backbone.architecture == "mpnet" and recipe.run.compile


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("model.backbone.architecture=pre-norm", "set backbone.architecture to bert"),
        ("model.masking={keep: 0.6, random: 0.6}", "keep, random and corrupt are shares of the hidden words"),
        ("model.masking.rate=0", "rate is between 0 and 1"),
        ("data.text=[]", "text names no file"),
    ],
)
def test_a_recipe_that_makes_no_sense(tmp_path: Path, change: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        prepare_tiny(tmp_path, change)


def test_too_little_text(tmp_path: Path) -> None:
    (tmp_path / "short.txt").write_text("短。\n", encoding="utf-8")
    with pytest.raises(DataError, match="not enough text to fill one input"):
        prepare_tiny(tmp_path, f"data.text=[{tmp_path / 'short.txt'}]")


def test_it_corrects_nothing(trained: Trained) -> None:
    with pytest.raises(ErrataError, match="holds no corrector but an encoder: recipes name it as their backbone"):
        load_model(trained[0])


@pytest.mark.parametrize(
    "key", [f.name for kind in (EncoderSettings, MaskingSettings, EncoderData) for f in dataclasses.fields(kind)]
)
def test_every_key_is_explained(key: str) -> None:
    page = Path(__file__).resolve().parents[3] / "docs" / "systems" / "encoder.md"
    assert f"| `{key}` |" in page.read_text("utf-8")


def test_errata_s_own_layers_are_refused_before_training(tmp_path: Path) -> None:
    """Their folder could not be named as a backbone, which would be found out when it is saved."""
    places = [f"run.folder={tmp_path / 'run'}", f"run.cache={tmp_path / 'tagger-cache'}", "evaluation.every=1"]
    own = read_recipe(shipped_recipe("tagger-tiny-zh"), [*places, "run.steps=1"])
    train(own, find_task(own.system).prepare(own, own.run.cache), place=CPU)
    (tmp_path / "encoder").mkdir()
    backbone = f"model.backbone={{name: {tmp_path / 'run' / 'model'}, positions: 32}}"
    _, task = prepare_tiny(tmp_path / "encoder", backbone)
    with pytest.raises(DataError, match="layers of errata's own"):
        task.build_model()
