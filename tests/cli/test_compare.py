"""`errata compare`: both scores, the tests, and the edits that differ."""

from __future__ import annotations

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


@pytest.mark.parametrize("hypotheses", [[], ["good.m2"], ["good.m2"] * 3])
def test_two_hypotheses(errata: Shell, hypotheses: list[str]) -> None:
    code, out, err = errata("compare", *ARGUMENTS, *(part for name in hypotheses for part in ("--hyp", name)))
    assert (code, out) == (2, "")
    assert err == f"errata: compare takes exactly two --hyp, not {len(hypotheses)}\n"
