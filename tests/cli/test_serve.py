"""What `errata serve` refuses before it serves, and what it makes of its options."""

from __future__ import annotations

import json
import socket
import sys
from pathlib import Path

import pytest

from errata.cli import main
from errata.cli.serve import database_in, find_models, read_users
from errata.errors import DataError, UsageError
from errata.systems.installed import BUNDLED, PREFERRED


@pytest.fixture
def models(tmp_path: Path) -> dict[str, str]:
    """Folders that say they are models, by name."""
    for name, language in (("a", "en"), ("b", "en"), ("c", "zh")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "errata.json").write_text(json.dumps({"system": "tagger", "language": language}))
    return {name: str(tmp_path / name) for name in "abc"}


def fail(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str]:
    monkeypatch.setattr(sys, "argv", ["errata", "serve", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    return stop.value.code, capsys.readouterr().err


def test_a_port_in_use_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], models: dict[str, str], tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        code, told = fail(monkeypatch, capsys, "--port", port, "--model", models["a"], "--data", str(tmp_path))
    assert code == 2 and told.startswith(f"errata: cannot listen on 127.0.0.1 port {port}") and told.count("\n") == 1


def test_a_model_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code, told = fail(monkeypatch, capsys, "--port", "0", "--model", "/no/model")
    assert code == 1 and told.startswith("errata: no model '/no/model'") and told.count("\n") == 1


def test_a_folder_that_is_no_model_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], models: dict[str, str], tmp_path: Path
) -> None:
    code, told = fail(monkeypatch, capsys, "--port", "0", "--model", models["a"], "--data", str(tmp_path / "data"))
    assert code == 1 and "is not a tagger this version reads" in told and told.count("\n") == 1


@pytest.mark.parametrize("seconds", ["inf", "nan"])
def test_a_time_limit_has_an_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], models: dict[str, str], seconds: str
) -> None:
    code, told = fail(monkeypatch, capsys, "--port", "0", "--model", models["a"], "--timeout", seconds)
    assert code == 2 and "timeout" in told and "Traceback" not in told


def test_one_model_per_language(models: dict[str, str]) -> None:
    assert find_models([models["a"], models["c"]]) == {"en": models["a"], "zh": models["c"]}
    with pytest.raises(UsageError, match="both correct en"):
        find_models([models["a"], models["b"]])


def test_the_bundled_models_that_are_there_are_served(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("errata.systems.installed.bundled_folder", lambda name: tmp_path / name)
    for language, name in BUNDLED.items():
        monkeypatch.setitem(PREFERRED, language, (name,))
        monkeypatch.delenv(f"ERRATA_MODEL_{language.upper()}")
    code, told = fail(monkeypatch, capsys, "--port", "0")
    assert (code, told) == (1, "errata: no model is installed: give --model FOLDER\n")
    for n_models, name in enumerate(BUNDLED.values(), 1):
        (tmp_path / name).mkdir()
        (tmp_path / name / "errata.json").touch()
        assert len(find_models([])) == n_models
    assert capsys.readouterr().err == "errata: zh-small is not installed, so zh is not corrected\n"


def test_the_database_lies_in_the_data_folder(tmp_path: Path) -> None:
    assert database_in(tmp_path / "new" / "data") == f"sqlite:///{tmp_path / 'new' / 'data' / 'server.db'}"
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match="give --data FOLDER or --db URL"):
        database_in(tmp_path / "file" / "data")


def test_users_and_keys_are_read(tmp_path: Path) -> None:
    file = tmp_path / "users"
    file.write_text("\ufeffann@example.org key-1\n\nbob\tkey-2\n", encoding="utf-8")
    assert read_users(file) == {"ann@example.org": "key-1", "bob": "key-2"}
    file.write_text("ann key\nbob\n")
    with pytest.raises(DataError, match=r"users:2: expected a user name and a key"):
        read_users(file)
    file.write_text("ann key\nbob key\nann other\n")
    with pytest.raises(DataError, match=r"users:3: the user ann has a key already"):
        read_users(file)
    with pytest.raises(DataError, match="cannot read"):
        read_users(tmp_path / "nothing")
