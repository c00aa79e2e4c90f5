"""Originals and variants in one batch, and the objective that compares them."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load_file

from errata.edits.carrying import find_shared
from errata.errors import DataError
from errata.networks.encoder import load_backbone
from errata.training.checkpoints import load_checkpoint
from errata.training.devices import Place, pick_device
from errata.training.log import read_log
from errata.training.loop import train
from errata.training.objectives import ContextRobustness, Likelihood, symmetric_divergence
from errata.training.recipe import find_task, read_recipe
from errata.training.settings import Recipe
from errata.training.shipped import FOLDER as RECIPES

BLOCKS = {"en": RECIPES / "data" / "variants.en.para", "zh": RECIPES / "data" / "variants.zh.para"}
SYSTEMS = {"tagger": ("tagger-tiny", "en"), "stg": ("stg-tiny", "zh"), "seq2seq": ("seq2seq-tiny", "en")}

Prepare = Callable[..., tuple[Recipe, Any]]


@pytest.fixture(params=SYSTEMS)
def prepare(request: pytest.FixtureRequest, tmp_path: Path) -> Prepare:
    """`prepare("run.steps=5", …)`: a tiny recipe for CPR of each system, and its task."""
    name, language = SYSTEMS[request.param]

    def make(*assignments: str, blocks: Path = BLOCKS[language]) -> tuple[Recipe, Any]:
        recipe = read_recipe(
            RECIPES / f"{name}.yaml",
            [
                *(f"run.folder={tmp_path / 'run'}", f"run.cache={tmp_path / 'cache'}", "data.train=[]"),
                *(f"data.variants=[{blocks}]", f"data.dev=[{blocks}]", "objective.name=cpr", "run.log_every=1"),
                *("evaluation.select=null", *assignments),
            ],
        )
        return recipe, find_task(recipe.system).prepare(recipe, recipe.run.cache)

    return make


def batch_of(task: Any, indices: list[int]) -> dict[str, torch.Tensor]:
    arrays = task.train_examples.collate(indices, np.random.default_rng(1))
    return {name: torch.from_numpy(array) for name, array in arrays.items()}


def run(recipe: Recipe, task: Any, **options: Any) -> None:
    train(recipe, task, place=Place(pick_device("cpu")), **options)


SCORES = st.lists(st.floats(-8, 8), min_size=3, max_size=3)


@given(SCORES, SCORES)
def test_the_divergence_is_symmetric_and_never_negative(left: list[float], right: list[float]) -> None:
    one, other = torch.tensor(left), torch.tensor(right)
    divergence = symmetric_divergence(one, other)
    assert divergence == symmetric_divergence(other, one)
    assert divergence >= 0 and symmetric_divergence(one, one) == 0


def test_the_divergence_is_the_mean_of_both() -> None:
    p, q = (0.5, 0.25, 0.25), (0.25, 0.5, 0.25)
    both = sum((a - b) * math.log(a / b) for a, b in zip(p, q, strict=True)) / 2
    assert float(symmetric_divergence(torch.tensor(p).log(), torch.tensor(q).log() + 3)) == pytest.approx(both)


@pytest.mark.parametrize(
    ("before", "after", "shared"),
    [
        ("a b c", "a b c", [(0, 0), (1, 1), (2, 2)]),
        ("a b c", "a x c", [(0, 0), (2, 2)]),
        ("a b c", "a x y b c", [(0, 0), (1, 3), (2, 4)]),
        ("a b c", "c", [(2, 0)]),
        ("", "a", []),
    ],
)
def test_shared_words(before: str, after: str, shared: list[tuple[int, int]]) -> None:
    assert find_shared(before.split(), after.split()) == shared


def test_a_tagger_compares_the_words_that_are_not_perturbed(tmp_path: Path) -> None:
    """And not the word before `an apple`, where the two need different tags."""
    blocks = tmp_path / "some.para"
    blocks.write_text(
        "O-S He have a dog .\nO-T He has a dog .\nA1-S He have a big dog .\nA1-T He has a big dog .\n"
        "A2-S He have a apple .\nA2-T He has an apple .\n\nO-S Hi .\nO-T Hi .\n",
        encoding="utf-8",
    )
    settings = [f"data.variants=[{blocks}]", "data.train=[]", "objective.name=cpr", f"run.cache={tmp_path / 'cache'}"]
    recipe = read_recipe(RECIPES / "tagger-tiny.yaml", settings)
    examples = find_task("tagger").prepare(recipe, recipe.run.cache).train_examples
    assert len(examples) == 3
    batch = examples.collate([2, 0, 1], np.random.default_rng(1))
    assert batch["shared_rows"].tolist() == [[1, 2], [3, 4]]
    pair, row, slot, other_row, other_slot = batch["shared_slots"].tolist()
    places = list(zip(pair, row, slot, other_row, other_slot, strict=True))
    assert [one[2::2] for one in places if one[0] == 0] == [(0, 0), (1, 1), (2, 2), (3, 3), (4, 5), (5, 6)]
    assert [one[2::2] for one in places if one[0] == 1] == [(0, 0), (1, 1), (2, 2), (5, 5)]
    assert {one[1::2] for one in places} == {(1, 3), (2, 4)}


def test_without_variants_there_is_only_likelihood(prepare: Prepare) -> None:
    _, task = prepare()
    lone = len(task.train_examples) - 1  # the last case of both files has no variant
    model = task.build_model().eval()
    loss = ContextRobustness().loss(task, model, batch_of(task, [lone]))
    assert loss.parts["kl"] == 0 and loss.total == loss.parts["likelihood"] > 0


def test_equal_sentences_are_not_apart(prepare: Prepare, tmp_path: Path) -> None:
    _, task = prepare()
    lines = BLOCKS[task.recipe.language].read_text("utf-8").split("\n\n")[0].splitlines()[:2]
    twice = tmp_path / "twice.para"
    twice.write_text("\n".join([*lines, *(line.replace("O-", "A1-", 1) for line in lines)]), encoding="utf-8")
    _, task = prepare(blocks=twice)
    loss = ContextRobustness().loss(task, task.build_model().eval(), batch_of(task, [0]))
    assert float(loss.parts["kl"]) == pytest.approx(0, abs=1e-6)


def test_the_divergence_is_part_of_the_loss_and_has_gradients_through_both(prepare: Prepare) -> None:
    _, task = prepare()
    torch.manual_seed(1)
    model = task.build_model().eval()
    batch = batch_of(task, list(range(len(task.train_examples))))
    compared = task.compare(model, batch)
    for one in compared.heads:
        assert one.original.shape == one.variant.shape and one.original.shape[0] > 0
        gradients = torch.autograd.grad(
            symmetric_divergence(one.original, one.variant).sum(), [one.original, one.variant], retain_graph=True
        )
        assert all(float(gradient.abs().sum()) > 0 for gradient in gradients)
    loss, twice = (ContextRobustness(alpha).loss(task, model, batch) for alpha in (1.0, 2.0))
    assert float(loss.parts["kl"]) > 0
    assert loss.total.item() == pytest.approx(float(loss.parts["likelihood"] + loss.parts["kl"]))
    assert (twice.total - loss.total).item() == pytest.approx(float(loss.parts["kl"]), rel=0.01)


def test_without_weight_it_is_the_likelihood_of_both(prepare: Prepare) -> None:
    _, task = prepare()
    model, batch = task.build_model().eval(), batch_of(task, [0, 1])
    alone = Likelihood().loss(task, model, batch)
    assert ContextRobustness(alpha=0).loss(task, model, batch).total == alone.total
    singles = task.train_examples.examples.collate([0, 0, 1, 2], np.random.default_rng(1))
    same = task.loss(model, {name: torch.from_numpy(array) for name, array in singles.items()})
    assert same.total.item() == pytest.approx(alone.total.item(), rel=1e-5)


def test_it_trains_and_resumes_as_if_never_stopped(prepare: Prepare, tmp_path: Path) -> None:
    settings = ("run.steps=6", "run.checkpoint_every=3", "batches.sentences=4")
    whole, task = prepare(*settings, f"run.folder={tmp_path}/whole")
    run(whole, task)
    steps = [record for record in read_log(whole.folder / "log.jsonl") if record["event"] == "step"]
    assert steps[-1]["loss"] < steps[0]["loss"] and {"likelihood", "kl"} <= steps[0]["parts"].keys()
    broken, task = prepare(*settings, f"run.folder={tmp_path}/broken")
    loss, n_losses = task.compare, 0

    def fail_once(model: Any, batch: Any) -> Any:
        nonlocal n_losses
        n_losses += 1
        if n_losses == 5:
            raise KeyboardInterrupt
        return loss(model, batch)

    task.compare = fail_once
    with pytest.raises(KeyboardInterrupt):
        run(broken, task)
    run(broken, task, resume=True)
    weights = [
        load_checkpoint(one.folder / "checkpoints" / "last.pt", torch.device("cpu"))["model"] for one in (whole, broken)
    ]
    assert all(weights[0][name].equal(weights[1][name]) for name in weights[0])


def test_originals_without_variants_join_the_batch(prepare: Prepare, tmp_path: Path) -> None:
    _, task = prepare()
    n_paired = len(task.train_examples)
    pairs = RECIPES / "data" / ("tagger-pairs.zh.tsv" if task.recipe.language == "zh" else "tagger-pairs.en.tsv")
    _, task = prepare(f"data.train=[{pairs}]")
    n_alone = len(task.train_examples) - n_paired
    assert n_alone >= 50
    batch = batch_of(task, [0, n_alone, 1, n_alone + 1])
    assert batch["shared_rows"].tolist() == [[1, 3], [4, 5]]
    assert ContextRobustness().loss(task, task.build_model(), batch).parts["kl"] > 0


def test_variants_are_needed(prepare: Prepare) -> None:
    recipe, task = prepare("data.variants=[]", f"data.train=[{RECIPES / 'data' / 'tagger-pairs.en.tsv'}]")
    with pytest.raises(DataError, match=r"name files of them in data\.variants"):
        run(recipe, task)


def test_packed_variants_train_without_what_packed_them(tmp_path: Path) -> None:
    """A machine that only trains has no rapidfuzz and no lemminflect."""
    places = [f"run.folder={tmp_path / 'run'}", f"run.cache={tmp_path / 'cache'}", "run.steps=1"]
    recipe = read_recipe(RECIPES / "tagger-tiny-cpr.yaml", places)
    find_task("tagger").prepare(recipe, recipe.run.cache)
    program = (
        "import sys; sys.modules.update(rapidfuzz=None, lemminflect=None)\n"
        "from errata.training.run import run_recipe\n"
        "sys.exit(run_recipe('tagger-tiny-cpr', sys.argv[1:], device='cpu'))"
    )
    subprocess.run([sys.executable, "-c", program, *places], check=True, capture_output=True, cwd=tmp_path)
    assert (tmp_path / "run" / "model" / "errata.json").exists()


def test_a_classifier_cannot_compare(tmp_path: Path) -> None:
    recipe = read_recipe(RECIPES / "classifier-tiny.yaml", ["objective.name=cpr", f"run.cache={tmp_path}"])
    task = find_task("classifier").prepare(recipe, recipe.run.cache)
    with pytest.raises(DataError, match="ClassifierTask cannot compare a sentence with its variants"):
        recipe.objective.loss(task, task.build_model(), {})


def test_post_training_starts_from_a_model_folder(tmp_path: Path) -> None:
    """Its encoder, its tags and its weights; none of them is learnt anew."""
    places = [f"run.folder={tmp_path / 'first'}", f"run.cache={tmp_path / 'cache'}"]
    first = read_recipe(RECIPES / "tagger-tiny.yaml", [*places, "run.steps=3", "evaluation.select=null"])
    run(first, find_task("tagger").prepare(first, first.run.cache))
    model = tmp_path / "first" / "model"
    second = read_recipe(
        RECIPES / "tagger-tiny-cpr.yaml",
        [
            *(f"run.cache={tmp_path / 'cache'}", f"run.folder={tmp_path / 'second'}", f"run.start_from={model}"),
            *(f"model.backbone={{name: {model}, positions: 66}}", f"model.vocabulary={model}", "run.steps=1"),
            *("optimiser.learning_rate=1e-12", "evaluation.select=null"),
        ],
    )
    run(second, find_task("tagger").prepare(second, second.run.cache))
    begun, trained = (load_file(folder / "model" / "model.safetensors") for folder in (first.folder, second.folder))
    assert all(torch.allclose(begun[name], trained[name], atol=1e-9) for name in begun)
    tags = [json.loads((folder / "model" / "tags.json").read_text("utf-8")) for folder in (first.folder, second.folder)]
    assert tags[0] == tags[1]


def test_a_system_of_several_encoders_is_no_backbone(tmp_path: Path) -> None:
    recipe = read_recipe(RECIPES / "stg-tiny.yaml", [f"run.cache={tmp_path / 'cache'}"])
    task = find_task("stg").prepare(recipe, recipe.run.cache)
    task.save(task.build_model(), tmp_path, {})
    with pytest.raises(DataError, match="is a system with no single encoder: name the folder of a tagger"):
        load_backbone(str(tmp_path))
