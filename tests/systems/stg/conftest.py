"""The tiny recipe, trained once for all tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from stg_tiny import run_tiny

from errata.training.loop import Outcome


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Outcome]:
    """The folder of the trained system, and how training ended."""
    folder = tmp_path_factory.mktemp("stg")
    return folder / "run" / "model", run_tiny(folder)
