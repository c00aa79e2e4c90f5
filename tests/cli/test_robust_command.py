"""`errata robust`: its files, its outputs, its gate."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from command_runs import Run

from errata.formats.files import read_lines
from errata.formats.robustgec import parse_samples
from errata.systems.installed import BUNDLED, bundled_models

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "robust"
CASES = [str(EXAMPLES / "learners.para"), str(EXAMPLES / "correct.para")]


def test_tables(run: Run) -> None:
    code, out, err = run("robust", *CASES, "--by", "action,type", "--by", "distance", "--bootstrap", 0)
    assert (code, err) == (0, "")
    assert "official (5 cases, 10 variants)" in out and "consistent (5 cases, 10 variants)" in out
    assert all(f"P-CRS by {name}" in out for name in ("action", "type", "distance"))
    assert "3 of 3 flips:" in out and "[go → went]" in out


def test_the_same_cases_twice_are_refused(run: Run) -> None:
    Path("copy.para").write_bytes(Path(CASES[0]).read_bytes())
    for again in (CASES[0], "copy.para"):
        code, out, err = run("robust", *CASES, again, "--bootstrap", 0)
        told = f"errata: {again} has the same cases as {CASES[0]}: give each file of cases once\n"
        assert (code, out, err) == (2, "", told)


def test_json_and_page(run: Run) -> None:
    code, out, _ = run("robust", *CASES, "--json", "--html", "page.html", "--definition", "consistent")
    told = json.loads(out)
    assert code == 0 and [one["name"] for one in told["subsets"]] == ["learners", "correct"]
    assert told["total"]["scores"]["consistent"]["p_crs"] == 0.7
    assert Path("page.html").read_text("utf-8").startswith("<!doctype html>")


def test_hypotheses_from_files(run: Run) -> None:
    targets = [[sample.target for case in parse_samples(read_lines(path)) for sample in case] for path in CASES]
    for name, lines in zip("ab", targets, strict=True):
        Path(f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    code, out, _ = run("robust", *CASES, "--hyp", "a.txt", "--hyp", "b.txt", "--json", "--bootstrap", 0)
    assert code == 0 and json.loads(out)["total"]["scores"]["official"]["crs"] == 1.0
    code, _, err = run("robust", *CASES, "--hyp", "a.txt")
    assert code == 2 and "2 files of cases and 1 --hyp: give one for each" in err
    code, _, err = run("robust", *CASES, "--hyp", "b.txt", "--hyp", "a.txt")
    assert code == 1 and "b.txt has 6 lines" in err and "the first without one is O of case 3" in err


@pytest.mark.parametrize(
    ("floor", "definition", "code"),
    [(0, "both", 0), (40, "both", 0), (41, "both", 1), (41, "consistent", 1), (100, "official", 1)],
)
def test_the_gate(run: Run, floor: float, definition: str, code: int) -> None:
    found, out, err = run("robust", *CASES, "--min-crs", floor, "--definition", definition, "--bootstrap", 0)
    assert found == code and out
    name = "official" if definition == "both" else definition
    assert (f"CRS ({name}) is 40.00, below --min-crs {floor:g}" in err) == bool(code)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--model", "en-small", "--hyp", "x"], "--model makes hypotheses and --hyp has them"),
        (["--vote", "3"], "--vote asks a model several times: name it with --model"),
        (["--average", "3"], "--average asks a model several times: name it with --model"),
        (["--average", "3", "--vote", "3"], "two ways to use variants: leave one of them out"),
        (["--by", "colour"], "unknown grouping 'colour'"),
        (["--definition", "own"], "unknown definition 'own'"),
        (["--by", "frequency"], "frequency needs a file"),
        (["--min-crs", "101"], "--min-crs"),
    ],
)
def test_usage(run: Run, arguments: list[str], message: str) -> None:
    code, out, err = run("robust", CASES[0], *arguments)
    assert (code, out) == (2, "") and message in err and err.count("\n") == 1


def test_cases_without_predictions(run: Run) -> None:
    text = "".join(one for one in read_lines(CASES[0]) if "-P " not in one)
    Path("bare.para").write_text(text, encoding="utf-8")
    code, _, err = run("robust", "bare.para")
    assert code == 2 and "the cases have no predictions (O-P, A1-P …): give hypotheses, or a model" in err


def test_an_unknown_model_is_named(run: Run) -> None:
    code, _, err = run("robust", CASES[0], "--model", "no-such-model")
    assert code == 1 and "the name was given as --model" in err


def test_faults_name_lenient(run: Run) -> None:
    text = Path(CASES[0]).read_text("utf-8").replace("A2-T I like playing chess .\n", "")
    Path("mine.para").write_text(text, encoding="utf-8")
    code, _, err = run("robust", "mine.para")
    assert code == 1 and err.startswith(
        "errata: mine.para:7: case 1: A2 has no target (A2-T); --lenient scores the rest"
    )
    code, out, err = run("robust", "mine.para", "--lenient", "--bootstrap", 0)
    assert code == 0 and "official (3 cases, 5 variants)" in out
    assert "errata: warning: mine.para:7: case 1: A2 has no target" in err


@pytest.mark.skipif(bundled_models() != BUNDLED, reason="the bundled models are not here")
def test_a_model_is_run(run: Run) -> None:
    code, out, _ = run("robust", CASES[0], "--model", "en-small", "--json", "--bootstrap", 0)
    told = json.loads(out)
    assert code == 0 and told["hypothesis"] == "en-small"
    assert told["total"]["scores"]["official"]["original"]["tp"] >= 2
    code, out, _ = run("robust", CASES[0], "--model", "en-small", "--vote", 2, "--json", "--bootstrap", 0)
    assert code == 0 and json.loads(out)["total"]["n_cases"] == 3
    code, out, _ = run("robust", CASES[0], "--model", "en-small", "--average", 2, "--json", "--bootstrap", 0)
    assert code == 0 and json.loads(out)["hypothesis"] == "averaging(en-small) (2 variants)"
    options = ("--preset", "eager", "--no-rules", "--keep-bias", "0.1")
    _, out, _ = run("robust", CASES[0], "--model", "en-small", *options, "--json", "--bootstrap", 0)
    assert json.loads(out)["hypothesis"] == "en-small (preset eager, keep bias 0.1, no rules)"
    code, _, err = run("robust", CASES[0], "--model", "zh-small")
    assert code == 2 and "zh-small corrects zh, the cases are en" in err


def test_tables_fit_a_screen_of_80_columns() -> None:
    """No line of a table is cut or wrapped; on a terminal the flips are as long as they are."""
    parent, child = pty.openpty()
    line = [sys.executable, "-m", "errata", "robust", *CASES, "--flips", "0", "--by", "action", "--bootstrap", "20"]
    environment = os.environ | {"COLUMNS": "80", "TERM": "dumb"}
    process = subprocess.Popen(line, stdout=child, stderr=subprocess.DEVNULL, env=environment)
    os.close(child)
    shown = b""
    try:
        while part := os.read(parent, 1 << 16):
            shown += part
    except OSError:  # the end, on Linux
        pass
    assert process.wait() == 0
    os.close(parent)
    lines = shown.decode().splitlines()
    tables = [one for one in lines if "|" not in one]
    assert any("total" in one for one in tables) and max(map(len, tables)) <= 80
