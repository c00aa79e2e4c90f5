"""Tiny encoders of both kinds, each trained once for all tests."""

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
def trained_bert(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Outcome]:
    """The folder of a trained encoder, and how training ended."""
    folder = tmp_path_factory.mktemp("bert")
    return folder / "run" / "model", run_tiny(folder)


@pytest.fixture(scope="session")
def trained_mpnet(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Outcome]:
    """Likewise, with MPNet's layers."""
    folder = tmp_path_factory.mktemp("mpnet")
    return folder / "run" / "model", run_tiny(folder, "model.backbone.architecture=mpnet")


@pytest.fixture(params=["bert", "mpnet"])
def trained(request: pytest.FixtureRequest) -> tuple[Path, Outcome]:
    """One of the two."""
    chosen: tuple[Path, Outcome] = request.getfixturevalue(f"trained_{request.param}")
    return chosen
