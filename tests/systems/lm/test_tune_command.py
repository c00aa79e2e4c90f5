"""`errata tune`: a folder made, tuned, and every mistake in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from errata.cli import app
from errata.errors import ErrataError

GOLD = """\
S She go to school by bus .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0

S He goes to work by train .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
"""


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, ["tune", *map(str, arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout


def test_a_folder_is_made_and_tuned(lm_folder: Path, tmp_path: Path) -> None:
    gold, folder = tmp_path / "dev.m2", tmp_path / "lm"
    gold.write_text(GOLD)
    assert run("--model", folder, "--lm", lm_folder) == ""
    told = run("--model", folder, "--gold", gold, "--domain", "web")
    manifest = json.loads((folder / "errata.json").read_text())
    thresholds = manifest["settings"]["thresholds"]
    assert told == f"web: {thresholds['web']:.2f}\n" and thresholds["default"] == 0.96
    assert manifest["training"]["web"]["scores"]["f0.5"] == 1.0
    assert manifest["training"]["web"]["sentences"] == 2


def test_mistakes_are_one_line(lm_folder: Path, tmp_path: Path) -> None:
    other, made, empty = tmp_path / "other", tmp_path / "lm", tmp_path / "empty.m2"
    other.mkdir()
    (other / "errata.json").write_text('{"system": "tagger"}')
    empty.write_text("")
    run("--model", made, "--lm", lm_folder)
    for arguments, message in (
        (("--model", other, "--gold", empty), "is not a tagger this version reads"),
        (("--model", other), "give --gold"),
        (("--model", other, "--gold", empty, "--domain", "web"), "for language-model correctors"),
        (("--model", made, "--gold", empty, "--rare", empty), "tuned on one --gold"),
        (("--model", made), "give --gold"),
        (("--model", made, "--lm", "gpt2"), "--lm is for a new folder"),
        (("--model", tmp_path / "new", "--lang", "fr"), "confusion sets for en and zh"),
        (("--model", tmp_path / "new", "--lang", "zh"), "no language model for 'zh'"),
    ):
        with pytest.raises(ErrataError, match=message):
            run(*arguments)
