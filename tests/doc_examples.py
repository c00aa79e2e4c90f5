"""Examples in the docs, run: they print what the pages say; `ERRATA_REFRESH_DOCS=1` writes what they print there."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)
COMMAND = re.compile(
    r"^\$ (?:echo \"(?P<given>[^\"]*)\" \| )?errata (?P<command>.*)\n(?P<shown>(?:(?!\$ ).*\n)*)", re.MULTILINE
)
CONFIDENCE = re.compile(r"\b0\.\d\d\b")
PYTHON = re.compile(r"```python\n(?P<program>.*?)(?P<shown>(?:^# [^\n]*\n)*)```", re.DOTALL | re.MULTILINE)


def check_commands(page: Path, run: Callable[[str, str], str], *names: str) -> None:
    """The examples of these commands; `run` takes a command's arguments and its standard input."""
    examples = [one for block in CONSOLE.findall(page.read_text("utf-8")) for one in COMMAND.finditer(block)]
    wanted = [one for one in examples if one["command"].split()[0] in names]
    assert wanted, f"{page.name} has no example"
    for one in wanted:
        _compare(page, one, run(one["command"], one["given"] or ""))


def check_snippets(page: Path, run: Callable[[str], str]) -> None:
    """The Python of a page; comments at the end of a snippet are what it prints."""
    for one in PYTHON.finditer(page.read_text("utf-8")):
        out = run(one["program"])
        if one["shown"]:
            _compare(page, one, "".join(f"# {line}\n" for line in out.splitlines()))


def _compare(page: Path, example: re.Match[str], out: str) -> None:
    if not os.environ.get("ERRATA_REFRESH_DOCS"):
        shown = example["shown"]
        assert CONFIDENCE.sub("?", out) == CONFIDENCE.sub("?", shown)
        told = [list(map(float, CONFIDENCE.findall(text))) for text in (out, shown)]
        assert told[0] == pytest.approx(told[1], abs=0.03)  # another processor rounds otherwise
        return
    whole, start = example.group(), example.start()
    new = whole[: example.start("shown") - start] + out + whole[example.end("shown") - start :]
    page.write_text(page.read_text("utf-8").replace(whole, new), "utf-8")
