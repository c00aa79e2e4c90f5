"""The real server and a real Chromium, in front of projects that tests make."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from thread_server import serve
from workshop import Browsers, Workshop


@pytest.fixture(scope="session")
def workshop(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    """`errata serve`'s application over table correctors; tests turn its clock by `offset`.

    On SQLite, unless `ERRATA_TEST_POSTGRES=1` or the test's own parameter says PostgreSQL.
    """
    if getattr(request, "param", "") == "postgres" or os.environ.get("ERRATA_TEST_POSTGRES"):
        url = request.getfixturevalue("new_postgres")()
    else:
        url = f"sqlite:///{tmp_path_factory.mktemp('workshop') / 'server.db'}"
    workshop = Workshop(url)
    with serve(workshop.app) as address, workshop:
        workshop.address = address
        yield workshop


@pytest.fixture
def browsers(browser: Any, workshop: Workshop) -> Iterator[Browsers]:
    opened = Browsers(browser, workshop.address)
    yield opened
    assert opened.close() == []
