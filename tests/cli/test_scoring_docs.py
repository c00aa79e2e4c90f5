"""The examples on the pages about scoring print what the pages say; `ERRATA_REFRESH_DOCS=1` writes it there."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest
from scoring_files import Shell

from errata.networks.native import is_available

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    *(
        f"metrics/{name}.md"
        for name in ("errant", "cherrant", "fcgec", "detection", "identification", "pt-errant", "pt-m2")
    ),
    "commands/score.md",
    "commands/compare.md",
    "commands/attribute.md",
    "commands/robust.md",
    "commands/meta.md",
    "commands/stats.md",
    "commands/analyze.md",
    "commands/report.md",
    "commands/errant-compare.md",
    "../README.md",
]
VERBS = "score|compare|stats|analyze|report|attribute|robust|meta|errant-compare"
EXAMPLE = re.compile(rf"```console\n\$ errata ((?:{VERBS}) (?:[^\n\\]|\\\n)*)\n(.*?)```", re.DOTALL)
VERSIONS = re.compile(r"(v|pypinyin|spacy):[\d.]+")


def _tidy(text: str) -> str:
    """Without versions, trailing spaces and blank lines at the ends."""
    return "\n".join(line.rstrip() for line in VERSIONS.sub(r"\1:", text).strip("\n").split("\n"))


@pytest.mark.parametrize("page", PAGES)
def test_examples(page: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    if "pt-" in page and not is_available():
        pytest.skip("weights of edits differ in the fourth digit without our own kernels, which need AVX2")
    monkeypatch.chdir(ROOT)
    errata = Shell(monkeypatch, capfd)
    path = ROOT / "docs" / page
    text = path.read_text(encoding="utf-8")
    examples = EXAMPLE.findall(text)
    assert examples, f"{page} has no example"
    for command, shown in examples:
        code, out, err = errata(*shlex.split(command.replace("\\\n", "")))
        assert (code, err) == (0, "")
        if os.environ.get("ERRATA_REFRESH_DOCS"):
            printed = "\n".join(line.rstrip() for line in out.rstrip("\n").split("\n"))
            text = text.replace(f"{command}\n{shown}```", f"{command}\n{printed}\n```")
            path.write_text(text, encoding="utf-8")
        else:
            assert _tidy(out) == _tidy(shown)
