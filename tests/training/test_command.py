"""`errata train` and `python -m errata.training`: the same thing twice."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from errata.cli import app
from errata.training.run import run_recipe


def test_train_from_the_command_line(recipe_file: Path) -> None:
    result = CliRunner().invoke(app, ["train", str(recipe_file), "--set", "run.steps=5", "--device", "cpu"])
    assert result.exit_code == 0, result.output
    assert result.stdout == ""
    assert f"done at step 5: {recipe_file.parent}/run/model" in result.stderr
    assert {p.name for p in (recipe_file.parent / "run").iterdir()} == {
        "checkpoints", "log.jsonl", "loss.png", "model", "recipe.json",
    }  # fmt: skip


def test_prepare_only(recipe_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_recipe(recipe_file, prepare_only=True) == 0
    assert "prepared 200 training examples" in capsys.readouterr().err
    assert not (recipe_file.parent / "run").exists()


def test_restart(recipe_file: Path) -> None:
    assert run_recipe(recipe_file, ["run.steps=5"]) == 0
    assert run_recipe(recipe_file, ["run.steps=3"], restart=True) == 0
    assert (recipe_file.parent / "run" / "log.jsonl").read_text("utf-8").count('"event": "step"') == 3


def test_a_bare_machine_trains_without_the_command_line_packages(recipe_file: Path) -> None:
    """Only torch, transformers, tokenizers, numpy and PyYAML may be needed."""
    program = f"""
import sys
for absent in ("typer", "rich", "spacy", "rapidfuzz", "matplotlib", "pypinyin", "click"):
    sys.modules[absent] = None
sys.path.insert(0, {str(Path(__file__).parent)!r})
sys.argv = ["train", {str(recipe_file)!r}, "--set", "run.steps=3"]
from errata.training.__main__ import main
sys.exit(main())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[-1] == f"done at step 3: {recipe_file.parent}/run/model"


def test_a_fault_is_one_line(recipe_file: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "errata.training", str(recipe_file), "--set", "run.step=3"],
        env={"PYTHONPATH": str(Path(__file__).parent)},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "errata: --set run.step=3: unknown key 'step' in run; did you mean 'steps'?\n"
