"""Fifty sentences by heart: trained, saved, loaded, exported, and the same corrections everywhere."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import typer
from stg_tiny import RECIPES, TINY, read_pairs, run_tiny
from typer.testing import CliRunner

from errata.errors import DataError, ErrataError, UsageError
from errata.pipeline.load import load_model
from errata.systems.comparison import compare_answers
from errata.systems.stg.export import export_stg
from errata.training.loop import Outcome
from errata.training.recipe import find_task, read_recipe

Trained = tuple[Path, Outcome]


def last_loss(model: Path) -> float:
    rows = [json.loads(line) for line in (model.parent / "log.jsonl").read_text().splitlines()]
    return float([row["loss"] for row in rows if row["event"] == "step"][-1])


def test_tiny_learns_fifty_sentences_by_heart(trained: Trained) -> None:
    model, outcome = trained
    sources, targets = read_pairs()
    corrections = load_model(model, rules=False).correct(sources)
    assert [one.target for one in corrections] == targets
    assert outcome.scores["exact-match"] == outcome.scores["span-f0.5"] == 1.0
    assert last_loss(model) < 0.2
    assert all(0 < edit.confidence <= 1 for one in corrections for edit in one.edits if edit.confidence is not None)
    assert {edit.type for one in corrections for edit in one.edits} == {"M", "R", "S", "W"}


def test_independent_modules_learn_too(tmp_path: Path) -> None:
    outcome = run_tiny(tmp_path, "model.training=independent", "model.hints=false", "run.steps=110")
    sources, targets = read_pairs()
    assert outcome.scores["exact-match"] >= 0.9
    found = [one.target for one in load_model(tmp_path / "run" / "model").correct(sources)]
    assert sum(map(str.__eq__, found, targets)) >= 45


def test_fcgec_with_types_masking_and_weights_trains(tmp_path: Path) -> None:
    labelled = RECIPES / "data" / "labelled.json"
    outcome = run_tiny(
        tmp_path,
        *(f"data.train=[{labelled}]", f"data.dev=[{labelled}]", "run.steps=20", "run.log_every=1"),
        *("model.loss.types=1.0", "model.loss.keep=0.3", "model.masking=0.2"),
    )
    rows = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    steps = [row for row in rows if row["event"] == "step"]
    assert steps[-1]["parts"]["types"] < steps[0]["parts"]["types"]
    assert set(outcome.scores) == {"span-f0.5", "span-precision", "span-recall", "exact-match", "changed"}


@pytest.mark.parametrize("small", [False, True], ids=["float32", "small"])
def test_export_corrects_the_same(trained: Trained, tmp_path: Path, small: bool) -> None:
    sources, _ = read_pairs()
    export_stg(trained[0], tmp_path / "out", small=small)
    expected = load_model(trained[0]).correct(sources)
    found = load_model(tmp_path / "out").correct(sources)
    assert [one.target for one in found] == [one.target for one in expected]
    assert compare_answers(trained[0], tmp_path / "out").n_changed == 0
    if not small:
        both = zip(found, expected, strict=True)
        pairs = [pair for one, two in both for pair in zip(one.edits, two.edits, strict=True)]
        assert all(abs((a.confidence or 0) - (b.confidence or 0)) < 1e-3 for a, b in pairs)


def test_exported_folder_needs_neither_torch_nor_spacy(trained: Trained, tmp_path: Path) -> None:
    export_stg(trained[0], tmp_path / "out")
    code = (
        "import sys\n"
        "absent = ('torch', 'transformers', 'spacy', 'pypinyin', 'rapidfuzz', 'lemminflect')\n"
        "sys.modules.update(dict.fromkeys(absent))\n"
        "from errata.pipeline.load import load_model\n"
        f"print(load_model({str(tmp_path / 'out')!r}).correct(['他吃饭在食堂。'])[0].target)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("他在食堂吃饭。", "")


def test_command_line_corrects_the_same(trained: Trained, tmp_path: Path) -> None:
    from errata.cli.correct import correct

    app = typer.Typer()
    app.command()(correct)
    sources, targets = read_pairs()
    (tmp_path / "in.txt").write_text("\n".join(sources) + "\n", "utf-8")
    out = tmp_path / "out.txt"
    arguments = [str(tmp_path / "in.txt"), "--model", str(trained[0]), "-o", str(out), "--beam", "3", "--tokenised"]
    assert CliRunner().invoke(app, arguments, catch_exceptions=False).exit_code == 0
    assert out.read_text("utf-8").splitlines() == targets


@pytest.mark.parametrize(
    "text",
    ["", "  ", "𠮷野家は😀？", "he said hello", "我" * 200, "今天是星期天。\n\n他吃饭在食堂。", "他吃饭 在食堂。"],
    ids=["empty", "blank", "unknown", "latin", "long", "lines", "space"],
)
def test_whatever_comes_in_edits_explain_what_goes_out(trained: Trained, text: str) -> None:
    done = load_model(trained[0]).correct([text])[0]
    rebuilt, place = "", 0
    for edit in done.edits:
        rebuilt += text[place : edit.start] + edit.replacement
        place = edit.end
    assert rebuilt + text[place:] == done.target
    assert "[UNK]" not in done.target and "[MASK]" not in done.target


def test_biases_trade_recall_for_precision(trained: Trained) -> None:
    sources, _ = read_pairs()
    silent = load_model(trained[0], keep_bias=1.0, order_bias=1e6, rules=False).correct(sources)
    assert [one.target for one in silent] == sources
    sure = load_model(trained[0], min_confidence=0.999999).correct(sources)
    assert sum(len(one.edits) for one in sure) < 44


def _damage(folder: Path, name: str) -> None:
    from safetensors.numpy import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    if name == "missing":
        del weights["query.weight"]
    elif name == "extra":
        weights["stray"] = np.zeros(3, np.float32)
    else:
        weights["tags.bias"] = np.zeros(9, np.float32)
    save_file(weights, folder / "model.safetensors")


@pytest.mark.parametrize(
    ("fault", "message"),
    [("missing", "query.weight is missing"), ("extra", "stray is not in the model"), ("shape", "tags.bias is (9,)")],
)
def test_loading_is_strict(trained: Trained, tmp_path: Path, fault: str, message: str) -> None:
    folder = tmp_path / "model"
    shutil.copytree(trained[0], folder)
    _damage(folder, fault)
    with pytest.raises(DataError) as raised:
        load_model(folder)
    assert message in str(raised.value) and "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"passes": 3}, "no option 'passes'"),
        ({"beam": 0}, "beam is 1 or more"),
        ({"backend": "tensorflow"}, "choose onnx or torch"),
        ({"backend": "onnx"}, "no such file"),
    ],
    ids=["option", "beam", "backend", "not-exported"],
)
def test_misuse_is_one_line(trained: Trained, options: dict[str, object], message: str) -> None:
    with pytest.raises((UsageError, DataError)) as raised:
        load_model(trained[0], **options)
    assert message in str(raised.value) and "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("model.hint=true", "did you mean 'hints'"),
        ("model.max_tokens=65", "max_tokens is at most backbone.positions - 2"),
        ("data.train=[nowhere.tsv]", "no such file"),
        ("model.backbone={name: ./nowhere}", "nowhere"),
        ("model.loss.keep=0", "keep is above 0"),
        ("model.decoding.beam=0", "beam is 1 or more"),
    ],
)
def test_faulty_recipes_are_one_line(tmp_path: Path, assignment: str, message: str) -> None:
    with pytest.raises(ErrataError) as raised:
        recipe = read_recipe(TINY, [f"run.cache={tmp_path}", assignment])
        find_task(recipe.system).prepare(recipe, recipe.run.cache)
    assert message in str(raised.value) and "\n" not in str(raised.value)


def test_an_error_type_that_is_none_of_fcgecs_is_named(tmp_path: Path) -> None:
    record = {"a": {"sentence": "你好。", "error_flag": 1, "error_type": "XYZ", "operation": "[]"}}
    (tmp_path / "bad.json").write_text(json.dumps(record), "utf-8")
    recipe = read_recipe(TINY, [f"run.cache={tmp_path / 'cache'}", f"data.train=[{tmp_path / 'bad.json'}]"])
    with pytest.raises(DataError, match="sentence 1 has the error type 'XYZ'"):
        find_task(recipe.system).prepare(recipe, recipe.run.cache)
