"""The recipes that come with errata: listed, printed, copied, extended and trained from anywhere."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

import errata
from errata.cli import app
from errata.errors import ErrataError
from errata.training.recipe import read_recipe
from errata.training.run import run_recipe
from errata.training.shipped import FOLDER, find_recipe, recipe_names, shipped_recipe, summary

ROOT = Path(__file__).resolve().parents[2]
# In a process of its own: setuptools changes what others import.
PACKAGE_FILES = """
import json, sys
from setuptools import Distribution
from setuptools.command.build_py import build_py
facts = {"packages": ["errata"], "package_dir": {"": "src"}, "package_data": json.loads(sys.argv[1])}
build = build_py(Distribution(facts))
build.ensure_finalized()
print("\\n".join(file for *_, files in build.data_files for file in files))
"""


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, [*map(str, arguments)])
    if result.exception is not None:
        raise result.exception
    return result.stdout


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, far from the recipes."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_they_are_listed_with_what_they_are_for() -> None:
    lines = run("recipes").splitlines()
    assert [line.split()[0] for line in lines] == recipe_names()
    assert {"tagger-tiny", "en-small", "gector-roberta", "lora-small"} <= set(recipe_names())


@pytest.mark.parametrize("name", recipe_names())
def test_a_summary_is_one_sentence(name: str) -> None:
    assert 20 < len(summary(name)) < 130 and "errata train" not in summary(name)


def test_they_are_shown() -> None:
    assert run("recipes", "show", "tagger-tiny") == (FOLDER / "tagger-tiny.yaml").read_text("utf-8")
    assert run("recipes", "show", "README").startswith("# Recipes")
    with pytest.raises(ErrataError, match="unknown recipe 'tagger-tinny'; did you mean 'tagger-tiny'"):
        run("recipes", "show", "tagger-tinny")


def test_they_are_copied_over_nothing(elsewhere: Path) -> None:
    run("recipes", "copy", "tagger-tiny")
    assert (elsewhere / "tagger-tiny.yaml").read_text("utf-8") == run("recipes", "show", "tagger-tiny")
    (elsewhere / "mine.yaml").write_text("thesis")
    for target in (["mine.yaml"], ["tagger-tiny.yaml"], [], ["."]):
        with pytest.raises(ErrataError, match="is there already"):
            run("recipes", "copy", "tagger-tiny", *target)
    assert (elsewhere / "mine.yaml").read_text() == "thesis"


def test_a_copy_reads_as_the_original(elsewhere: Path) -> None:
    run("recipes", "copy", "tagger-tiny")
    copied, original = read_recipe(elsewhere / "tagger-tiny.yaml"), read_recipe(shipped_recipe("tagger-tiny"))
    assert copied.as_dict() == original.as_dict() and copied.digests() == original.digests()
    assert set(original.digests()) == {"${ERRATA_RECIPES}/data/tagger-pairs.en.tsv"}


def test_a_copy_of_one_that_extends_another_is_whole(elsewhere: Path) -> None:
    run("recipes", "copy", "en-small-vocabulary", "mine.yaml")
    with pytest.raises(ErrataError, match=r"en-small-noise\.yaml:.* the environment has no ERRATA_DATA"):
        read_recipe(elsewhere / "mine.yaml")


def test_a_recipe_of_yours_extends_one_by_name(elsewhere: Path) -> None:
    (elsewhere / "sub").mkdir()
    (elsewhere / "sub" / "mine.yaml").write_text("extends: tagger-tiny\nrun: {steps: 3}\n")
    (elsewhere / "sub" / "tagger-tiny").write_text("system: hostile")  # a name is not a file
    recipe = read_recipe(elsewhere / "sub" / "mine.yaml")
    assert (recipe.system, recipe.run.steps, recipe.folder) == ("tagger", 3, Path("runs/mine"))
    (elsewhere / "mine.yaml").write_text("seed: 2\nextends: tagger-tinny\n")
    with pytest.raises(ErrataError, match=r"mine\.yaml:2: unknown recipe 'tagger-tinny'; did you mean 'tagger-tiny'"):
        read_recipe(elsewhere / "mine.yaml")


def test_paths_of_a_shipped_one_start_here(elsewhere: Path) -> None:
    with pytest.raises(ErrataError, match=f"no such file {elsewhere}/train.m2"):
        read_recipe(shipped_recipe("gector-roberta"))
    for name in ("train.m2", "dev.m2"):
        (elsewhere / name).touch()
    assert set(read_recipe(shipped_recipe("gector-roberta")).digests()) == {"train.m2", "dev.m2"}


def test_names_and_files(elsewhere: Path) -> None:
    for name in ("tagger-tiny", "mine"):
        (elsewhere / name).touch()
    assert find_recipe("tagger-tiny") == FOLDER / "tagger-tiny.yaml"
    assert find_recipe("./tagger-tiny") == Path("tagger-tiny")
    assert find_recipe("mine.yaml") == Path("mine.yaml")
    assert find_recipe(Path("mine")) == Path("mine")
    with pytest.raises(ErrataError, match=r"write \./mine"):
        find_recipe("mine")
    with pytest.raises(ErrataError, match="unknown recipe 'absent'"):
        find_recipe("absent")


def test_the_example_of_the_help_runs(elsewhere: Path) -> None:
    told = " ".join(run("train", "--help").split())
    assert "errata train tagger-tiny --set run.steps=200" in told
    assert run_recipe("tagger-tiny", ["run.steps=2"], device="cpu") == 0
    assert (elsewhere / "runs" / "tagger-tiny" / "model" / "errata.json").exists()


def test_they_are_in_the_package() -> None:
    """The patterns of pyproject.toml, as setuptools applies them, find every recipe and its data."""
    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["package-data"]
    pytest.importorskip("setuptools")
    found = subprocess.run(
        [sys.executable, "-c", PACKAGE_FILES, json.dumps(patterns)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    wanted = [file.relative_to(FOLDER).as_posix() for file in FOLDER.rglob("*") if file.is_file()]
    assert len(wanted) > 30 and {f"recipes/{name}" for name in wanted} <= set(found)
    assert FOLDER.parent == Path(errata.__file__).parent
