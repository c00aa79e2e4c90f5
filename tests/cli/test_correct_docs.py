"""The examples of `errata correct` and `errata words` print what the pages say.

`ERRATA_REFRESH_DOCS=1` writes it there. What the bundled models say can be checked only where they are.
"""

from __future__ import annotations

import io
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from command_runs import Run

from doc_examples import check_commands, check_snippets
from errata.cli.correct import correct
from errata.systems.installed import BUNDLED, bundled_models

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs" / "commands"


@pytest.fixture
def bundled() -> None:
    if bundled_models() != BUNDLED:
        pytest.skip("the bundled models are not here")


@pytest.fixture
def shell(run: Run, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], str]:
    """What a command prints in the project's folder."""
    monkeypatch.chdir(ROOT)

    def call(command: str, given: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{given}\n".encode())))
        return run(*shlex.split(command))[1]

    return call


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", DOCS / "correct.md", ROOT / "docs" / "rules.md"], ids=lambda page: page.name
)
def test_correct(bundled: None, shell: Callable[[str, str], str], page: Path) -> None:
    check_commands(page, shell, "correct")


@pytest.mark.parametrize("page", [ROOT / "README.md", DOCS / "correct.md"], ids=lambda page: page.name)
def test_python(bundled: None, capsys: pytest.CaptureFixture[str], page: Path) -> None:
    def run(program: str) -> str:
        exec(program, {})
        return capsys.readouterr().out

    check_snippets(page, run)


def test_rules(shell: Callable[[str, str], str]) -> None:
    check_commands(DOCS / "rules.md", shell, "rules")


def test_the_example_in_the_help_changes_something(bundled: None, shell: Callable[[str, str], str]) -> None:
    (text,) = re.findall(r'Example: echo "(.*)" \| errata correct', correct.__doc__ or "")
    assert shell("correct", text) not in ("", f"{text}\n")


def test_words(shell: Callable[[str, str], str]) -> None:
    check_commands(DOCS / "words.md", shell, "words")


def test_every_option_is_on_the_page() -> None:
    page = (DOCS / "correct.md").read_text("utf-8")
    app = typer.Typer(add_completion=False)
    app.command()(correct)
    options = {name for one in typer.main.get_command(app).params for name in one.opts if name.startswith("--")}
    missing = sorted(name for name in options - {"--output", "--user-words"} if name not in page)
    assert not missing
