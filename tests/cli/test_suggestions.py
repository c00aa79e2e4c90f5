"""Whoever misspells a command, a metric or a value is told what it may have been."""

from __future__ import annotations

import sys

import pytest

from errata.cli import main
from errata.cli.suggestions import suggest_value
from errata.errors import UnknownName, find_nearest

SCORE = ("score", "--m2", "gold.m2", "--hyp", "hyp.txt")
MISSPELT = {
    "command": (("scroe",), "errata: no command 'scroe'; did you mean score?\n"),
    "nothing like it": (("xyzzy",), "errata: no command 'xyzzy'; errata -h lists them\n"),
    "capitals": (("Compare",), "errata: no command 'Compare'; did you mean compare?\n"),
    "metric": ((*SCORE, "-m", "erant"), "unknown metric 'erant'; did you mean 'errant'?"),
    "metric in capitals": ((*SCORE, "-m", "GLUE"), "unknown metric 'GLUE'; did you mean 'gleu'?"),
    "profile": ((*SCORE, "--profile", "conll-14"), "did you mean 'conll14'?"),
    "setting": ((*SCORE, "-m", "errant", "--set", "bata=1"), "did you mean beta?"),
    "grouping": ((*SCORE, "-m", "errant", "--group-by", "eror-type"), "did you mean 'error-type'?"),
    "mode": ((*SCORE, "-m", "gleu", "--set", "variant=oficial"), "did you mean 'official'?"),
    "format to read": (("convert", "a.m2", "-", "--from", "m2scoer", "--to", "m2"), "did you mean 'm2scorer'?"),
    "format of pseudo errors": (("synth", "corrupt", "a", "-m", "b", "--format", "jsnl"), "did you mean 'jsonl'?"),
    "subcommand": (("synth", "lern"), "Did you mean 'learn'?"),
    "value that Typer checks": (("correct", "--format", "jsn"), "did you mean 'json'?"),
    "flag of a drop-in": (("errant-m2", "a", "-gold", "-merge", "rulez", "-out", "b"), "did you mean 'rules'?"),
    "program of a drop-in": (("cherrant", "parralel"), "did you mean 'parallel'?"),
    "option": ((*SCORE, "--mertic", "errant"), "--metric"),
}


@pytest.mark.parametrize(("arguments", "message"), MISSPELT.values(), ids=MISSPELT)
def test_did_you_mean(
    arguments: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["errata", *arguments])
    monkeypatch.setenv("TERMINAL_WIDTH", "200")
    with pytest.raises(SystemExit) as stopped:
        main()
    out, err = capsys.readouterr()
    assert (stopped.value.code, out) == (2, "")
    assert message in err


def test_what_is_known_is_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["errata", "--version"])
    with pytest.raises(SystemExit):
        main()
    assert capsys.readouterr().out.startswith("errata ")


@pytest.mark.parametrize(
    ("name", "near"), [("scroe", "score"), ("SCORE", "score"), ("compair", "compare"), ("zzz", None), ("", None)]
)
def test_nearest(name: str, near: str | None) -> None:
    assert find_nearest(name, ("score", "compare", "convert")) == near


def test_messages_without_choices_get_no_suggestion() -> None:
    assert suggest_value("the following arguments are required: -out") == ""
    assert suggest_value("invalid choice: 'zzz' (choose from 'rules', 'all-split')") == ""


def test_an_unknown_name_lists_the_choices() -> None:
    assert str(UnknownName("metric", "x", ("b", "a"))) == "unknown metric 'x' (choose from a, b)"
