"""The pages' shared modules: their own tests, run by node, and what they may import."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
LIB = HERE.parents[2] / "src" / "errata" / "web" / "lib"
OLDEST_NODE = 20  # the first with events and mock timers as browsers have them


def node() -> str:
    """The path of a node that can run the tests; skips where there is none."""
    path = shutil.which("node")
    if path is None:
        pytest.skip(f"node is not here: install Node.js {OLDEST_NODE} or newer")
    version = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if int(version.removeprefix("v").split(".")[0]) < OLDEST_NODE:
        pytest.skip(f"node is {version}: install Node.js {OLDEST_NODE} or newer")
    return path


def test_the_modules_pass_their_own_tests() -> None:
    files = sorted(HERE.glob("*.test.js"))
    command = [node(), "--test", "--test-reporter=spec", *map(str, files)]
    run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=240)
    assert run.returncode == 0, run.stdout[-8000:] + run.stderr[-2000:]
    passed = re.search(r"^. pass (\d+)$", run.stdout, re.M)
    assert passed is not None and int(passed[1]) >= len(files), run.stdout[-2000:]


@pytest.mark.parametrize("module", sorted(LIB.glob("*.js")), ids=lambda path: path.name)
def test_a_shared_module_needs_no_page(module: Path) -> None:
    """It imports its neighbours alone, and asks for no element by its id."""
    source = module.read_text("utf-8")
    imports = re.findall(r'^import [^;]*?"([^"]+)";', source, re.M)
    assert all(re.fullmatch(r"\./[a-z]+\.js", it) and (LIB / it).is_file() for it in imports)
    assert "getElementById" not in source and 'querySelector("#' not in source
