"""Tiny systems trained once for all tests of this folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from errata.training.run import run_recipe
from errata.training.shipped import FOLDER


def train_tiny(language: str, folder: Path) -> Path:
    pairs = f"[{FOLDER / f'data/seq2seq-pairs.{language}.tsv'}]"
    changes = [f"language={language}", f"data.train={pairs}", f"data.dev={pairs}"]
    places = [f"run.folder={folder / 'run'}", f"run.cache={folder / 'cache'}"]
    assert run_recipe("seq2seq-tiny", changes + places, device="cpu") == 0
    return folder / "run"


@pytest.fixture(scope="session")
def english(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run folder of the English tiny recipe."""
    return train_tiny("en", tmp_path_factory.mktemp("seq2seq-en"))


@pytest.fixture(scope="session")
def chinese(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run folder of the Chinese tiny recipe."""
    return train_tiny("zh", tmp_path_factory.mktemp("seq2seq-zh"))
