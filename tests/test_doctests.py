"""The examples in docstrings are true."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

from errata.systems.installed import BUNDLED, bundled_models

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src"
MODULES = sorted(
    ".".join(path.relative_to(SOURCES).with_suffix("").parts).removesuffix(".__init__")
    for path in (SOURCES / "errata").rglob("*.py")
    if ">>> " in path.read_text("utf-8")
)
# Their examples correct text.
NEED_MODELS = {"errata", "errata.pipeline.load"}


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in NEED_MODELS and bundled_models() != BUNDLED:
        pytest.skip("the bundled models are not here")
    monkeypatch.chdir(ROOT)
    result = doctest.testmod(import_module(name))
    assert result.attempted and not result.failed
