"""Runs of crawls write hundreds of small files; no test cuts the power, so none waits for the disk."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="package", autouse=True)
def _no_waiting() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("errata.files._sync", lambda path: None)
        yield
