"""A tagger trained in seconds, and the command run in process."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from command_runs import Run


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tagger that knows the fifty sentences of the tiny recipe by heart."""
    from errata.training.run import run_recipe

    folder = tmp_path_factory.mktemp("tagger")
    settings = [f"run.folder={folder / 'run'}", f"run.cache={folder / 'cache'}"]
    assert run_recipe("tagger-tiny", settings, resume=False, restart=False, prepare_only=False, device="cpu") == 0
    return folder / "run" / "model"


@pytest.fixture(scope="session")
def exported(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same tagger without torch, which starts sooner."""
    from errata.systems.tagger.export import export_tagger

    folder = tmp_path_factory.mktemp("exported") / "model"
    export_tagger(model, folder)
    return folder


@pytest.fixture
def cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords in no time, in this process."""
    from errata.web.accounts.passwords import Passwords

    monkeypatch.setitem(Passwords.__init__.__kwdefaults__, "memory_kib", 8)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """The command in this process, in an empty folder, without the user's own dictionary."""
    from errata.cli import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ERRATA_WORDS", str(tmp_path / "own" / "words.txt"))

    def call(*arguments: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["errata", *map(str, arguments)])
        try:
            main()
            code = 0
        except SystemExit as stop:
            code = int(stop.code or 0)
        told = capfd.readouterr()
        return code, told.out, told.err

    return call
