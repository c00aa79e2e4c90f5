"""The pages' shared modules: their own tests, run by node, and what they may import."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from node_tests import run_tests

HERE = Path(__file__).parent
LIB = HERE.parents[2] / "src" / "errata" / "web" / "lib"


def test_the_modules_pass_their_own_tests() -> None:
    run_tests(sorted(HERE.glob("*.test.js")))


@pytest.mark.parametrize("module", sorted(LIB.glob("*.js")), ids=lambda path: path.name)
def test_a_shared_module_needs_no_page(module: Path) -> None:
    """It imports its neighbours alone, and asks for no element by its id."""
    source = module.read_text("utf-8")
    imports = re.findall(r'^import [^;]*?"([^"]+)";', source, re.M)
    assert all(re.fullmatch(r"\./[a-z]+\.js", it) and (LIB / it).is_file() for it in imports)
    assert "getElementById" not in source and 'querySelector("#' not in source
