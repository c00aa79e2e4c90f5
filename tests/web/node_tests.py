"""Tests of JavaScript modules, run by node."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

OLDEST_NODE = 20  # the first with events and mock timers as browsers have them


def run_tests(files: Sequence[Path]) -> None:
    """Fail with what node prints if one of these `*.test.js` fails; skip where there is no node."""
    command = [_node(), "--test", "--test-reporter=spec", *map(str, files)]
    run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=240)
    assert run.returncode == 0, run.stdout[-8000:] + run.stderr[-2000:]
    passed = re.search(r"^. pass (\d+)$", run.stdout, re.M)
    assert passed is not None and int(passed[1]) >= len(files), run.stdout[-2000:]


def _node() -> str:
    """The path of a node that can run the tests."""
    path = shutil.which("node")
    if path is None:
        pytest.skip(f"node is not here: install Node.js {OLDEST_NODE} or newer")
    version = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if int(version.removeprefix("v").split(".")[0]) < OLDEST_NODE:
        pytest.skip(f"node is {version}: install Node.js {OLDEST_NODE} or newer")
    return path
