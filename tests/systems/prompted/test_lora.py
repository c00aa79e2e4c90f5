"""Fine-tuning with LoRA: fifty sentences by heart, saved, loaded strictly, corrected from everywhere."""

from __future__ import annotations

import json
import shutil
import warnings
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from errata.cli.correct import correct
from errata.errors import DataError, ErrataError
from errata.pipeline.load import load_model
from errata.systems.base import load_system
from errata.text.spacing import join_words
from errata.training.recipe import read_recipe
from errata.training.shipped import shipped_recipe
from unruly_server import PAIRS

pytestmark = pytest.mark.slow

TEXTS = [[join_words(side.split()) for side in line.split("\t")] for line in PAIRS.read_text("utf-8").splitlines()]


def test_the_loss_goes_to_nothing(trained: Path) -> None:
    records = [json.loads(line) for line in (trained / "log.jsonl").read_text().splitlines()]
    assert [record["loss"] for record in records if record["event"] == "step"][-1] < 0.05


def test_it_reproduces_what_it_learnt(trained: Path) -> None:
    corrections = load_model(trained / "model").correct([source for source, _ in TEXTS])
    assert [one.target for one in corrections] == [target for _, target in TEXTS]


def test_the_command_line_corrects_the_same(trained: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("".join(source + "\n" for source, _ in TEXTS[:5]), encoding="utf-8")
    program = typer.Typer()
    program.command()(correct)
    result = CliRunner().invoke(program, ["--model", str(trained / "model"), str(tmp_path / "text")])
    assert result.stdout.splitlines() == [target for _, target in TEXTS[:5]]


def test_only_the_adapter_is_trained(trained: Path) -> None:
    from safetensors.torch import load_file

    names = load_file(trained / "model/adapter/adapter_model.safetensors").keys()
    assert all("lora_" in name or "embed_tokens" in name or "lm_head" in name for name in names)


def test_a_damaged_adapter_is_refused(trained: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = tmp_path / "model"
    shutil.copytree(trained / "model", folder)
    file = folder / "adapter/adapter_model.safetensors"
    weights = load_file(file)
    weights.pop(next(iter(weights)))
    save_file(weights, file)
    with pytest.raises(DataError, match=r"does not fit the model: .* \(1 weights in all\)"):
        load_system(folder)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"megatron_config": {}, "megatron_core": "antigravity"}, "not a plain LoRA adapter"),
        ({"peft_type": "PREFIX_TUNING"}, "not a plain LoRA adapter"),
    ],
)
def test_only_plain_lora_is_loaded(trained: Path, tmp_path: Path, change: dict[str, Any], message: str) -> None:
    folder = tmp_path / "model"
    shutil.copytree(trained / "model", folder)
    config = folder / "adapter/adapter_config.json"
    config.write_text(json.dumps({**json.loads(config.read_text()), **change}))
    with pytest.raises(DataError, match=message), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # peft's own, about settings the other kind does not have
        load_system(folder)


def test_an_adapter_lies_in_the_folder(trained: Path, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(trained / "model", folder)
    (folder / "adapter").rename(tmp_path / "adapter")
    manifest = json.loads((folder / "errata.json").read_text())
    manifest["settings"]["adapter"] = "../adapter"
    (folder / "errata.json").write_text(json.dumps(manifest))
    with pytest.raises(DataError, match="must lie inside the folder"):
        load_system(folder)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("model.lora.rnak=4", "did you mean 'rank'"),
        ("model.lora.targets=[no_such_layer]", "no LoRA adapter fits the model"),
        ("model.base={name: /no/such/model}", "is not there"),
        ("model.template=no-such", "unknown template"),
    ],
)
def test_bad_recipes_are_one_line(tmp_path: Path, change: str, message: str) -> None:
    from errata.training.recipe import find_task

    with pytest.raises(ErrataError, match=message) as caught:
        recipe = read_recipe(shipped_recipe("lora-tiny"), [change, f"run.cache={tmp_path}"])
        find_task(recipe.system).prepare(recipe, recipe.run.cache).build_model()
    assert "\n" not in str(caught.value)
