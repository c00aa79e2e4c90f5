"""`--set NAME` of `errata score` and `errata compare`: the gold of a public test set, found in a folder."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import cast

import pytest
from scoring_files import GOLD_M2, Shell, write_files

from errata.datasets.catalogue import NamedSet, SetFile, read_catalogue, scored_sets

DIGEST = hashlib.sha256(GOLD_M2.encode()).hexdigest()
# The sets of the catalogue cannot be published, so these tests add one of their own.
OWN = NamedSet(
    *("own", "our gold", "en", "bea19", "m2", 3, "https://example.org", "free"),
    files=(SetFile("published.m2", len(GOLD_M2.encode()), DIGEST),),
)


@pytest.fixture
def errata(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Shell:
    monkeypatch.chdir(write_files(tmp_path))
    monkeypatch.setitem(cast(dict[str, NamedSet], read_catalogue()), "own", OWN)
    monkeypatch.delenv("ERRATA_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    return Shell(monkeypatch, capfd)


def test_a_set_brings_gold_and_metric(errata: Shell) -> None:
    code, out, _ = errata("score", "--set", "own", "--data-dir", ".", "--hyp", "good.m2", "--json")
    named = json.loads(out)[0]
    assert code == 0
    assert named["metric"] == "errant"
    assert named["signature"].endswith(f"|set:own-{DIGEST[:8]}")
    usual = json.loads(errata("score", "-m", "errant", "--m2", "gold.m2", "--hyp", "good.m2", "--json")[1])[0]
    assert named["value"] == usual["value"]
    assert named["signature"].startswith(usual["signature"])


def test_the_folder_may_be_in_the_environment(errata: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ERRATA_DATA", ".")
    assert errata("score", "--set", "own", "--hyp", "good.m2")[0] == 0


def test_what_was_got_is_found(errata: Shell, tmp_path: Path) -> None:
    assert errata("data", "get", "own", "--from", ".")[0] == 0
    assert (tmp_path / "home" / "errata" / "data" / "own" / "published.m2").read_text("utf-8") == GOLD_M2
    assert errata("score", "--set", "own", "--hyp", "good.m2")[0] == 0


def test_options_of_metrics_go_with_a_set(errata: Shell) -> None:
    arguments = ("--set", "own", "--set", "order=2", "-m", "gleu", "--data-dir", ".", "--hyp", "hyp.txt", "--json")
    code, out, _ = errata("score", *arguments)
    assert code == 0
    assert json.loads(out)[0]["signature"].startswith("gleu|2-gram|")


def test_compare_knows_sets(errata: Shell) -> None:
    files = ("--hyp", "bad.m2", "--hyp", "good.m2")
    code, out, _ = errata("compare", "--set", "own", "--data-dir", ".", *files, "--bootstrap", "20", "--json")
    assert code == 0
    assert f"|set:own-{DIGEST[:8]}|" in json.loads(out)["comparisons"][0]["second"]["signature"]


def test_compare_lists_sets_or_compares(errata: Shell) -> None:
    files = ("--hyp", "bad.m2", "--hyp", "good.m2")
    code, out, err = errata("compare", "--set", "list", "-m", "errant", *files)
    assert (code, out) == (2, "") and err.endswith(": leave out --hyp, --metric\n")


@pytest.mark.parametrize("verb", ["score", "compare"])
def test_list(verb: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    shell = Shell(monkeypatch, capfd)
    code, out, err = shell(verb, "--set", "list")
    assert (code, err) == (0, "")
    assert all(name in out for name in scored_sets())
    told = json.loads(shell(verb, "--set", "list", "--json")[1])
    assert [one["name"] for one in told] == list(scored_sets())
    assert told[0]["files"][0]["sha256"].startswith("07771f46")


FOLDER = ("--data-dir", ".")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--set", "owm", *FOLDER), 2, "unknown test set 'owm'; did you mean 'own'?"),
        (("--set", "own"), 2, "a named test set is looked for in a folder: give --data-dir, or set ERRATA_DATA"),
        (("--set", "own", "--data-dir", "nowhere"), 1, "nowhere is no folder: --data-dir names"),
        (("--set", "own", "--set", "other", *FOLDER), 2, "--set names several test sets, own and other: score one"),
        (("--set", "own", "--m2", "gold.m2", *FOLDER), 2, "--set own is the gold: leave out --gold, --m2, --src and"),
        (("--set", "list"), 2, "--set list shows the test sets and scores nothing: leave out --hyp"),
        (("--set", "list", "--set", "beta=1", "-m", "errant"), 2, "--set list shows the test sets and scores nothing"),
        (("-m", "errant", "--m2", "gold.m2", *FOLDER), 2, "--data-dir is where a named test set is looked for"),
    ],
)
def test_mistakes_get_one_line(errata: Shell, arguments: tuple[str, ...], code: int, message: str) -> None:
    found, out, err = errata("score", *arguments, "--hyp", "good.m2")
    assert (found, out) == (code, "")
    assert err.startswith(f"errata: {message}") and err.count("\n") == 1
