"""Values that make no sense are wrong usage, whichever option they are given to: one line, and exit 2."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
import typer
from command_runs import Run

from errata.cli import COMMANDS
from errata.registry import lookup

CASES = "O-S She go .\nO-T She goes .\nA1-S Ann go .\nA1-T Ann goes .\n"
GOLD = "S She go .\nA 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\n"
SCORE = ("score", "-m", "errant", "--m2", "gold.m2", "--hyp", "hyp.txt")
VOTE = ("ensemble", "--src", "src.txt", "--hyp", "hyp.txt", "--hyp", "hyp.txt")
LEARN = ("ensemble", "learn", "--src", "src.txt", "--ref", "hyp.txt", "--hyp", "hyp.txt", "-o", "w.json")
# Every option that takes a number with a point, after the arguments that its command needs.
NUMBERS = {
    "correct min_confidence": ("correct", "--min-confidence"),
    "correct keep_bias": ("correct", "--keep-bias"),
    "classify threshold": ("classify", "--model", "./model", "--threshold"),
    "export exit_below": ("export", "en-small", "out", "--exit-below"),
    "serve timeout": ("serve", "--timeout"),
    "robust keep_bias": ("robust", "cases.para", "--model", "en-small", "--keep-bias"),
    "robust min_crs": ("robust", "cases.para", "--min-crs"),
    "score beta": (*SCORE, "--beta"),
    "compare alpha": ("compare", *SCORE[1:], "--hyp", "hyp.txt", "--alpha"),
    "compare beta": ("compare", *SCORE[1:], "--hyp", "hyp.txt", "--beta"),
    "crawl share": ("crawl", "page.html", "-o", "corpus", "--share"),
    "crawl memory": ("crawl", "page.html", "-o", "corpus", "--memory"),
    "synth corrupt rate": ("synth", "corrupt", "src.txt", "--model", "noise.json", "--rate"),
    "synth corrupt clean": ("synth", "corrupt", "src.txt", "--model", "noise.json", "--clean"),
    "ensemble threshold": (*VOTE, "--threshold"),
    "ensemble margin": (*VOTE, "--judge", "impara", "--margin"),
    "ensemble learn penalty": (*LEARN, "--penalty"),
    "ensemble learn beta": (*LEARN, "--beta"),
}


@pytest.fixture
def files(run: Run, tmp_path: Path) -> Run:
    """The command, in a folder with some files to give to it."""
    texts = {
        "gold.m2": GOLD,
        "cases.para": CASES,
        "src.txt": "She go .\n",
        "hyp.txt": "She goes .\n",
        "blank.txt": "\n  \n# nothing\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return run


def _functions() -> Iterator[tuple[str, Any]]:
    for verb in COMMANDS:
        command = lookup("command", COMMANDS, verb)
        if not isinstance(command, typer.Typer):
            yield verb, command
            continue
        if command.registered_callback is not None:
            yield verb, command.registered_callback.callback
        for one in command.registered_commands:
            yield f"{verb} {one.name}", one.callback


def test_the_table_has_every_option_that_takes_such_a_number() -> None:
    found = {
        f"{name} {parameter}"
        for name, function in _functions()
        for parameter, hint in get_type_hints(function).items()
        if parameter in inspect.signature(function).parameters and float in (hint, *get_args(hint))
    }
    assert found == set(NUMBERS)


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "NaN", "x", ""])
@pytest.mark.parametrize("arguments", NUMBERS.values(), ids=NUMBERS)
def test_what_is_no_number_is_wrong_usage(files: Run, arguments: tuple[str, ...], value: str) -> None:
    code, out, err = files(*arguments, value)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("errata: ") and arguments[-1] in err


@pytest.mark.parametrize(
    "arguments",
    [
        ("correct", "--min-confidence", "-1"),
        ("correct", "--min-confidence", "1.5"),
        ("classify", "--model", "./model", "--threshold", "1.5"),
        ("serve", "--timeout", "0"),
        ("serve", "--timeout", "-1"),
        ("correct", "src.txt", "--keep-bias", "1.5"),
        ("robust", "cases.para", "--model", "en-small", "--keep-bias", "1.5"),
        ("robust", "cases.para", "--min-crs", "-1"),
        ("robust", "cases.para", "--min-crs", "101"),
        (*SCORE, "--beta", "0"),
        (*SCORE, "--beta", "-1"),
        (*SCORE, "--set", "beta=inf"),
        (*SCORE, "--set", "beta=nan"),
        (*VOTE, "--threshold", "-1"),
        (*VOTE, "--threshold", "3"),
        (*VOTE, "--type", "R:WO=9"),
        (*LEARN, "--penalty", "0"),
        (*LEARN, "--beta", "-1"),
        ("m2scorer", "--beta", "inf", "hyp.txt", "gold.m2"),
        ("m2scorer", "--beta", "nan", "hyp.txt", "gold.m2"),
        ("errant-compare", "-hyp", "gold.m2", "-ref", "gold.m2", "-b", "inf"),
        ("cherrant", "compare", "-hyp", "gold.m2", "-ref", "gold.m2", "-b", "inf"),
    ],
)
def test_numbers_out_of_range_are_wrong_usage(files: Run, arguments: tuple[str, ...]) -> None:
    code, out, err = files(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1) and err.startswith("errata: ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("annotate", "new", "X", "--k", "0"), "--k is 0: give a whole number from 1 to 20"),
        (("annotate", "new", "X", "--k", "many"), "--k is many: give a whole number from 1 to 20"),
        (("serve", "--port", "99999"), "--port is 99999: give a whole number from 0 to 65535"),
        (("serve", "--workers", "0"), "--workers is 0: give a whole number, 1 or more"),
        (("serve", "--timeout", "0"), "--timeout is 0: give a number, 0.1 or more"),
        (("correct", "--min-confidence", "1.5"), "--min-confidence is 1.5: give a number from 0 to 1"),
    ],
)
def test_a_number_out_of_range_is_told_which_ones_are_allowed(
    files: Run, arguments: tuple[str, ...], message: str
) -> None:
    assert files(*arguments) == (2, "", f"errata: {message}\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("correct", "--model", ""), "--model is empty: give it a value, or leave it out"),
        (("correct", "--model="), "--model is empty"),
        (("correct", "--protect", ""), "--protect is empty"),
        (("correct", "--protect", " \t"), "--protect ' \\t' is blank: give the words that stay as they are"),
        (("correct", "--dictionary", ""), "--dictionary is empty"),
        (("correct", "--check", ""), "a file has a name, not ''"),
        (("serve", "--model", ""), "--model is empty"),
        ((*SCORE, "--hyp", ""), "--hyp is empty"),
        (("score", "-m", "errant", "--m2", "", "--hyp", "hyp.txt"), "--m2 is empty"),
        ((*VOTE, "--weights", ""), "--weights is empty"),
        ((*LEARN, "--ref", ""), "--ref is empty"),
    ],
)
def test_empty_values_are_wrong_usage(files: Run, arguments: tuple[str, ...], message: str) -> None:
    code, out, err = files(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


@pytest.mark.parametrize("option", ["--dictionary", "--protect-file"])
def test_a_file_of_blank_phrases_protects_nothing_and_is_told_of(files: Run, exported: Path, option: str) -> None:
    code, out, err = files("correct", "src.txt", "--model", exported, option, "blank.txt")
    assert (code, err) == (0, "errata: warning: blank.txt has no words: its lines are blank or comments\n")
    assert out == files("correct", "src.txt", "--model", exported)[1]


@pytest.mark.parametrize(
    ("arguments", "origin"),
    [
        (("correct", "--model", "None"), "--model"),
        (("correct", "--model", "./nowhere"), "--model"),
        (("classify", "--model", "None"), "--model"),
        (("serve", "--model", "None"), "--model"),
        (("tune", "--model", "None", "--gold", "gold.m2"), "--model"),
        (("export", "None", "out"), "MODEL"),
        (("export", "en-small", "out", "--average", "None"), "--average"),
    ],
)
def test_a_model_that_is_not_there_is_told_with_the_option(files: Run, arguments: tuple[str, ...], origin: str) -> None:
    code, out, err = files(*arguments)
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert err.startswith("errata: no model ") and err.endswith(f"; the name was given as {origin}\n")


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        ({}, 'nameless/errata.json has no "system"'),
        ({"system": None}, 'nameless/errata.json: "system" is null, not a name'),
        ({"system": " "}, 'nameless/errata.json: "system" is " ", not a name'),
        ({"system": ["tagger"]}, 'nameless/errata.json: "system" is ["tagger"], not a name'),
        ({"system": "None"}, "nameless/errata.json: unknown system 'None' (choose from "),
    ],
)
def test_a_manifest_without_a_system_is_named(run: Run, tmp_path: Path, manifest: dict[str, Any], message: str) -> None:
    (tmp_path / "nameless").mkdir()
    (tmp_path / "nameless" / "errata.json").write_text(json.dumps(manifest), encoding="utf-8")
    code, out, err = run("correct", "--model", "./nameless")
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert message in err


def test_a_served_manifest_without_a_language_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "nameless").mkdir()
    (tmp_path / "nameless" / "errata.json").write_text('{"system": "tagger"}', encoding="utf-8")
    code, _, err = run("serve", "--model", "./nameless")
    assert code == 1 and 'nameless/errata.json has no "language"' in err


@pytest.mark.parametrize(
    "arguments",
    [
        SCORE,
        ("stats", "gold.m2"),
        ("analyze", "density", "gold.m2", "--hyp", "a=hyp.txt"),
        ("analyze", "edits", "gold.m2"),
        ("robust", "cases.para", "--hyp", "hyp.txt"),
    ],
)
def test_seeds_are_whole_numbers_from_zero(files: Run, arguments: tuple[str, ...]) -> None:
    assert files(*arguments, "--seed", "-1") == (2, "", "errata: --seed is -1: give a whole number, 0 or more\n")


@pytest.mark.parametrize("option", ["--limit", "--workers", "--seed"])
def test_numbers_have_a_largest_one(files: Run, option: str) -> None:
    code, out, err = files("stats", "gold.m2", option, "9" * 30)
    assert (code, out) == (2, "")
    assert err == f"errata: {option} is {'9' * 30}: give a number of 18 digits at most\n"
