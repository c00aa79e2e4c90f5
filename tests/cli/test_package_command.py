"""`errata package`: what it makes is installed by pip and found by name; what it refuses, and leaves alone."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import os
import re
import shlex
import shutil
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from email import message_from_string
from pathlib import Path

import pytest
from command_runs import Run
from fastapi.testclient import TestClient
from model_package import CARD, pip_install, with_card

import errata
from doc_examples import check_commands
from errata.cli.serve import find_models
from errata.systems.packaging import LARGEST, VERSION, read_package, write_package
from errata.web.app import create_app
from errata.web.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
TEXT, CORRECTED = "She go to school .", "She goes to school ."


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.fixture
def folder(exported: Path, tmp_path: Path) -> Path:
    return with_card(exported, tmp_path / "tiny")


@pytest.fixture(scope="module")
def installed(exported: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which pip has installed errata-en-tiny and errata-en-base, the latter from its source tree."""
    work = tmp_path_factory.mktemp("packages")
    model = with_card(exported, work / "tiny")
    wheel = write_package(read_package(model, "errata-en-tiny", "0.1.0", "MIT", commercial_use=True), work / "one")
    tree = write_package(read_package(model, "errata-en-base", "2.0rc1", "MIT"), work / "two", source_only=True)
    for package in (wheel, tree):
        pip_install(package, work / "site")
    return work / "site"


@pytest.fixture
def site(installed: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(installed)
    monkeypatch.delenv("ERRATA_MODEL_EN")
    return installed


def test_an_installed_model_goes_by_name_in_python(site: Path) -> None:
    corrector = errata.load_corrector("en-tiny")
    assert corrector.name == "en-tiny" and corrector.correct([TEXT])[0].target == CORRECTED
    assert "errata_en_tiny" not in sys.modules


def test_an_installed_model_goes_by_name_on_the_command_line(site: Path, run: Run, tmp_path: Path) -> None:
    (tmp_path / "text").write_text(TEXT)
    assert run("correct", "text", "--model", "en-tiny") == (0, CORRECTED, "")
    assert run("correct", "text", "--model", "en-tinny")[0] == 1


@pytest.mark.parametrize(("named", "served"), [(["en-tiny"], "en-tiny"), ([], "en-base")])
def test_an_installed_model_goes_by_name_in_the_server(site: Path, named: list[str], served: str) -> None:
    models = {"en": find_models(named)["en"]}
    with TestClient(create_app(Settings(models=models)), base_url="http://127.0.0.1") as client:
        answer = client.post("/v1/correct", json={"text": TEXT}).json()
        assert answer["results"][0]["target"] == CORRECTED
        assert client.get("/v1/info").json()["models"][0]["model"] == served


def test_a_preferred_model_is_the_default_of_all_faces(site: Path, run: Run, tmp_path: Path) -> None:
    (tmp_path / "text").write_text(TEXT)
    assert errata.load_corrector(language="en").name == "en-base"
    assert errata.load_corrector("en-small").name == "en-small"
    answers = [run("correct", "text", "--format", "json", *rest)[1] for rest in ([], ["--model", "en-base"])]
    assert answers[0] == answers[1] != ""
    assert find_models([])["en"] == "en-base"


def test_the_list_says_where_a_model_comes_from(site: Path, run: Run) -> None:
    code, out, err = run("models", "--json")
    assert (code, err) == (0, "")
    listed = {entry["name"]: entry for entry in json.loads(out)}
    assert [name for name, entry in listed.items() if entry["is_default"]] == ["en-base", "zh-small"]
    tiny, base = listed["en-tiny"], listed["en-base"]
    assert (tiny["package"], tiny["version"], tiny["licence"]) == ("errata-en-tiny", "0.1.0", "MIT")
    assert (base["package"], base["version"], base["system"]) == ("errata-en-base", "2.0rc1", "tagger")
    assert (listed["en-small"]["package"], listed["en-small"]["version"]) == (None, None)
    code, out, err = run("models", "--open")
    ours = ["en-open"] if "en-open" in listed else []  # it may be installed, too
    assert code == 0 and re.findall(r"^\S+", out, re.M) == [*ours, "en-tiny"]
    assert run("models", "show", "en-tiny") == (0, CARD, "")


def test_the_source_tree_and_the_wheel_hold_the_same(installed: Path, exported: Path) -> None:
    one, two = (contents(installed / f"errata_en_{name}" / f"en-{name}") for name in ("tiny", "base"))
    assert one.keys() == two.keys() == contents(exported).keys() | {"README.md"}
    manifests = [json.loads(files.pop("errata.json")) for files in (one, two)]
    assert one == two
    cards = [manifest.pop("card") for manifest in manifests]
    assert manifests == [json.loads((exported / "errata.json").read_text("utf-8"))] * 2
    assert [(card["licence"], card["commercial_use"]) for card in cards] == [("MIT", True), ("MIT", False)]
    infos = [next(installed.glob(f"errata_en_{name}-*.dist-info")) for name in ("tiny", "base")]
    points = [info.joinpath("entry_points.txt").read_text("utf-8").split() for info in infos]
    assert points == [["[errata.models]", f"en-{name}", "=", f"errata_en_{name}"] for name in ("tiny", "base")]
    ours, theirs = (message_from_string(info.joinpath("METADATA").read_text("utf-8")) for info in infos)
    for field in ("Metadata-Version", "License-File", "Requires-Python", "Requires-Dist", "Description-Content-Type"):
        assert ours[field] == theirs[field] is not None
    assert ours.get_payload() == theirs.get_payload() == CARD


def test_a_wheel_is_the_same_twice(folder: Path, tmp_path: Path) -> None:
    package = read_package(folder, "errata-en-tiny", "0.1.0", "MIT")
    first = write_package(package, tmp_path / "one").read_bytes()
    for path in folder.iterdir():
        os.utime(path, (1, 2))
        path.chmod(0o600)
    assert write_package(package, tmp_path / "two").read_bytes() == first
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_the_record_of_a_wheel_is_true(folder: Path, tmp_path: Path) -> None:
    wheel = write_package(read_package(folder, "errata-en-tiny", "0.1.0", "MIT"), tmp_path / "out")
    with zipfile.ZipFile(wheel) as archive:
        (record,) = (name for name in archive.namelist() if name.endswith("/RECORD"))
        rows = list(csv.reader(io.StringIO(archive.read(record).decode())))
        assert [name for name, *_ in rows] == archive.namelist() and rows[-1] == [record, "", ""]
        for name, digest, size in rows[:-1]:
            content = archive.read(name)
            expected = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            assert (digest, size) == (f"sha256={expected}", str(len(content)))
            assert not name.startswith("/") and ".." not in name


def test_a_tree_says_whose_licence_it_has(folder: Path, run: Run, tmp_path: Path) -> None:
    (folder / "LICENSE.txt").write_text("Permission is hereby granted …\n", encoding="utf-8")
    code, out, err = run(
        "package", folder, "--name", "errata-en-tiny", "--licence", "MIT", "-o", "out", "--source-only"
    )
    assert (code, out) == (0, "out\n") and err.endswith("install it with: pip install --no-deps ./out\n")
    licence = (tmp_path / "out" / "LICENSE").read_text("utf-8")
    assert licence.startswith("Licence of the model en-tiny: MIT\nCommercial use: not allowed\n")
    assert licence.endswith("Permission is hereby granted …\n")
    assert (tmp_path / "out" / "README.md").read_text("utf-8") == CARD
    project = tomllib.loads((tmp_path / "out" / "pyproject.toml").read_text("utf-8"))
    assert sorted(project["tool"]["errata"]["package"]["files"]) == sorted(contents(tmp_path / "out"))


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--name", "en-tiny"], 2, "a package of a model is called errata-NAME (errata-en-legal)"),
        (["--name", "errata-"], 2, "is called errata-NAME"),
        (["--name", "errata-../../x"], 2, "is called errata-NAME"),
        (["--name", "errata-En-Tiny"], 2, "is called errata-NAME"),
        (["--name", "errata-en--tiny"], 2, "is called errata-NAME"),
        (["--name", "errata-en_tiny"], 2, "is called errata-NAME"),
        (["--name", "errata-tiny\n"], 2, "is called errata-NAME"),
        (["--name", "errata-en-small"], 2, "en-small comes with errata and always means that one: choose another"),
        (["--name", "errata-x", "--version", "one"], 2, "--version is 'one': write numbers and points, such as 0.1.0"),
        (["--name", "errata-x", "--version", "1.0/../.."], 2, "write numbers and points"),
        (["--name", "errata-x", "--licence", "M\x1b[2JIT"], 1, "--licence is"),
        (["--name", "errata-x", "--licence", ""], 2, "--licence is empty"),
        (["--name", "errata-x"], 2, "names no licence: give one in a few words with --licence"),
        ([], 2, "missing option '--name'"),
    ],
)
def test_mistakes_get_one_line(
    folder: Path, run: Run, tmp_path: Path, options: list[str], code: int, message: str
) -> None:
    before = contents(tmp_path)
    answer, out, err = run("package", folder, *options)
    assert (answer, out) == (code, "") and message in err and err.count("\n") == 1
    assert contents(tmp_path) == before


def _no_manifest(folder: Path) -> None:
    (folder / "errata.json").unlink()


def _no_card(folder: Path) -> None:
    (folder / "README.md").unlink()


def _link(folder: Path) -> None:
    (folder / "tags.json").unlink()
    (folder / "tags.json").symlink_to("/etc/passwd")


def _linked_folder(folder: Path) -> None:
    (folder / "more").symlink_to("/etc")


def _pipe(folder: Path) -> None:
    os.mkfifo(folder / "pipe")


def _odd_name(folder: Path) -> None:
    (folder / "a,b\n").touch()


def _hidden(folder: Path) -> None:
    (folder / ".secret").touch()


def _other_system(folder: Path) -> None:
    (folder / "errata.json").write_text('{"system": "oracle", "language": "en"}')


def _other_language(folder: Path) -> None:
    (folder / "errata.json").write_text('{"system": "tagger", "language": "tlh"}')


def _bad_facts(folder: Path) -> None:
    manifest = json.loads((folder / "errata.json").read_text("utf-8"))
    (folder / "errata.json").write_text(json.dumps({**manifest, "card": {"license": "MIT"}}))


def _huge(folder: Path) -> None:
    with (folder / "weights9.bin").open("wb") as stream:
        stream.truncate(LARGEST + 1)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_no_manifest, "is not a trained system: it has no errata.json"),
        (_no_card, "has no card: write README.md"),
        (_link, "tags.json is a link: a package holds files"),
        (_linked_folder, "more is a link: a package holds files"),
        (_pipe, "pipe has a name or is something that packages cannot hold"),
        (_odd_name, "has a name or is something that packages cannot hold"),
        (_hidden, ".secret has a name or is something that packages cannot hold"),
        (_other_system, "unknown system 'oracle'"),
        (_other_language, "language 'tlh' is none of en, zh"),
        (_bad_facts, '"card" has "license", which is none of'),
        (_huge, "weights9.bin has 16.0 MiB, and a file of a source tree at most 16"),
    ],
)
def test_what_cannot_be_packaged_is_one_line(
    folder: Path, run: Run, tmp_path: Path, damage: object, message: str
) -> None:
    assert callable(damage)
    damage(folder)
    arguments = ("--name", "errata-en-tiny", "--licence", "MIT", "-o", "out", "--source-only")
    code, out, err = run("package", folder, *arguments)
    assert (code, out) == (1, "") and message in err.replace("\\n", "") and "Traceback" not in err
    assert [path.name for path in tmp_path.iterdir()] == ["tiny"]


def test_a_wheel_may_hold_large_files(folder: Path, run: Run) -> None:
    _huge(folder)
    assert run("package", folder, "--name", "errata-en-tiny", "--licence", "MIT", "-o", "out")[0] == 0


def test_copies_of_old_manifests_stay_behind(folder: Path) -> None:
    (folder / "errata.json.bak").write_text("{}")
    (folder / "errata.json.bak2").write_text("{}")
    assert not [name for name in read_package(folder, "errata-x", "1", "MIT").files if "bak" in name]


def test_an_earlier_package_is_replaced_and_nothing_else(folder: Path, run: Run, tmp_path: Path) -> None:
    common = ("package", folder, "--name", "errata-en-tiny", "--licence", "MIT", "-o", "out")
    assert run(*common)[0] == 0
    pip_install(tmp_path / "out", tmp_path / "site")  # leaves build/ and *.egg-info
    assert run(*common, "--version", "0.2.0")[0] == 0
    assert [path.name for path in (tmp_path / "out" / "dist").iterdir()] == ["errata_en_tiny-0.2.0-py3-none-any.whl"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "site", "tiny"]
    (tmp_path / "out" / "thesis.tex").write_text("Chapter 1")
    before = contents(tmp_path)
    code, out, err = run(*common, "--version", "0.3.0")
    assert (code, out) == (2, "") and "out holds thesis.tex, which is no part of a package of a model" in err
    assert contents(tmp_path) == before


@pytest.mark.parametrize("kind", ["file", "other", "project", "model", "inside", "around"])
def test_other_things_are_kept(folder: Path, run: Run, tmp_path: Path, kind: str) -> None:
    target = {"model": folder, "inside": folder / "inner", "around": tmp_path}.get(kind, tmp_path / kind)
    if kind == "file":
        target.write_text("Chapter 1")
    elif kind in ("other", "project"):
        target.mkdir()
        (target / "pyproject.toml").write_text('[tool.errata]\npackage = "mine"\n' if kind == "project" else "x")
    before = contents(tmp_path)
    code, out, err = run("package", folder, "--name", "errata-en-tiny", "--licence", "MIT", "-o", target)
    assert (code, out) == (2, "") and "choose" in err and err.count("\n") == 1
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    ("version", "is_good"),
    [("0.1.0", True), ("1", True), ("2.0rc1", True), ("1.0.post1.dev3", True), ("01.0", False), ("1.0-1", False),
     ("v1", False), ("1.0\n", False), ("", False), ("1.0+local", False)],
)  # fmt: skip
def test_versions(version: str, is_good: bool) -> None:
    assert bool(VERSION.fullmatch(version)) is is_good


@pytest.fixture
def own_modules() -> Iterator[None]:
    before = set(sys.modules)
    yield
    assert not [name for name in sys.modules.keys() - before if name.startswith("errata_")]


def test_the_examples_run(
    exported: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own_modules: None
) -> None:
    with_card(exported, tmp_path / "en-tiny")
    monkeypatch.syspath_prepend(tmp_path / "site")

    def shell(command: str, given: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{given}\n".encode())))
        code, out, err = run(*shlex.split(command))
        assert code == 0, err
        if command.startswith("package"):
            shutil.rmtree(tmp_path / "site", ignore_errors=True)
            pip_install(tmp_path / out.strip(), tmp_path / "site")
        return out

    check_commands(ROOT / "docs" / "commands" / "package.md", shell, "package", "correct")
