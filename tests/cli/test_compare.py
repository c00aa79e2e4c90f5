"""`errata compare`: both scores, the tests, and the edits that differ."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from scoring_files import Shell, write_files

ARGUMENTS = ("--metric", "errant", "--m2", "gold.m2", "--bootstrap", "100")


@pytest.fixture
def errata(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Shell:
    monkeypatch.chdir(write_files(tmp_path))
    return Shell(monkeypatch, capfd)


def test_json(errata: Shell) -> None:
    code, out, err = errata("compare", *ARGUMENTS, "--hyp", "bad.m2", "--hyp", "good.m2", "--json")
    assert (code, err) == (0, "")
    told = json.loads(out)
    (comparison,) = told["comparisons"]
    assert comparison["first"]["hypothesis"] == "bad.m2"
    assert comparison["second"]["value"] == 1.0
    assert comparison["difference"] == comparison["second"]["value"] - comparison["first"]["value"]
    assert [test["method"] for test in comparison["tests"]] == ["paired-bootstrap", "approximate-randomisation"]
    assert all(0 < test["p_value"] <= 1 and test["seed"] == 12345 for test in comparison["tests"])
    assert [one["sentence"] for one in told["edits"]] == [1, 3]
    assert told["edits"][0]["second"] == [
        {"start": 1, "end": 2, "replacement": "is", "type": "R:VERB:SVA", "right": True}
    ]
    assert told["edits"][1]["first"][0]["right"] is False


def test_table(errata: Shell) -> None:
    code, out, _ = errata("compare", *ARGUMENTS, "--hyp", "bad.m2", "--hyp", "good.m2")
    assert code == 0
    assert "paired-bootstrap" in out and "approximate-randomisation" in out
    assert "only in bad.m2: 0 right, 2 wrong" in out
    assert "only in good.m2: 1 right, 0 wrong" in out
    assert "2 right  1:2 [are → is] R:VERB:SVA" in out
    assert "1 wrong  0:1 [All → Everything] R:OTHER" in out


def test_a_system_compared_with_itself(errata: Shell) -> None:
    code, out, _ = errata("compare", *ARGUMENTS, "--hyp", "good.m2", "--hyp", "good.m2")
    assert code == 0
    assert "1.0000" in out and "0 of 0 sentences that differ" in out


def test_metrics_over_texts_show_edits_too(errata: Shell) -> None:
    files = ("--m2", "gold.m2", "--hyp", "bad.m2", "--hyp", "good.m2")
    code, out, _ = errata("compare", "-m", "exact-match", *files, "--bootstrap", "20", "--json")
    assert code == 0
    assert [one["sentence"] for one in json.loads(out)["edits"]] == [1, 3]


@pytest.mark.parametrize("hypotheses", [[], ["good.m2"]])
def test_two_hypotheses_are_needed(errata: Shell, hypotheses: list[str]) -> None:
    code, out, err = errata("compare", *ARGUMENTS, *(part for name in hypotheses for part in ("--hyp", name)))
    assert (code, out) == (2, "")
    assert err == f"errata: compare takes two --hyp or more, not {len(hypotheses)}\n"


THREE = ("--hyp", "bad.m2", "--hyp", "good.m2", "--hyp", "under_score.m2")


@pytest.fixture
def three(tmp_path: Path, errata: Shell) -> Shell:
    (tmp_path / "under_score.m2").write_text((tmp_path / "good.m2").read_text("utf-8"), encoding="utf-8")
    return errata


def test_json_of_three(three: Shell) -> None:
    code, out, err = three("compare", *ARGUMENTS, *THREE, "--json")
    assert (code, err) == (0, "")
    told = json.loads(out)
    (comparison,) = told["comparisons"]
    assert [one["hypothesis"] for one in comparison["systems"]] == ["bad.m2", "good.m2", "under_score.m2"]
    assert (comparison["correction"], comparison["alpha"], told["edits"]) == ("holm", 0.05, [])
    for pairwise in comparison["pairwise"]:
        names = [(one["first"], one["second"]) for one in pairwise["pairs"]]
        assert names == [("bad.m2", "good.m2"), ("bad.m2", "under_score.m2"), ("good.m2", "under_score.m2")]
        assert all(one["adjusted_p_value"] >= one["p_value"] for one in pairwise["pairs"])
        assert pairwise["pairs"][2]["p_value"] == 1
        assert [one["hypothesis"] for one in pairwise["ranking"]] == ["good.m2", "under_score.m2", "bad.m2"]


def test_two_of_three_are_tested_as_two_alone(three: Shell) -> None:
    alone = json.loads(three("compare", *ARGUMENTS, "--hyp", "bad.m2", "--hyp", "good.m2", "--json")[1])
    several = json.loads(three("compare", *ARGUMENTS, *THREE, "--json")[1])
    for place, test in enumerate(alone["comparisons"][0]["tests"]):
        pair = several["comparisons"][0]["pairwise"][place]["pairs"][0]
        assert {key: pair[key] for key in test} == test


def test_table_of_three(three: Shell) -> None:
    code, out, _ = three("compare", *ARGUMENTS, *THREE, "--alpha", "0.9")
    assert code == 0
    assert "groups by paired-bootstrap, Holm correction, * p < 0.9" in out
    assert "approximate-randomisation, Holm correction, * p < 0.9: p above the diagonal, row − column below" in out
    assert "only in" not in out


def test_one_test_can_be_chosen(three: Shell) -> None:
    code, out, _ = three("compare", *ARGUMENTS, *THREE, "--test", "randomisation", "--correction", "bh")
    assert code == 0
    assert "groups by approximate-randomisation, Benjamini-Hochberg correction" in out and "bootstrap," not in out


def test_markdown(three: Shell) -> None:
    code, out, _ = three("compare", *ARGUMENTS, *THREE, "--format", "markdown")
    assert code == 0
    lines = out.splitlines()
    assert "| hypothesis | Precision | Recall | F0.5 | TP | FP | FN | 95 % interval | rank | groups |" in lines
    assert "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |" in lines
    assert sum(line.startswith("    errant|F0.5|") for line in lines) == 3
    tables = [line for line in lines if line.startswith("|")]
    assert all(line.count(" | ") == tables[0].count(" | ") for line in tables[:5])


def test_csv(three: Shell) -> None:
    code, out, _ = three("compare", *ARGUMENTS, *THREE, "--format", "csv")
    assert code == 0
    head, *rows = csv.reader(out.splitlines())
    assert head == ["table", "row", "column", "value"] and {len(row) for row in rows} == {4}
    markdown = three("compare", *ARGUMENTS, *THREE, "--format", "markdown")[1]
    assert all(row[3].replace("|", "\\|").replace("*", "\\*") in markdown for row in rows)
    assert [row[2] for row in rows[:3]] == ["Precision", "Recall", "F0.5"]


def test_latex(three: Shell) -> None:
    code, out, _ = three("compare", *ARGUMENTS, *THREE, "--format", "latex")
    assert code == 0
    assert r"\begin{tabular}{lrrrrrrrrl}" in out and r"95 \% interval" in out
    assert r"under\_score.m2 & 100.00 & 100.00" in out
    assert sum(line.startswith("% errant|F0.5|") for line in out.splitlines()) == 3
    rows = [line for line in out.splitlines() if line.endswith(r"\\")]
    assert {line.count(" & ") for line in rows} == {9, 3}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "word"], "unknown format of the comparison 'word'"),
        (["--format", "latex", "--json"], "--json and --format latex exclude each other"),
        (
            ["--edits", "3"],
            "--edits shows by which edits two hypotheses differ, as text or JSON; --hyp is given 3 times",
        ),
        (["--correction", "bonferroni"], "unknown correction 'bonferroni'"),
        (["--test", "t"], "unknown test 't'"),
        (["--alpha", "1"], "the level of significance is between 0 and 1, not 1"),
    ],
)
def test_senseless_options(three: Shell, arguments: list[str], message: str) -> None:
    code, out, err = three("compare", *ARGUMENTS, *THREE, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"errata: {message}") and err.count("\n") == 1


@pytest.mark.parametrize("metric", ["gleu", "green", "cleme", "cleme2", "gotoscorer", "exact-match"])
def test_every_metric_compares_three(three: Shell, metric: str) -> None:
    files = ("--src", "src.txt", "--ref", "ref0.txt", "--hyp", "src.txt", "--hyp", "hyp.txt", "--hyp", "ref1.txt")
    code, out, _ = three("compare", "-m", metric, *files, "--bootstrap", "20", "--json")
    assert code == 0
    (comparison,) = json.loads(out)["comparisons"]
    assert comparison["pairwise"][0]["ranking"][0]["hypothesis"] == "hyp.txt"


def test_too_few_resamples_get_a_warning(three: Shell) -> None:
    code, _, err = three("compare", *ARGUMENTS[:-1], "20", *THREE)
    assert code == 0
    assert err == "errata: warning: 20 resamples are too few for any p below 0.05 after correction: try 1000\n"


def test_without_resamples_nothing_is_compared(three: Shell) -> None:
    code, out, err = three("compare", *ARGUMENTS[:-1], "0", *THREE)
    assert (code, out) == (2, "")
    assert err == "errata: bootstrap is the number of resamples, at least 1, not 0\n"
