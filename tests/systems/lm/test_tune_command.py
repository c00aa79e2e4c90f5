"""`errata tune`: a folder made, tuned, and every mistake in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from errata.cli import app
from errata.errors import ErrataError
from errata.systems.lm import tuning

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


def test_domains_tuned_at_the_same_time_are_both_kept(
    lm_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gold, folder = tmp_path / "dev.m2", tmp_path / "lm"
    gold.write_text(GOLD)
    run("--model", folder, "--lm", lm_folder)

    def tune_another_first(*arguments: Any, **options: Any) -> Any:
        monkeypatch.undo()
        run("--model", folder, "--gold", gold, "--domain", "mail")
        return tuning.tune(*arguments, **options)

    monkeypatch.setattr(tuning, "tune", tune_another_first)
    run("--model", folder, "--gold", gold, "--domain", "web")
    manifest = json.loads((folder / "errata.json").read_text())
    assert set(manifest["settings"]["thresholds"]) == {"default", "mail", "web"}
    assert set(manifest["training"]) == {"mail", "web"}


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
        (("--model", made, "--lm", "gpt2"), "is not empty"),
        (("--model", tmp_path / "new", "--lm", lm_folder, "--lang", "fr"), r"no confusion sets \(choose en, zh\)"),
        (("--model", tmp_path / "new", "--lang", "zh"), "--lm NAME makes a language-model corrector"),
        (("--model", "new", "--lm", lm_folder), "--model ./new"),
        (("--model", tmp_path / "new", "--lm", lm_folder, "--out", tmp_path / "copy"), "--lm makes a new one"),
        (("--model", "en-small", "--lm", lm_folder), "--model ./en-small"),
    ):
        with pytest.raises(ErrataError, match=message):
            run(*arguments)
    assert not (tmp_path / "new").exists() and not Path("en-small").exists()


def test_the_old_threshold_is_kept(lm_folder: Path, tmp_path: Path) -> None:
    gold, folder = tmp_path / "dev.m2", tmp_path / "lm"
    gold.write_text(GOLD)
    run("--model", folder, "--lm", lm_folder)
    before = (folder / "errata.json").read_text()
    assert json.loads(run("--model", folder, "--gold", gold, "--dry-run"))["settings"]["thresholds"]["default"] != 0.96
    assert (folder / "errata.json").read_text() == before and len(list(folder.iterdir())) == 1
    run("--model", folder, "--gold", gold)
    assert (folder / "errata.json.bak").read_text() == before != (folder / "errata.json").read_text()
    run("--model", folder, "--gold", gold, "--out", tmp_path / "copy")
    assert (tmp_path / "copy" / "errata.json").exists() and not (folder / "errata.json.bak2").exists()


def test_a_dry_run_makes_no_folder(lm_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(lm_folder.parent)
    told = run("--model", tmp_path / "lm", "--lm", f"./{lm_folder.name}", "--dry-run")
    assert json.loads(told)["settings"]["model"] == str(lm_folder)  # from wherever it is used
    assert not (tmp_path / "lm").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("S 他 在 家 。\nA 1 2|||S|||再|||REQUIRED|||-NONE-|||0\n\n", "1 of 1 sentences are in Chinese"),
        ("S She zzz .\nA 1 2|||R:NOUN|||qqq|||REQUIRED|||-NONE-|||0\n\n", "no threshold finds anything"),
        ("S He goes .\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n", "no threshold finds anything"),
    ],
)
def test_nothing_is_made_when_nothing_is_found(lm_folder: Path, tmp_path: Path, content: str, message: str) -> None:
    gold = tmp_path / "dev.m2"
    gold.write_text(content)
    with pytest.raises(ErrataError, match=message):
        run("--model", tmp_path / "lm", "--lm", lm_folder, "--gold", gold)
    assert not (tmp_path / "lm").exists()
