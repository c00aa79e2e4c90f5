"""`errata correct` and `errata export` on a tagger trained in the test."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from errata.cli import main

RECIPE = Path(__file__).resolve().parents[2] / "recipes" / "tagger-tiny.yaml"


def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["errata", *arguments])
    try:
        main()
        code = 0
    except SystemExit as stop:
        code = int(stop.code or 0)
    told = capfd.readouterr()
    return code, told.out, told.err


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from errata.train.run import run_recipe

    folder = tmp_path_factory.mktemp("tagger")
    settings = [f"run.folder={folder / 'run'}", f"run.cache={folder / 'cache'}"]
    assert run_recipe(RECIPE, settings, resume=False, restart=False, prepare_only=False, device="cpu") == 0
    return folder / "run" / "model"


@pytest.fixture(scope="module")
def pair() -> tuple[str, str]:
    """A source and target the tiny recipe learns by heart."""
    rows = (RECIPE.parent.parent / "tests" / "systems" / "tagger" / "pairs.en.tsv").read_text("utf-8").splitlines()
    source, target = next(row.split("\t")[:2] for row in rows if len(set(row.split("\t")[:2])) == 2)
    return source, target


def test_every_rendering_of_one_correction(
    model: Path,
    pair: tuple[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    source, target = pair
    text = tmp_path / "text.txt"
    text.write_bytes(f"{source}\r\n\r\n{source}".encode())
    common = (str(text), "--model", str(model), "--tokenised")
    assert run(monkeypatch, capfd, "correct", *common) == (0, f"{target}\r\n\r\n{target}", "")
    _, diff, _ = run(monkeypatch, capfd, "correct", *common, "--format", "diff")
    assert "[-" in diff or "{+" in diff
    _, listed, _ = run(monkeypatch, capfd, "correct", *common, "--format", "json")
    _, lines, _ = run(monkeypatch, capfd, "correct", *common, "--format", "jsonl")
    objects = json.loads(listed)
    assert objects == [json.loads(line) for line in lines.splitlines()]
    assert [one["target"] for one in objects] == [target, "", target]
    for edit in objects[0]["edits"]:
        assert source[edit["start"] : edit["end"]] == edit["original"]
        assert edit["type"] in "MRU" and 0 <= edit["confidence"] <= 1
    _, m2, _ = run(monkeypatch, capfd, "correct", *common, "--format", "m2")
    assert m2.count("S ") >= 2 and "|||REQUIRED|||" in m2


def test_standard_input_and_an_output_file(
    model: Path,
    pair: tuple[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(pair[0].encode())))
    out = tmp_path / "out.txt"
    assert run(monkeypatch, capfd, "correct", "--model", str(model), "--tokenised", "-o", str(out))[0] == 0
    assert out.read_text("utf-8") == pair[1]


def test_export_corrects_the_same_without_torch(
    model: Path,
    pair: tuple[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    code, _, err = run(monkeypatch, capfd, "export", str(model), str(tmp_path / "small"))
    assert code == 0 and "tagger" in err
    text = tmp_path / "text.txt"
    text.write_text(pair[0], "utf-8")
    told = run(monkeypatch, capfd, "correct", str(text), "--model", str(tmp_path / "small"), "--tokenised")
    assert told == (0, pair[1], "")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--model", "nowhere"], 1, "no model 'nowhere'"),
        (["--model", "MODEL", "--beam", "3"], 2, "a tagger system has no option 'beam'"),
        (["absent.txt", "--model", "MODEL"], 1, "absent.txt: No such file"),
    ],
)
def test_mistakes_get_one_line(
    arguments: list[str],
    code: int,
    message: str,
    model: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    given = [str(model) if one == "MODEL" else one for one in arguments]
    answer, out, err = run(monkeypatch, capfd, "correct", *given)
    assert (answer, out) == (code, "") and message in err and err.count("\n") == 1
