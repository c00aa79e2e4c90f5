"""The tiny recipes learn fifty sentences by heart; every face of the system gives them back."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from safetensors.torch import load_file, save_file
from seq2seq_pairs import read_pairs
from typer.testing import CliRunner

from errata.cli.correct import correct
from errata.errors import DataError, UsageError
from errata.model import Tokens
from errata.pipeline.load import load_model
from errata.systems.base import load_system
from errata.systems.comparison import sample_sentences
from errata.systems.seq2seq import Seq2Seq
from errata.systems.seq2seq.export import export_seq2seq


def last_loss(run: Path) -> float:
    records = [json.loads(line) for line in (run / "log.jsonl").read_text("utf-8").splitlines()]
    return next(float(one["loss"]) for one in reversed(records) if one["event"] == "step")


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_learns_fifty_sentences_by_heart(language: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    run: Path = request.getfixturevalue({"en": "english", "zh": "chinese"}[language])
    assert last_loss(run) < 0.1
    pairs = read_pairs(language)
    sources, targets = [source for source, _ in pairs], [target for _, target in pairs]
    tokenised = language == "en"
    found = load_model(run / "model", tokenised=tokenised, rules=False).correct(sources)
    assert [one.target for one in found] == targets
    assert all(0 <= edit.confidence <= 1 for one in found for edit in one.edits if edit.confidence is not None)

    app = typer.Typer()
    app.command()(correct)
    (tmp_path / "in.txt").write_text("\n".join(sources) + "\n", encoding="utf-8")
    command = [str(tmp_path / "in.txt"), "--model", str(run / "model"), *["--tokenised"] * tokenised, "--no-rules"]
    result = CliRunner().invoke(app, command)
    assert result.stdout.splitlines() == targets

    export_seq2seq(run / "model", tmp_path / "plain", small=False)
    fast = load_model(tmp_path / "plain", tokenised=tokenised, rules=False).correct(sources)
    assert [one.target for one in fast] == targets
    for slow_one, fast_one in zip(found, fast, strict=True):
        wanted = pytest.approx([edit.confidence for edit in slow_one.edits], abs=1e-4)
        assert [edit.confidence for edit in fast_one.edits] == wanted
    export_seq2seq(run / "model", tmp_path / "small")
    small = load_model(tmp_path / "small", tokenised=tokenised, rules=False).correct(sources)
    assert [one.target for one in small] == targets
    # Half precision changes nothing, on new sentences either; CTranslate2's own beam search does.
    texts = sample_sentences(language)
    plain, half = (load_model(tmp_path / name, rules=False).correct(texts) for name in ("plain", "small"))
    assert [one.target for one in half] == [one.target for one in plain]


def test_an_exported_system_needs_no_torch(english: Path, tmp_path: Path) -> None:
    export_seq2seq(english / "model", tmp_path / "out")
    program = (
        "import sys; sys.modules.update(dict.fromkeys(('torch', 'transformers', 'spacy')))\n"
        "from errata.pipeline.load import load_model\n"
        f"corrector = load_model({str(tmp_path / 'out')!r}, tokenised=True)\n"
        "print(corrector.correct(['My brother have a red bicycle .'])[0].target)"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout == "My brother has a red bicycle .\n"


def test_raw_text_keeps_everything_outside_the_edits(english: Path) -> None:
    text = "  We was at home last night.\n\nShe speaks english very well.  \t"
    found = load_model(english / "model").correct([text, ""])
    assert found[0].target == "  We were at home last night.\n\nShe speaks English very well.  \t"
    assert found[1].target == ""


def test_several_chinese_sentences_are_corrected_one_by_one(chinese: Path) -> None:
    (first, right_first), (second, right_second) = read_pairs("zh")[1:3]
    system = Seq2Seq.load(chinese / "model")
    edits = system.propose([tuple(first + second), tuple(second)])
    assert [one.edit.start for one in edits[0]] == [5, len(first) + 7]
    found = load_model(chinese / "model").correct([f"{first} {second}"])
    assert found[0].target == f"{right_first} {right_second}"


def test_keep_bias_trades_recall_for_precision(english: Path) -> None:
    tokens = tuple("My brother have a red bicycle .".split())
    assert Seq2Seq.load(english / "model", keep_bias=0.0).propose([tokens])[0]
    careful = Seq2Seq.load(english / "model", keep_bias=1e6)
    assert careful.propose([tokens]) == [[]]
    assert careful.faults == {"unlikely": 1}


def test_long_and_strange_input_is_never_cut(english: Path) -> None:
    system = Seq2Seq.load(english / "model", keep_bias=-1e6)
    sentences: list[Tokens] = [("x" * 500,), tuple("a b , c " * 60), (), ("日本", "😀", "é")]
    answers = system.propose(sentences)
    assert len(answers) == 4
    assert system.faults["too long"] == 1
    assert answers[0] == answers[2] == []


def test_loading_is_strict(english: Path, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(english / "model", folder)
    weights = load_file(folder / "model.safetensors")
    save_file({**weights, "extra": weights["norm.bias"].clone()}, folder / "model.safetensors")
    with pytest.raises(DataError, match="extra is not in the model"):
        Seq2Seq.load(folder)
    del weights["norm.bias"]
    save_file(weights, folder / "model.safetensors")
    with pytest.raises(DataError, match=r"norm\.bias is missing"):
        Seq2Seq.load(folder)
    (folder / "network.json").unlink()
    with pytest.raises(DataError, match="does not describe a network"):
        Seq2Seq.load(folder)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"beam": 0}, "beam, max_ratio"),
        ({"backend": "onnx"}, "no backend 'onnx'"),
        ({"passes": 3}, "has no option 'passes'"),
    ],
    ids=["beam", "backend", "another system's option"],
)
def test_wrong_options_are_one_line(english: Path, options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        load_system(english / "model", **options)
