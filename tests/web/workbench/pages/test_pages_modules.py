"""The modules of the workbench's pages: their own tests, run by node, and what they may not do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from node_tests import run_tests

HERE = Path(__file__).parent
PAGES = HERE.parents[3] / "src" / "errata" / "web" / "workbench" / "pages"
MODULES = sorted(PAGES.rglob("*.js"))
# What makes elements or code of a string, in whatever way it comes in.
DANGEROUS = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|createContextualFragment"
)


def test_the_modules_pass_their_own_tests() -> None:
    run_tests(sorted(HERE.glob("*.test.js")))


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.name)
def test_a_module_makes_nothing_of_strings_and_finds_what_it_imports(module: Path) -> None:
    source = module.read_text("utf-8")
    assert not DANGEROUS.search(source)
    imported = re.findall(r'(?:from|import\() ?"([^"]+)"', source)
    assert all(it.startswith(".") and (module.parent / it).is_file() for it in imported), imported


@pytest.mark.parametrize("page", sorted(PAGES.glob("*.html")), ids=lambda path: path.stem)
def test_a_page_loads_only_its_own_files(page: Path) -> None:
    source = page.read_text("utf-8")
    addresses = re.findall(r'(?:href|src)="([^"]+)"', source)
    files = [PAGES / it.replace("static/", "").replace("../lib/", "../../lib/") for it in addresses]
    assert addresses and all(it.is_file() for it in files), addresses
    assert "<style" not in source and not re.search(r"<script[^>]*>[^<]", source) and not re.search(r"\son\w+=", source)
    assert '<html lang="en">' in source and '<main id="main"' in source
