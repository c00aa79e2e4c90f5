"""Small files of our own for tests of the scoring commands, and a way to run a command as the shell does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from errata.cli import main

GOLD_M2 = """\
S This are a sentence .
A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||1
A 2 3|||U:DET||||||REQUIRED|||-NONE-|||1

S I like cat .
A 2 3|||R:NOUN:NUM|||cats|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S All is well .
"""
GOOD_M2 = """\
S This are a sentence .
A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0

S I like cat .
A 2 3|||R:NOUN:NUM|||cats|||REQUIRED|||-NONE-|||0

S All is well .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
"""
BAD_M2 = """\
S This are a sentence .
A 3 4|||R:NOUN:NUM|||sentences|||REQUIRED|||-NONE-|||0

S I like cat .
A 2 3|||R:NOUN:NUM|||cats|||REQUIRED|||-NONE-|||0

S All is well .
A 0 1|||R:OTHER|||Everything|||REQUIRED|||-NONE-|||0
"""
FILES = {
    "gold.m2": GOLD_M2,
    "good.m2": GOOD_M2,
    "bad.m2": BAD_M2,
    "src.txt": "This are a sentence .\nI like cat .\nAll is well .\n",
    "ref0.txt": "This is a sentence .\nI like cats .\nAll is well .\n",
    "ref1.txt": "This is sentence .\nI like cat .\nAll is well .\n",
    "hyp.txt": "This is a sentence .\nI like cats .\nAll is well .\n",
}


def write_files(folder: Path) -> Path:
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


class Shell:
    """Runs `errata` in this process and keeps what it printed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capfd = monkeypatch, capfd

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        """Exit code, standard output, standard error."""
        self._monkeypatch.setattr(sys, "argv", ["errata", *arguments])
        code = 0
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        out, err = self._capfd.readouterr()
        return code, out, err


def run_process(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The same in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "errata", *arguments], cwd=cwd, capture_output=True, text=True, check=False, timeout=60
    )
