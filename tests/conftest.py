"""Shared fixtures: where the corpora and oracles are, when they are there at all."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest
from hypothesis import settings

# A busy machine is slow, not wrong: properties have no deadline. A few examples find what many find in most cases;
# `HYPOTHESIS_PROFILE=thorough` tries many.
settings.register_profile("errata", deadline=None, max_examples=50)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "errata"))
# Tiny models on shared cores: more threads than one make them fifty times slower. Read when torch is first imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Tests parse afresh and leave nothing in the user's cache.
os.environ.setdefault("ERRATA_CACHE", "off")
# Tables of examples are as wide as they are, whatever the screen of whoever runs the tests.
os.environ.pop("COLUMNS", None)
# Examples show what the bundled models do, whatever else is installed.
os.environ.setdefault("ERRATA_MODEL_EN", "en-small")
os.environ.setdefault("ERRATA_MODEL_ZH", "zh-small")

ROOT = Path(__file__).resolve().parent.parent


def _shared() -> Path | None:
    """The folder with `data/` and `oracles/`: ERRATA_DATA, or `shared` beside the checkout."""
    named = os.environ.get("ERRATA_DATA")
    folder = Path(named) if named else ROOT.parent / "shared"
    return folder if (folder / "oracles").is_dir() else None


# Of what a test is called after; the rest of a longer text tells nobody anything.
LONGEST_NAME = 100


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Long texts, and bytes that nobody reads, are called by their argument; pytest counts those that share a name.

    What is packed may differ in every process (gzip writes the time into it), and workers whose tests have different
    names run none.
    """
    is_odd = isinstance(val, bytes) and not (val.isascii() and val.decode().isprintable())
    is_long = isinstance(val, bytes | str) and len(val) > LONGEST_NAME
    return argname if is_odd or is_long else None


def pytest_collection_finish() -> None:
    """Leave what the tests are made of out of every collection of garbage from here on."""
    gc.freeze()


@pytest.fixture(scope="session")
def shared() -> Path:
    folder = _shared()
    if folder is None:
        pytest.skip("the shared corpora are not here: set ERRATA_DATA to the folder with data/ and oracles/")
    return folder


@pytest.fixture(scope="session")
def oracles(shared: Path) -> Path:
    return shared / "oracles"


@pytest.fixture(scope="session")
def data(shared: Path) -> Path:
    return shared / "data"
