"""The examples on the pages of `errata correct` and `errata words` print what the pages say.

`ERRATA_REFRESH_DOCS=1` writes it there. What the bundled models say can be checked only where they are.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import sys
from pathlib import Path

import pytest
import typer
from command_runs import Run

from errata.cli.correct import correct
from errata.errors import DataError
from errata.systems.bundled import BUNDLED, find_model

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
COMMAND = re.compile(
    r"^\$ (?:echo \"(?P<given>[^\"]*)\" \| )?errata (?P<command>.*)\n(?P<shown>(?:(?!\$ ).*\n)*)", re.MULTILINE
)


@pytest.fixture
def bundled() -> None:
    try:
        find_model(BUNDLED["en"])
    except DataError as error:
        pytest.skip(f"the bundled models are not here: {error}")


def check_page(page: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = page.read_text("utf-8")
    examples = [match for block in BLOCK.findall(text) for match in COMMAND.finditer(block)]
    assert examples, f"{page.name} has no example"
    for example in examples:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{example['given'] or ''}\n".encode())))
        _, out, _ = run(*shlex.split(example["command"]))
        if os.environ.get("ERRATA_REFRESH_DOCS"):
            text = text.replace(example.group(), example.group().removesuffix(example["shown"]) + out)
            page.write_text(text, "utf-8")
        else:
            assert out == example["shown"]


def test_correct(bundled: None, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    check_page(ROOT / "docs" / "commands" / "correct.md", run, monkeypatch)


def test_words(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    check_page(ROOT / "docs" / "commands" / "words.md", run, monkeypatch)


def test_every_option_is_on_the_page() -> None:
    page = (ROOT / "docs" / "commands" / "correct.md").read_text("utf-8")
    app = typer.Typer(add_completion=False)
    app.command()(correct)
    options = {name for one in typer.main.get_command(app).params for name in one.opts if name.startswith("--")}
    missing = sorted(name for name in options - {"--output", "--user-words"} if name not in page)
    assert not missing
