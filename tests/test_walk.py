"""The walk through the code and the table of sample changes name files and functions that are there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "errata"
WALKS = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", (ROOT / "docs/walk.md").read_text("utf-8"), re.S | re.M))
HOPS = {walk: re.findall(r"^\| `([\w/]+\.py)` \| `([\w.]+)` \|", text, re.M) for walk, text in WALKS.items()}
CHANGES = re.findall(
    r"^\| [^|]+ \| `([\w./-]+)`[^|]*\| (?:`([^`]*)`)?",
    (ROOT / "docs/design.md").read_text("utf-8").partition("## Where a change goes")[2].partition("\n## ")[0],
    re.M,
)


EXPORTED = re.compile(r"^export (?:async )?(?:function|class|const) (\w+)", re.MULTILINE)


def defined(path: Path) -> set[str]:
    """The functions, classes, methods and constants of a module."""
    if path.suffix == ".js":
        return set(EXPORTED.findall(path.read_text("utf-8")))
    found: set[str] = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{one.name}" for one in node.body if isinstance(one, FUNCTIONS)}
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        found |= {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}
    return found


@pytest.mark.parametrize(("walk", "file", "name"), [(walk, *hop) for walk, hops in HOPS.items() for hop in hops])
def test_every_hop_is_there(walk: str, file: str, name: str) -> None:
    assert name in defined(SOURCE / file), f"{file} has no {name}"


@pytest.mark.parametrize("walk", HOPS)
def test_no_walk_goes_back(walk: str) -> None:
    files = [file for file, _ in HOPS[walk]]
    assert len(files) >= 10 and len(set(files)) == len(files)


def test_there_are_twenty_sample_changes() -> None:
    assert len(CHANGES) >= 20


@pytest.mark.parametrize(("place", "name"), CHANGES)
def test_every_change_has_its_place(place: str, name: str) -> None:
    path = ROOT / place if (ROOT / place).exists() else SOURCE / place
    assert path.exists(), f"no {place}"
    if name:
        assert name in defined(path), f"{place} has no {name}"
