"""`errata crawl`: its options, its words, and its way into the workbench."""

from __future__ import annotations

import builtins
import json
from pathlib import Path
from typing import Any

import pytest
from command_runs import Run, as_written

from doc_examples import check_commands
from errata.crawl.reasons import REASONS
from errata.web.accounts.people import add_person
from errata.web.database import open_database, writing

ROOT = Path(__file__).resolve().parents[2]
PAGES = str(ROOT / "examples" / "crawl")


def test_the_examples_of_the_page(run: Run, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    check_commands(ROOT / "docs" / "commands" / "crawl.md", as_written(run), "crawl")


def test_every_reason_is_on_the_page() -> None:
    page = (ROOT / "docs" / "crawl.md").read_text("utf-8")
    missing = [reason for reasons in REASONS.values() for reason in reasons if f"`{reason}`" not in page]
    assert not missing


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "give WARC, WET or HTML files to read, or a list of them with --paths"),
        (["nowhere.warc.gz"], 2, "nowhere.warc.gz: there is no such file or folder"),
        (["*.warc.gz"], 2, "*.warc.gz: there is no WARC, WET or HTML file"),
        (["empty"], 2, "empty: there is no WARC, WET or HTML file"),
        ([PAGES, "--lang", "fr"], 2, "unknown language 'fr'"),
        ([PAGES, "--extractor", "justxt"], 2, "unknown extractor 'justxt'; did you mean 'justext'?"),
        ([PAGES, "--lang", "zh", "--extractor", "justext"], 2, "choose trafilatura or resiliparse for Chinese"),
        ([PAGES, "--domains", "all"], 2, "unknown domains 'all'"),
        ([PAGES, "--write", "words"], 2, "unknown output 'words'"),
        ([PAGES, "--mask", "mail"], 2, "unknown mask 'mail'; did you mean 'email'?"),
        ([PAGES, "--max-page", "big"], 2, "--max-page big: give a size such as 500K or 5M"),
        ([PAGES, "--max-page", "0"], 2, "--max-page 0: give a size"),
        ([PAGES, "--sample", "0"], 2, "--sample is 0: give a whole number, 1 or more"),
        ([PAGES, "--share", "2"], 2, "--share is 2: give a number from 0 to 1"),
        ([PAGES, "--share", "nan"], 2, "--share is nan: give a number"),
        ([PAGES, "--engine", "spark"], 2, "unknown engine 'spark'"),
        ([PAGES, "--engine", "slurm"], 2, "--engine slurm needs --slurm-partition"),
        ([PAGES, "--engine", "ray", "--ray-address", "127.0.0.1:9"], 1, "no Ray cluster answers at 127.0.0.1:9"),
        (["http://127.0.0.1:9/b.warc.gz"], 1, "b.warc.gz cannot be opened: there is nothing at this address, or its"),
        (["nosuch://a/b.warc.gz"], 1, "nosuch://a/b.warc.gz cannot be opened"),
        (["--paths", "list.txt", "--base", "nosuch://"], 1, "nosuch://a.warc.gz cannot be opened"),
    ],
)
def test_bad_input_is_one_line(run: Run, tmp_path: Path, arguments: list[str], code: int, message: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "list.txt").write_text("a.warc.gz\n")
    found, out, err = run("crawl", *arguments, "-o", "corpus")
    assert (found, out) == (code, "") and message in err
    assert err.startswith("errata: ") and err.count("\n") == 1


def test_a_file_is_no_folder_for_a_corpus(run: Run, tmp_path: Path) -> None:
    (tmp_path / "corpus").write_text("mine\n")
    code, out, err = run("crawl", PAGES, "-o", "corpus")
    assert (code, out, err) == (2, "", "errata: corpus is a file: give -o a folder\n")
    assert (tmp_path / "corpus").read_text() == "mine\n"


@pytest.mark.parametrize("package", ["justext", "trafilatura", "resiliparse.extract.html2text"])
def test_a_missing_package_is_told(run: Run, monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    _hide(monkeypatch, package.split(".")[0])
    name = package.split(".")[0]
    code, _, err = run("crawl", PAGES, "-o", "corpus", "--extractor", name)
    assert code == 2 and err.endswith("is not installed; run: pip install 'errata[crawl]'\n")


def test_ray_that_is_missing_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    _hide(monkeypatch, "ray")
    code, _, err = run("crawl", PAGES, "-o", "corpus", "--engine", "ray")
    assert (code, err) == (2, "errata: ray is not installed; run: pip install 'errata[ray]'\n")


def _hide(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    """Have the import of a package fail as if it were not installed."""
    real = builtins.__import__

    def find(name: str, *rest: Any, **more: Any) -> Any:
        if name.split(".")[0] == package:
            raise ModuleNotFoundError(f"No module named {package!r}", name=package)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", find)


def test_the_report_for_machines(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("crawl", PAGES, "-o", "corpus", "--json")
    assert code == 0 and json.loads(out) == json.loads((tmp_path / "corpus" / "report.json").read_text("utf-8"))
    code, again, err = run("crawl", PAGES, "-o", "corpus", "--json")
    assert (code, again) == (0, out) and "complete already" in err


def test_a_list_of_paths(run: Run, tmp_path: Path) -> None:
    (tmp_path / "paths").write_text("/garden.html\n\n/market.html\n")
    code, out, _ = run("crawl", "--paths", "paths", "--base", PAGES, "-o", "corpus")
    assert code == 0 and out.startswith("records: 2 read, 2 kept\n")


def test_an_address_of_fsspec(run: Run) -> None:
    code, out, _ = run("crawl", f"file://{PAGES}/*.html", "-o", "corpus")
    assert code == 0 and out.startswith("records: 2 read, 2 kept\n")


def test_a_name_that_is_no_utf8(run: Run, tmp_path: Path) -> None:
    name = b"caf\xe9.html".decode("utf-8", "surrogateescape")
    (tmp_path / name).write_bytes((Path(PAGES) / "garden.html").read_bytes())
    code, _, _ = run("crawl", name, "-o", "corpus")
    assert code == 0
    assert json.loads((tmp_path / "corpus/local.provenance.jsonl").read_text("utf-8").splitlines()[0])["file"] == (
        "caf\\xe9.html"
    )


def test_paragraphs_go_into_the_workbench(run: Run, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    engine = open_database(f"sqlite:///{tmp_path / 'data' / 'server.db'}")
    with writing(engine) as connection:
        add_person(connection, "owner-1", "!", 1.0, is_owner=True)
    engine.dispose()
    assert run("crawl", PAGES, "-o", "corpus", "--write", "paragraphs")[0] == 0
    new = ("annotate", "new", "Web", "--kind", "minimal", "--language", "en", "--import", "corpus/local.jsonl")
    code, out, err = run(*new, "--data", "data", "--json")
    assert code == 0, err
    assert json.loads(out)["files"] == [
        {"file": "local.jsonl", "format": "jsonl", "n_items": 9, "n_known": 0, "n_passages": 3}
    ]
