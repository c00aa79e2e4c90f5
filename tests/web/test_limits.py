"""How long a body may be, by the path it is sent to."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from table_corrector import load_table

from errata.web import limits
from errata.web.app import create_app
from errata.web.limits import ACCOUNT_BYTES, FILE_BYTES, WORK_BYTES, Limit, Limits, Row, find_limits
from errata.web.requests import read_body
from errata.web.settings import Settings

SETTINGS = Settings(models={"en": "en"}, max_length=100)
TEXT_BYTES = 100 * 12 + 2**20
PATHS = {
    "/accounts/login": ACCOUNT_BYTES,
    "/accounts": ACCOUNT_BYTES,
    "/workbench/api/projects/01/import": FILE_BYTES,
    "/workbench/api/projects/01/export": WORK_BYTES,
    "/workbench/api/projects/01/members/import": WORK_BYTES,
    "/workbench/api/items/import": WORK_BYTES,
    "/workbench/api/projects/import": WORK_BYTES,
    "/workbench/api/projects//import": FILE_BYTES,
    "/workbench/api/projects": WORK_BYTES,
    "/workbench/api/tasks/01/submit": WORK_BYTES,
    "/v1/correct": TEXT_BYTES,
    "/v2/check": TEXT_BYTES,
    "/import": TEXT_BYTES,
    "/accounts/import": ACCOUNT_BYTES,
}


@pytest.mark.parametrize(("path", "n_bytes"), PATHS.items())
def test_the_limit_of_a_path(path: str, n_bytes: int) -> None:
    assert find_limits(SETTINGS).find(path).max_bytes == n_bytes


@given(st.text(max_size=60))
def test_every_path_has_a_limit(path: str) -> None:
    limit = find_limits(SETTINGS).find(path)
    assert 0 < limit.max_bytes <= FILE_BYTES and 0 < limit.seconds <= limits.FILE_SECONDS


def test_the_first_row_that_fits_counts() -> None:
    small, large, default = Limit(1, 1.0), Limit(2, 1.0), Limit(3, 1.0)
    table = Limits([Row("/a/", "/x", small), Row("/a", "", large)], default)
    found = [table.find(path) for path in ("/a/b/x", "/a/b", "/ax", "/b/x")]
    assert found == [small, large, large, default]


@pytest.fixture
def echo() -> Iterator[Any]:
    """A client of an app that says how long bodies are."""
    app = create_app(SETTINGS, load_table, ["v1", "languagetool"])  # no part whose paths are taken below
    add_echo(app)
    with TestClient(app, base_url="http://127.0.0.1") as client:
        yield client


def add_echo(app: FastAPI) -> None:
    async def measure(request: Request) -> int:
        return len(await read_body(request))

    async def measure_json(request: Request) -> int:
        await request.json()
        return len(await request.body())

    for path in ("/accounts/login", "/workbench/api/projects/01/import", "/workbench/api/tasks/01/submit"):
        app.add_api_route(path, measure, methods=["POST", "PUT"])
    app.add_api_route("/accounts/json", measure_json, methods=["POST"])


def in_pieces(n_bytes: int) -> Iterator[bytes]:
    for start in range(0, n_bytes, 2**16):
        yield b" " * min(2**16, n_bytes - start)


@pytest.mark.parametrize(
    ("path", "n_bytes"),
    [
        ("/accounts/login", ACCOUNT_BYTES),
        ("/accounts/json", ACCOUNT_BYTES),
        ("/workbench/api/tasks/01/submit", WORK_BYTES),
        ("/workbench/api/projects/01/import", FILE_BYTES),
    ],
)
@pytest.mark.parametrize("is_declared", [True, False])
def test_a_body_of_one_byte_too_many_is_refused(echo: Any, path: str, n_bytes: int, is_declared: bool) -> None:
    def send(length: int) -> Any:
        # JSON of any length: a string, and white space
        body = b'""'.ljust(length) if is_declared else (b'""', *in_pieces(length - 2))
        return echo.post(path, content=body if is_declared else iter(body))

    assert send(n_bytes).json() == n_bytes
    refused = send(n_bytes + 1)
    assert refused.status_code == 413
    assert refused.json() == {"detail": f"the request exceeds the limit of {n_bytes} bytes; send less at a time"}


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "GZIP", "identity, gzip"])
def test_a_bomb_is_not_unpacked(echo: Any, encoding: str) -> None:
    bomb = gzip.compress(b"\0" * 10**7)
    for path in ("/workbench/api/projects/01/import", "/accounts/login"):
        refused = echo.post(path, content=bomb, headers={"Content-Encoding": encoding})
        assert refused.status_code == 415 and "compressed" in refused.json()["detail"]


def test_files_share_the_memory_for_bodies(echo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_HELD", 10**6)
    long, short = b"x" * 2 * 10**6, b"x" * 1000
    refused = echo.post("/workbench/api/projects/01/import", content=long)
    assert refused.status_code == 503 and refused.headers["retry-after"] == "5"
    assert echo.post("/workbench/api/tasks/01/submit", content=short).json() == 1000
