"""`make demo` and `make test` install the packages of models that are in the repository, if there are any."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

MAKEFILE = Path(__file__).resolve().parent.parent / "Makefile"
pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")


def steps(folder: Path, target: str) -> str:
    """What make would do in a folder."""
    for name in ("pyproject.toml", "setup.py", "constraints.txt"):
        (folder / name).touch()
    (folder / "src").mkdir()
    shutil.copy(MAKEFILE, folder)
    done = subprocess.run(["make", "-n", target], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.parametrize("target", ["demo", "test"])
def test_models_of_the_repository_are_installed(tmp_path: Path, target: str) -> None:
    for name in ("en-base", "zh-base"):
        (tmp_path / "models" / name).mkdir(parents=True)
        (tmp_path / "models" / name / "pyproject.toml").touch()
    (tmp_path / "models" / "notes").mkdir()
    (line,) = re.findall(r"^.*--no-deps.*$", steps(tmp_path, target), re.M)
    assert line == ".venv/bin/python -m pip install -q --no-deps models/en-base/ models/zh-base/"


@pytest.mark.parametrize("target", ["demo", "test"])
def test_there_may_be_none(tmp_path: Path, target: str) -> None:
    told = steps(tmp_path, target)
    assert "pip install" in told and "--no-deps" not in told
