"""The charts of the owner's page: their own tests, run by node; and words in both languages for all they say."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PAGES = HERE.parents[3] / "src" / "errata" / "web" / "workbench" / "pages"


def test_the_charts_pass_their_own_tests() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not here: install Node.js 20 or newer")
    command = [node, "--test", "--test-reporter=spec", str(HERE / "charts.test.js")]
    run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=240)
    assert run.returncode == 0, run.stdout[-8000:] + run.stderr[-2000:]
    assert re.search(r"^. pass (\d\d)$", run.stdout, re.M), run.stdout[-2000:]


def test_every_sentence_is_there_in_both_languages() -> None:
    """What `figures.js` says by name stands in both tables, and the tables have the same names."""
    table = (PAGES / "messages" / "figures.js").read_text("utf-8")
    english, chinese = table.split("\n  zh: {")
    names = [set(re.findall(r'^    "?([\w-]+)"?: ', part, re.M)) for part in (english, chinese)]
    assert names[0] == names[1]
    source = (PAGES / "figures.js").read_text("utf-8")
    said = set(re.findall(r'"(figure(?:-[a-z-]+[a-z]|[A-Z]\w*))"', source))
    assert said - names[0] == set()
