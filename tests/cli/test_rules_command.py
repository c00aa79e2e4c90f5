"""`errata rules`, and the options that choose rules."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest
from command_runs import Run
from rich.cells import cell_len

from errata.rules import load_rules

OWN = "rule foo\nabout No foo.\nfind [foo > bar]\nwrong A foo.\nright A bar.\nkeep A fool.\n"


def test_every_rule_is_listed_with_an_example(run: Run) -> None:
    status, out, _ = run("rules")
    assert status == 0
    for rule in (*load_rules().rules, *load_rules("zh").rules):
        assert f"{rule.name}: {rule.about}\n  {rule.examples[0].wrong} → {rule.examples[0].right}\n" in out


def test_json_has_everything(run: Run) -> None:
    _, out, _ = run("rules", "alot", "--json")
    [rule] = json.loads(out)
    assert rule["name"] == "alot"
    assert {"wrong": "I like it alot.", "right": "I like it a lot."} in rule["examples"]
    assert rule["left_alone"] and rule["find"] and rule["sure"] == 0.98 and rule["language"] == "en"
    assert json.loads(run("rules", "about-or-so", "--json")[1])[0]["language"] == "zh"


def test_rules_of_a_file_are_listed_too(run: Run, tmp_path: Path) -> None:
    own = tmp_path / "own.rules"
    own.write_text("rule foo\nabout No foo.\nfind [foo > bar]\nwrong foo\nright bar\n", "utf-8")
    assert run("rules", "foo", "--rule-file", str(own))[1] == "foo: No foo.\n  foo → bar\n"
    own.write_text("rule foo\nfind foo\n", "utf-8")
    status, _, err = run("rules", "--rule-file", str(own))
    assert status == 1 and "own.rules:2: mark what is replaced" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rules", "allot"), "unknown rule 'allot'; did you mean 'alot'?"),
        (("correct", "--without-rule", "allot"), "unknown rule 'allot'; did you mean 'alot'?"),
    ],
)
def test_unknown_rules_are_refused(run: Run, arguments: tuple[str, ...], message: str) -> None:
    status, _, err = run(*arguments)
    assert status == 2 and message in err


@pytest.mark.parametrize(("lang", "other"), [("en", "zh"), ("zh", "en")])
def test_one_language_alone(run: Run, lang: str, other: str) -> None:
    listed = json.loads(run("rules", "--lang", lang, "--json")[1])
    assert [rule["name"] for rule in listed] == [rule.name for rule in load_rules(lang).rules]
    assert run("rules", "--lang", other)[1].startswith(f"{load_rules(other).rules[0].name}: ")
    status, _, err = run("rules", "--lang", "fr")
    assert status == 2 and err == "errata: there are no rules about 'fr': choose en, zh\n"


@pytest.mark.parametrize("width", [80, 40, 20, 3])
def test_lines_fit_the_screen(run: Run, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    whole = run("rules", "the-the", "about-or-so")[1]
    monkeypatch.setenv("COLUMNS", str(width))
    narrow = run("rules", "the-the", "about-or-so")[1]
    # A Chinese character and its indentation need six columns.
    assert max(map(cell_len, narrow.splitlines())) <= max(width, 6)
    assert "".join(narrow.split()) == "".join(whole.split())
    if width == 80:
        assert all(cell_len(line) <= width for line in run("rules")[1].splitlines())


def test_tabs_and_long_examples_are_wrapped_whole(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tab is wider on the screen than in the text, which made a part of the line come twice."""
    Path("own.rules").write_text(OWN.replace("No foo.", "No\tfoo\tis " + "very " * 12 + "good."), "utf-8")
    monkeypatch.setenv("COLUMNS", "40")
    out = run("rules", "foo", "--rule-file", "own.rules")[1]
    assert " ".join(out.split()).startswith("foo: No foo is " + "very " * 12 + "good. A foo. → A bar.")


def test_a_rule_of_the_other_language_is_called_that(run: Run) -> None:
    message = "errata: the rule alot is not about zh: leave --lang out\n"
    assert run("rules", "alot", "--lang", "zh") == (2, "", message)
    Path("own.rules").write_text(OWN, "utf-8")
    message = "errata: own.rules: there is no rule about zh in it: leave --lang out\n"
    assert run("rules", "--check", "--lang", "zh", "--rule-file", "own.rules") == (1, "", message)


def test_a_file_that_is_given_twice_is_called_that(run: Run) -> None:
    Path("own.rules").write_text(OWN, "utf-8")
    message = "errata: own.rules:1: the file is given twice: leave it out once\n"
    assert run("rules", "--rule-file", "own.rules", "--rule-file", "own.rules") == (1, "", message)


def test_json_has_all_of_a_rule(run: Run, tmp_path: Path) -> None:
    own = tmp_path / "own.rules"
    own.write_text(OWN + "skip the [foo]\nunless fie fee\nsure 0.9\n", "utf-8")
    [rule] = json.loads(run("rules", "foo", "--rule-file", str(own), "--json")[1])
    assert rule == {
        "name": "foo",
        "language": "en",
        "where": f"{own}:1",
        "about": "No foo.",
        "sure": 0.9,
        "learnt": False,
        "find": ["[foo > bar]"],
        "skip": ["the [foo]"],
        "unless": ["fie", "fee"],
        "examples": [{"wrong": "A foo.", "right": "A bar."}],
        "left_alone": ["A fool."],
    }


def test_examples_of_a_file_are_run(run: Run) -> None:
    Path("own.rules").write_text(OWN, "utf-8")
    assert run("rules", "--check", "--rule-file", "own.rules") == (
        0,
        "",
        "errata: rules: 1, examples: 2, all right\n",
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        # The words are shown as the rule sees them: “don't” is two.
        ("wrong A foo.", "wrong I don't.", "4: foo finds nothing in: I do n't ."),
        ("right A bar.", "right A baz.", "4: foo makes “A bar.” of “A foo.”, not “A baz.”"),
        ("wrong A foo.", "wrong A fog.", "4: foo finds nothing in: A fog ."),
        ("wrong A foo.", "wrong A bar.", "5: foo wrong and right are the same: A bar."),
        ("keep A fool.", "keep Foo!", "6: foo makes “Bar!” of “Foo!”, which is right"),
        ("foo > bar", "foo > a foo", "4: foo makes something new again and again of “A foo.”, not “A bar.”"),
    ],
)
def test_an_example_that_fails_is_told(run: Run, old: str, new: str, message: str) -> None:
    Path("own.rules").write_text(OWN.replace(old, new), "utf-8")
    status, out, err = run("rules", "--check", "--rule-file", "own.rules")
    assert (
        status == 1 and f"own.rules:{message}\n" in out and err.endswith(" failed; mend the pattern or the example\n")
    )
    # To correct with the rules, nobody pays for their examples.
    assert run("rules", "foo", "--rule-file", "own.rules")[0] == 0


def test_errata_checks_its_own_rules(run: Run) -> None:
    status, out, err = run("rules", "--check", "alot", "about-or-so")
    assert (status, out) == (0, "") and err.startswith("errata: rules: 2, examples: ")
    assert run("rules", "--check", "--json")[0] == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "own.rules: No such file or directory"),
        (b"", "own.rules: there is no rule in it; a rule begins with a line such as: rule should-of"),
        (b"\x7fELF\x00\xff\n", "own.rules:1: this is no text: it has a NUL byte"),
        (OWN.encode("utf-16"), "own.rules: this is UTF-16; convert the file to UTF-8 first"),
        (
            "rule foo\nabout 不好\n".encode("gb18030"),
            "own.rules:2: not UTF-8: byte 0xb2 at column 7; convert the file to UTF-8 first; "
            "if it is GB 18030: iconv -f GB18030 -t UTF-8",
        ),
        ((OWN + OWN).encode(), "own.rules:7: there is a rule foo in line 1 already: choose another name"),
        (OWN.replace("\n", "\r").encode(), "own.rules:1: lines end with CR alone: convert the file, with: tr "),
        ((OWN + "keep \x1b[31mred").encode(), "own.rules:7: there is a control character, U+001B: take it out"),
        ((OWN + "keep a\u2028b").encode(), "own.rules:7: there is a control character, U+2028: take it out"),
        (OWN.encode() + b"keep \xe9t\xe9", "own.rules:7: not UTF-8: byte 0xe9 at column 6; convert the file to UTF-8"),
        (
            OWN.encode() + b"sure " + b"9" * 1_000_000,
            f"own.rules:7: sure is a number between 0 and 1, not '{'9' * 40}…'\n",
        ),
        (b"language " + b"x" * 1_000_000, f"own.rules:1: there are no rules about '{'x' * 40}…': choose en, zh\n"),
        (b"x" * 1_000_000, f"own.rules:1: '{'x' * 40}…' is none of about, find, "),
        (OWN.replace("rule foo", "rule alot").encode(), "own.rules:1: there is a rule alot at english.rules:"),
    ],
    ids=[
        "missing",
        "empty",
        "binary",
        "utf-16",
        "gb18030",
        "double",
        "cr",
        "escape",
        "separator",
        "latin-1",
        "long-number",
        "long-language",
        "long-line",
        "double-of-errata",
    ],
)
def test_a_file_that_is_no_rule_file_gets_one_line(run: Run, content: bytes | None, message: str) -> None:
    if content is not None:
        Path("own.rules").write_bytes(content)
    status, out, err = run("rules", "--rule-file", "own.rules")
    assert (status, out) == (1, "") and err.startswith(f"errata: {message}") and err.count("\n") == 1


def test_a_folder_is_no_rule_file(run: Run, tmp_path: Path) -> None:
    assert run("rules", "--rule-file", str(tmp_path)) == (1, "", f"errata: {tmp_path}: Is a directory\n")


def test_rules_may_come_through_a_pipe(run: Run, tmp_path: Path) -> None:
    """A pipe can be read once, and a corrector needs its rules for two languages."""
    os.mkfifo("own.rules")
    writer = threading.Thread(target=lambda: Path("own.rules").write_text(OWN, "utf-8"), daemon=True)
    writer.start()
    Path("in.txt").write_text("A foo.\n大约三百米左右。\n", "utf-8")
    status, out, err = run("correct", "--rule-file", "own.rules", "in.txt")
    assert (status, out) == (0, "A bar.\n大约三百米。\n"), err
