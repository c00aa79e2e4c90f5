"""The server that is attacked: in memory where the database does not matter, else on both."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

import pytest
from attacked import World, begin
from sqlalchemy import create_engine, text


@pytest.fixture
def world() -> Iterator[World]:
    yield from begin("sqlite://")


@pytest.fixture(scope="module")
def calm_world() -> Iterator[World]:
    """For all tests of a file that change nothing."""
    yield from begin("sqlite://")


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def stored_world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """For all tests of a file, on both databases: whatever one test leaves behind must not matter to the next."""
    url = f"sqlite:///{tmp_path_factory.mktemp('attacked') / 'server.db'}"
    if request.param == "postgres":
        url = new_database(str(request.getfixturevalue("postgres")))
    yield from begin(url)


def new_database(server_url: str) -> str:
    name = f"attacked_{secrets.token_hex(8)}"
    server = create_engine(server_url.replace("postgresql:", "postgresql+psycopg:"), isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    server.dispose()
    return server_url.removesuffix("postgres") + name
