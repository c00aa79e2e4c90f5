"""A tiny language model for all tests of systems that have one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tiny_language_model import write_language_model


@pytest.fixture(scope="session")
def lm_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny language model that has read a few sentences."""
    return write_language_model(tmp_path_factory.mktemp("lm") / "tiny")
