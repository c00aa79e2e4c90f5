"""Every setting of a recipe is explained, and the page's Python runs."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from errata.networks.encoder import BackboneSettings
from errata.training.settings import (
    SECTIONS,
    BatchSettings,
    EvaluationSettings,
    OptimiserSettings,
    RunSettings,
    ScheduleSettings,
)

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "training.md").read_text("utf-8")
KINDS = (BatchSettings, EvaluationSettings, OptimiserSettings, RunSettings, ScheduleSettings, BackboneSettings)


@pytest.mark.parametrize("key", [*SECTIONS, *(f.name for kind in KINDS for f in dataclasses.fields(kind))])
def test_every_key_is_explained(key: str) -> None:
    assert re.search(rf"`{key}`|^{key}:", PAGE, re.M), f"docs/training.md says nothing of {key}"


def test_the_python_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.S):
        exec(block, {})
    assert (tmp_path / "runs" / "try" / "model" / "errata.json").exists()
    assert (tmp_path / "small.onnx").exists()
