"""The examples on the pages about formats print what the pages say; `ERRATA_REFRESH_DOCS=1` writes it there."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest
from scoring_files import Shell

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*(ROOT / "docs" / "formats").glob("*.md"), ROOT / "docs" / "commands" / "convert.md"]
EXAMPLE = re.compile(r"```console\n\$ errata (convert [^\n]*)\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize("page", [page for page in PAGES if page.stem != "index"], ids=lambda page: page.stem)
def test_examples(page: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    errata = Shell(monkeypatch, capfd)
    text = page.read_text(encoding="utf-8")
    examples = EXAMPLE.findall(text)
    assert examples, f"{page.name} has no example"
    for command, shown in examples:
        _, out, err = errata(*shlex.split(command))
        printed = out + ("" if out.endswith("\n") or not out else "\n") + err
        if os.environ.get("ERRATA_REFRESH_DOCS"):
            text = text.replace(f"{command}\n{shown}```", f"{command}\n{printed}```")
            page.write_text(text, encoding="utf-8")
        else:
            assert printed == shown


def test_the_python_example_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    (example,) = re.findall(
        r"```python\n(.*?)```", (ROOT / "docs/formats/index.md").read_text(encoding="utf-8"), re.DOTALL
    )
    exec(compile(example, "index.md", "exec"), {})
    assert capsys.readouterr().out.startswith("1 他每天都去学校上课的。 2\n")
