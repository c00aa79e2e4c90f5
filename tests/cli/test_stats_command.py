"""`errata stats`: tables, formats, the page, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_runs import Run

ROOT = Path(__file__).resolve().parents[2]
GOLD = ROOT / "examples/scoring/gold.m2"
FCGEC = ROOT / "examples/formats/fcgec.json"


def test_corpora_stand_side_by_side(run: Run) -> None:
    code, out, err = run("stats", f"one={GOLD}", f"two={FCGEC}")
    assert (code, err) == (0, "")
    assert "errors per 10,000 tokens, ERRANT's types" in out and "operations, each alternative counted" in out
    assert out.count("│ one ") >= 3 and out.count("│ two ") >= 3


def test_json_has_all_figures(run: Run) -> None:
    code, out, _ = run("stats", GOLD, "--json")
    told = json.loads(out)
    assert code == 0 and told["kind"] == "stats"
    [figures] = told["corpora"]
    assert (figures["name"], figures["n_sentences"], figures["kappa"]) == ("gold", 3, 1.0)
    assert figures["signature"].startswith("stats|v:")


@pytest.mark.parametrize(
    ("format", "begins"),
    [("markdown", "size and variety\n\n| corpus"), ("latex", "% size"), ("csv", "table,row,column")],
)
def test_formats_for_papers(run: Run, format: str, begins: str) -> None:
    code, out, _ = run("stats", GOLD, "--format", format)
    assert code == 0 and out.startswith(begins)


def test_a_page_stands_alone(run: Run, tmp_path: Path) -> None:
    code, _, _ = run("stats", GOLD, FCGEC, "--report", "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert code == 0 and "<h2>Corpora</h2>" in page
    assert "src=" not in page and "http" not in page.replace("http-equiv", "")


def test_a_source_with_its_references(run: Run, tmp_path: Path) -> None:
    (tmp_path / "src").write_text("I like cat .\nAll is well .\n", encoding="utf-8")
    (tmp_path / "ref").write_text("I like cats .\nAll is well .\n", encoding="utf-8")
    code, out, _ = run("stats", "own=src,ref", "--extract", "--json")
    [figures] = json.loads(out)["corpora"]
    assert code == 0 and (figures["name"], figures["n_edits"], figures["types"]) == ("own", 1, {"R:NOUN:NUM": 1})


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((), 2, "no corpus"),
        (("nothing.m2",), 1, "nothing.m2"),
        (("--set", "conll99"), 2, "conll99"),
        ((GOLD, "--format", "word"), 2, "unknown format 'word'"),
        ((GOLD, "--json", "--format", "csv"), 2, "exclude each other"),
        ((GOLD, "--data-dir", "x"), 2, "--set NAME"),
        ((GOLD, "--report", "no/where.html"), 2, "there is no folder"),
    ],
)
def test_what_is_refused(run: Run, arguments: tuple[object, ...], code: int, said: str) -> None:
    found, out, err = run("stats", *map(str, arguments))
    assert (found, out) == (code, "") and said in err and err.count("\n") == 1
