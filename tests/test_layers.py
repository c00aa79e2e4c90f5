"""Imports point downwards only, as docs/design.md draws them: no two packages import each other."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent / "src" / "errata"
# From the ground up. Each package may import itself and what stands before it, never what stands after it.
HOUSE = (
    *("errors", "logs", "model", "registry", "files", "places", "parameters"),
    *("text", "edits", "rules", "formats", "datasets", "stats", "reports", "metrics", "synth"),
    *("networks", "training", "systems", "judges", "pipeline", "robustness", "tuning", "meta_eval", "analysis"),
    *("scale", "crawl", "web", "cli"),
)
HEIGHT = {name: height for height, name in enumerate(HOUSE)}
# The doors of the house: the public names, and `python -m errata`.
DOORS = {"__init__", "__main__"}
MODULES = sorted(path for path in ROOT.rglob("*.py") if path.parent != ROOT or path.stem not in DOORS)


def imported(path: Path) -> set[str]:
    """The parts of errata a module imports, also inside functions."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("errata."):
            found.add(node.module.split(".")[1])
        elif isinstance(node, ast.Import):
            found.update(name.name.split(".")[1] for name in node.names if name.name.startswith("errata."))
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_imports_point_downwards(path: Path) -> None:
    own = path.relative_to(ROOT).parts[0].removesuffix(".py")
    upwards = {name for name in imported(path) if HEIGHT[name] > HEIGHT[own]}
    assert not upwards, f"{own} imports {', '.join(sorted(upwards))}"


def test_every_package_has_its_place() -> None:
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} | {path.stem for path in ROOT.glob("*.py")}
    assert packages - DOORS == set(HOUSE)
