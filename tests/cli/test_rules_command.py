"""`errata rules`, and the options that choose rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_runs import Run

from errata.rules import load_rules


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
