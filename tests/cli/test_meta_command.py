"""`errata meta`: tables, JSON, the page, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_runs import Run
from tests.meta_eval.judged_files import M2, write_gjg15

GJG15 = ("meta", "--data", "gjg15", "--root", "set", "--runs", "5")


@pytest.fixture
def files(run: Run, tmp_path: Path) -> Run:
    """The command, in a folder with a small judged set, a corpus and a file of scores."""
    write_gjg15(tmp_path / "set")
    (tmp_path / "gold.m2").write_text(M2, encoding="utf-8")
    (tmp_path / "scores.tsv").write_text("GOOD\t4\nHALF\t3\nINPUT\t2\nWORSE\t1\n", encoding="utf-8")
    return run


def test_tables(files: Run) -> None:
    status, out, err = files(*GJG15, "-m", "maxmatch", "--scores", "scores.tsv", "--rankings", "--tests")
    assert (status, err) == (0, "")
    assert out.startswith("gjg15: 4 sentences, 4 systems, 18 pairs (5 tied)\n")
    assert "│ maxmatch   │" in out and "│ scores.tsv │" in out and "Williams' tests" in out
    assert "meta|gjg15|v:0.1.0|ties:wrong|runs:5|seed:12345|digest:" in out
    assert "maxmatch: maxmatch|F0.5|" in out and "people's ranking" in out


def test_json_and_page(files: Run, tmp_path: Path) -> None:
    status, out, _ = files(
        *GJG15, "-m", "gleu:variant=official,iterations=3", "-m", "gleu", "--json", "--html", "p.html"
    )
    told = json.loads(out)
    assert status == 0 and [one["metric"] for one in told["metrics"]] == ["gleu:variant=official,iterations=3", "gleu"]
    assert "variant:official|iterations:3" in told["metrics"][0]["signature"]
    assert (tmp_path / "p.html").read_text("utf-8").startswith("<!doctype html>")


def test_judged_systems_say_what_is_difficult(files: Run) -> None:
    status, out, _ = files(*GJG15, "-m", "gotoscorer", "--json")
    (metric,) = json.loads(out)["metrics"]
    assert status == 0 and "|systems:4|outputs:" in metric["signature"]
    assert metric["scores"]["gjg15"]["GOOD"] > metric["scores"]["gjg15"]["HALF"]


def test_edits_may_be_weighed(files: Run) -> None:
    status, out, _ = files(
        *GJG15, "-m", "pt-m2:model=en-small,average=sentences", "-m", "pt-errant:model=en-small", "--json"
    )
    told = json.loads(out)["metrics"]
    assert status == 0 and all("|encoder:en-small|layer:6|" in one["signature"] for one in told)
    assert all(one["scores"]["gjg15"]["GOOD"] > one["scores"]["gjg15"]["WORSE"] for one in told)


def test_any_corpus_will_do_for_maege(files: Run) -> None:
    status, out, _ = files("meta", "--data", "maege", "--root", "gold.m2", "-m", "maxmatch", "--sentences", "3")
    assert status == 0 and "chain τ" in out and "share r" in out


def test_a_corpus_with_fewer_sentences_than_asked_for_is_told(files: Run) -> None:
    maege = ("meta", "--data", "maege", "--root", "gold.m2", "-m", "maxmatch")
    status, out, err = files(*maege, "--sentences", "5")
    assert (status, err) == (0, "errata: warning: gold.m2: there are 4 sentences, not 5: all are taken\n")
    assert files(*maege, "--sentences", "4") == (0, out, "")


def test_an_option_may_be_repeated_with_the_same_value(files: Run) -> None:
    status, out, _ = files(*GJG15, "-m", "gleu:order=2,order=2")
    assert status == 0 and "gleu|2-gram|" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "errata: no metric: give --metric NAME (errant, "),
        (("-m", "gleus"), "errata: unknown metric 'gleus'; did you mean 'gleu'?"),
        (("-m", "gleu:official"), "errata: --metric gleu:official: options are written name:option=value"),
        (("-m", "gleu:order=2,order=3"), "errata: --metric gleu:order=2,order=3: order has two values, 2 and 3"),
        (("-m", "gleu:variety=official"), "errata: --variety means nothing to gleu; did you mean variant?"),
        (("-m", "gleu", "--ties", "won"), "errata: unknown rule for ties 'won'"),
        (("-m", "gleu", "--systems", "base"), "errata: unknown group of systems 'base'"),
        (("-m", "gleu", "--sentences", "2"), "errata: people judged the sentences of gjg15"),
        (("-m", "gleu", "--runs", "0"), "errata: runs is the number of resamples, at least 1, not 0"),
        (("-m", "gleu", "--missing", "x"), "errata: unknown word for missing annotators 'x'"),
        (("-m", "cherrant"), "errata: set/official-2014.combined.m2 is English, cherrant is for Chinese"),
    ],
)
def test_wrong_usage_is_one_line(arguments: tuple[str, ...], message: str, files: Run) -> None:
    status, out, err = files(*GJG15, *arguments)
    assert (status, out) == (2, "") and err.startswith(message) and err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--data", "gjg15", "--root", "."), "has no judgements: looked for judgments.xml"),
        (("--data", "maege", "--root", "set"), "set is no file: maege works on a corpus"),
        (("--data", "gmeg", "--root", "set"), "set has no ratings"),
        (("--data", "cltc", "--root", "set"), "set has no candidates with values"),
    ],
)
def test_missing_files_are_one_line(arguments: tuple[str, ...], message: str, files: Run) -> None:
    status, _, err = files("meta", *arguments, "-m", "gleu")
    assert status == 1 and message in err and err.count("\n") == 1
