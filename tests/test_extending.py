"""The files on the page about extending errata work as they stand there: as another package, and as errata's own."""

from __future__ import annotations

import io
import re
import shlex
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import errata
from doc_examples import check_commands, check_snippets
from errata.cli import COMMANDS, main
from errata.formats import FORMATS, get_format
from errata.meta_eval.base import JUDGED_SETS, get_judged_set
from errata.metrics import METRICS, get_metric
from errata.pipeline.markup import READERS
from errata.pipeline.sentences import SentenceCorrector
from errata.systems.base import SYSTEMS, TokenCorrector, find_system
from errata.web.app import create_app
from errata.web.parts import PARTS
from errata.web.settings import Settings
from plugin_packages import install

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "extending.md"
SECTION = re.compile(r"^## Add a ([\w ]+)\n(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
MODULE = re.compile(r"in a file `(\w+)\.py`:\n\n```python\n(.*?)```", re.DOTALL)
ENTRY_POINTS = re.compile(r"```toml\n(.*?)```", re.DOTALL)
ONE_LINE = re.compile(r"one line in `\w+`: `(\"[^`]*\")`")

SECTIONS = dict(SECTION.findall(PAGE.read_text("utf-8")))


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages; the modules of the page are imported afresh."""
    monkeypatch.syspath_prepend(tmp_path)
    for module, _ in MODULE.findall(PAGE.read_text("utf-8")):
        monkeypatch.delitem(sys.modules, module, raising=False)
    return tmp_path


def install_section(kind: str, site: Path) -> None:
    """Install the package that a section of the page describes."""
    ((module, program),) = MODULE.findall(SECTIONS[kind])
    (table,) = ENTRY_POINTS.findall(SECTIONS[kind])
    for group, points in tomllib.loads(table)["project"]["entry-points"].items():
        install(site, module, group, "\n".join(f"{name} = {value}" for name, value in points.items()), program)


def test_the_examples_run(site: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    for kind in SECTIONS:
        install_section(kind, site)
    monkeypatch.chdir(ROOT)

    def run_command(command: str, given: str) -> str:
        monkeypatch.setattr(sys, "argv", ["errata", *shlex.split(command)])
        try:
            main()
        except SystemExit as stop:
            assert not stop.code, capfd.readouterr().err
        return capfd.readouterr().out

    def run_program(program: str) -> str:
        exec(compile(program, PAGE.name, "exec"), {"__name__": "__main__"})
        return capfd.readouterr().out

    check_commands(PAGE, run_command, "score", "convert", "share")
    check_snippets(PAGE, run_program)


def register(kind: str, registry: dict[str, str], site: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Put the one line of a section into errata's own dict; the name it registers."""
    ((module, program),) = MODULE.findall(SECTIONS[kind])
    (site / f"{module}.py").write_text(program, "utf-8")
    (line,) = ONE_LINE.findall(SECTIONS[kind])
    name, address = (part.strip().strip('"') for part in line.split(":", 1))
    package, _, member = address.partition(f".{module}:")
    assert (ROOT / "src" / package.replace(".", "/") / "__init__.py").is_file()
    monkeypatch.setitem(registry, name, f"{module}:{member.split()[0]}")
    return name


@pytest.mark.parametrize(
    ("kind", "registry", "find"),
    [("metric", METRICS, get_metric), ("format", FORMATS, get_format), ("judged set", JUDGED_SETS, get_judged_set)],
)
def test_one_line_is_enough(
    kind: str, registry: dict[str, str], find: Any, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = register(kind, registry, site, monkeypatch)
    assert find(name).name == name


def test_one_line_is_enough_for_a_system(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = register("system", SYSTEMS, site, monkeypatch)
    assert find_system(Path("mine"), {"system": name}).kind == name


def test_one_line_is_enough_for_a_verb(
    site: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    name = register("verb", COMMANDS, site, monkeypatch)
    monkeypatch.setattr(sys, "argv", ["errata", name, str(ROOT / "examples/scoring/new.m2"), "--json"])
    with pytest.raises(SystemExit) as stop:
        main()
    assert not stop.value.code and capfd.readouterr().out == "[2, 3]\n"


@pytest.mark.parametrize("is_installed", [True, False])
def test_a_page_is_served(site: Path, monkeypatch: pytest.MonkeyPatch, is_installed: bool) -> None:
    if is_installed:
        install_section("page", site)
    else:
        register("page", PARTS, site, monkeypatch)
    app = create_app(Settings(models={"en": "en"}), load=load_words)
    with TestClient(app, base_url="http://127.0.0.1") as client:
        assert "<li>en: words" in client.get("/about").text


def load_words(name: str) -> SentenceCorrector:
    class Words(TokenCorrector):
        kind, language, max_tokens = "words", "en", 100

        def propose(self, sentences: Any, *, progress: Any = None) -> Any:
            return [[] for _ in sentences]

    return SentenceCorrector(Words(), name="words")


@pytest.mark.parametrize("is_installed", [True, False])
def test_a_markup_is_read(site: Path, monkeypatch: pytest.MonkeyPatch, is_installed: bool) -> None:
    if is_installed:
        install_section("markup", site)
    else:
        register("markup", READERS, site, monkeypatch)
    assert errata.correct("> She go home.\nShe go home.\n", markup="mail").target == "> She go home.\nShe goes home.\n"


def test_a_format_of_another_package_is_found_by_suffix_and_content(site: Path) -> None:
    install_section("format", site)
    path = site / "new.csv"
    corpus = errata.Corpus("new", tuple(get_format("csv").parse(io.StringIO("source,target\nI go,I went\n"))))
    assert errata.write_corpus(corpus, path) == 1 and errata.read_corpus(path) == corpus
    path.rename(site / "new.unknown")
    assert errata.read_corpus(site / "new.unknown") == corpus


def test_hypotheses_may_be_in_a_format_of_another_package(
    site: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    install_section("format", site)
    (site / "hyp.csv").write_text("source,target\nI like cat .,I like cats .\n", "utf-8")
    (site / "gold.tsv").write_text("I like cat .\tI like cats .\n", "utf-8")
    arguments = ["--gold", site / "gold.tsv", "--hyp", site / "hyp.csv", "--hyp-format", "csv", "--json"]
    monkeypatch.setattr(sys, "argv", ["errata", "score", "--metric", "errant", *map(str, arguments)])
    with pytest.raises(SystemExit) as stop:
        main()
    assert not stop.value.code and '"value": 1.0' in capfd.readouterr().out
