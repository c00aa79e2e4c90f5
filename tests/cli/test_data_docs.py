"""The examples on the page about `errata data` print what it says; `ERRATA_REFRESH_DOCS=1` writes it there."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest
from scoring_files import Shell

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "commands" / "data.md"
EXAMPLE = re.compile(r"```console\n\$ errata (data [^\n]*)\n(.*?)```", re.DOTALL)


def test_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("ERRATA_DATA", str(tmp_path))
    errata = Shell(monkeypatch, capfd)
    text = PAGE.read_text(encoding="utf-8")
    examples = EXAMPLE.findall(text)
    assert len(examples) == 4
    for command, shown in examples:
        _, out, err = errata(*shlex.split(command))
        if os.environ.get("ERRATA_REFRESH_DOCS"):
            text = text.replace(f"{command}\n{shown}```", f"{command}\n{out}{err}```")
            PAGE.write_text(text, encoding="utf-8")
        else:
            assert out + err == shown
