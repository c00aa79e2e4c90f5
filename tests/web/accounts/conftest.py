"""An app with a clock that tests turn, on each database."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from table_corrector import load_table


class TurnedClock:
    """A clock that stands still until it is turned."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now

    def turn(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock() -> TurnedClock:
    return TurnedClock()


@pytest.fixture
def app(database_url: str, clock: TurnedClock) -> Iterator[Any]:
    from errata.web.app import create_app
    from errata.web.settings import Settings

    app = create_app(Settings(models={"en": "en"}, database=database_url), load=load_table, clock=clock)
    yield app
    app.state.tools.close()


@pytest.fixture
def open_client(app: Any) -> Iterator[Any]:
    """Opens browsers: each has its own cookies."""
    from fastapi.testclient import TestClient

    def open_one(base_url: str = "http://127.0.0.1", address: str = "192.0.2.1") -> Any:
        return TestClient(app, base_url=base_url, raise_server_exceptions=False, client=(address, 50_000))

    yield open_one


@pytest.fixture
def visitor(open_client: Any) -> Any:
    """A browser that has never been here."""
    return open_client()
