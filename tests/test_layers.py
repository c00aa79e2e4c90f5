"""Imports point downwards only, as docs/design.md draws them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent / "src" / "errata"
# Each layer may import itself and what stands before it. `systems` and `train` know each other: a task is both.
LAYERS = (
    ("model", "errors", "logs", "registry"),
    ("text",),
    ("edits",),
    ("formats",),
    ("metrics", "stats"),
    ("synth",),
    ("systems", "train"),
    ("pipeline",),
    ("web",),
    ("cli",),
)
HEIGHT = {name: height for height, layer in enumerate(LAYERS) for name in layer}
MODULES = sorted(path for path in ROOT.rglob("*.py") if path.parent != ROOT or path.stem in HEIGHT)


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
