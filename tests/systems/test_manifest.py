"""`errata.json`: a folder of a newer errata is refused by everything that reads folders."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from errata.cli import app
from errata.errors import DataError
from errata.pipeline.load import load_corrector
from errata.systems.averaging import average_systems
from errata.systems.base import SYSTEMS, load_system
from errata.systems.manifest import FORMAT, read_manifest


def make_folder(folder: Path, **manifest: Any) -> Path:
    folder.mkdir()
    given = {"system": "tagger", "language": "en", "settings": {}, **manifest}
    (folder / "errata.json").write_text(json.dumps(given), encoding="utf-8")
    return folder


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_folder_of_a_newer_errata_is_refused(tmp_path: Path, system: str) -> None:
    folder = make_folder(tmp_path / "model", system=system, format=FORMAT + 1)
    with pytest.raises(DataError) as caught:
        load_system(folder)
    assert str(caught.value) == (
        f"{folder} was made by a newer errata: it has format {FORMAT + 1}, and this errata reads up to {FORMAT}; "
        "update errata"
    )


def test_every_way_to_a_folder_refuses_it(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "model", format=FORMAT + 1)
    gold = tmp_path / "gold.m2"
    gold.write_text("S a\n\n")
    with pytest.raises(DataError, match="made by a newer errata"):
        load_corrector(folder)
    with pytest.raises(DataError, match="made by a newer errata"):
        average_systems([folder, folder], tmp_path / "mean")
    for arguments in (
        ["correct", "--model", f"{folder}"],
        ["classify", "--model", f"{folder}"],
        ["export", f"{folder}", f"{tmp_path}/out"],
        ["tune", "--model", f"{folder}", "--gold", f"{gold}"],
        ["serve", "--model", f"{folder}", "--port", "1"],
        ["package", f"{folder}", "--name", "errata-x", "--output", f"{tmp_path}/package"],
    ):
        result = CliRunner().invoke(app, arguments, input="x\n")
        assert "made by a newer errata" in f"{result.exception}{result.stderr}", (arguments, result.stderr)


@pytest.mark.parametrize("format", [None, "1", 0, -1, True, 1.0, [1]])
def test_a_format_is_a_number(tmp_path: Path, format: object) -> None:
    folder = make_folder(tmp_path / "model", format=format)
    with pytest.raises(DataError, match=r'errata.json: "format" is .*, not a number of a format'):
        read_manifest(folder)


def test_a_folder_may_leave_its_format_out(tmp_path: Path) -> None:
    """Those written by hand do."""
    assert read_manifest(make_folder(tmp_path / "model"))["system"] == "tagger"
