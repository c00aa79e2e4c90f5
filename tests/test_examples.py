"""What `make demo` shows can be seen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from errata.systems.installed import BUNDLED, bundled_models

DEMO = Path(__file__).resolve().parent.parent / "examples" / "demo.py"


def test_the_demo_corrects_and_scores() -> None:
    if bundled_models() != BUNDLED:
        pytest.skip("the bundled models are not here")
    done = subprocess.run([sys.executable, DEMO], capture_output=True, encoding="utf-8", check=True, timeout=120)
    assert "{+friends+}" in done.stdout and "{+得+}" in done.stdout
    assert "errant|F0.5" in done.stdout and "cherrant|F0.5" in done.stdout
