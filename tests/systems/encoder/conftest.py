"""A tiny encoder, trained once for all tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from encoder_tiny import run_tiny, write_text

from errata.training.loop import Outcome


@pytest.fixture
def text(tmp_path: Path) -> Path:
    """A file of Chinese sentences."""
    return write_text(tmp_path)


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Outcome]:
    """The folder of the trained encoder, and how training ended."""
    folder = tmp_path_factory.mktemp("encoder")
    return folder / "run" / "model", run_tiny(folder)
