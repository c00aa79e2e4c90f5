"""No request goes on for ever, whatever its route does."""

from __future__ import annotations

import asyncio
import select
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Request
from fastapi.responses import StreamingResponse
from fastapi.routing import APIRoute, iter_route_contexts
from own_loop import finish
from starlette.routing import Mount, Route
from table_corrector import load_table

from errata.web import deadlines, limits, run
from errata.web.app import create_app
from errata.web.requests import read_body
from errata.web.settings import Settings

SECONDS = 0.05
TEXT = "text/html,application/xhtml+xml,*/*;q=0.8"


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> Iterator[FastAPI]:
    """An app that has hardly any time."""
    monkeypatch.setattr(limits, "FILE_SECONDS", SECONDS)
    app = create_app(Settings(models={"en": "en"}, timeout=SECONDS, access_log=False), load=load_table)
    yield app
    app.state.tools.close()


@pytest.fixture
def calm_app() -> Iterator[FastAPI]:
    """An app that has time enough, whatever else the machine does."""
    app = create_app(Settings(models={"en": "en"}, access_log=False), load=load_table)
    yield app
    app.state.tools.close()


def ask(app: FastAPI, scenario: Callable[[httpx.AsyncClient], Awaitable[None]]) -> None:
    async def run_it() -> None:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=30) as client:
            await scenario(client)

    finish(run_it())


def walk(app: FastAPI) -> Iterator[tuple[str, str]]:
    """A method and an address for everything that the app serves."""
    for context in iter_route_contexts(app.routes):
        route = context.original_route
        if isinstance(route, Mount):
            yield "GET", f"{route.path}/x"
        else:
            assert isinstance(route, Route), f"{route} is a kind of route that this test cannot hold up"
            address = (context.path or "").replace("{", "").replace("}", "")
            yield from ((method, address) for method in sorted(context.methods or {"GET"}))


def test_every_route_has_a_limit(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    async def hang(*_: Any) -> None:
        await asyncio.Event().wait()

    found = list(walk(app))
    assert len(found) > 15 and {("POST", "/v1/correct"), ("GET", "/"), ("GET", "/static/x")} <= set(found)
    for kind in (Route, APIRoute, Mount):
        monkeypatch.setattr(kind, "handle", hang)

    async def scenario(client: httpx.AsyncClient) -> None:
        async with asyncio.timeout(60):
            answers = await asyncio.gather(*(client.request(method, address) for method, address in found))
        assert [one for one, answer in zip(found, answers, strict=True) if answer.status_code != 504] == []

    ask(app, scenario)


def test_who_asks_is_told_what_took_too_long(app: FastAPI) -> None:
    @app.get("/workbench/api/slow")
    @app.get("/slow")
    @app.get("/v2/slow")
    async def slow() -> None:
        await asyncio.Event().wait()

    async def scenario(client: httpx.AsyncClient) -> None:
        told = "answering took longer than 0.05 seconds; try again later"
        answer = await client.get("/workbench/api/slow", headers={"Accept": TEXT})
        assert answer.status_code == 504 and answer.json() == {"detail": told}
        assert (await client.get("/v2/slow")).text == f"Error: {told}"
        page = await client.get("/slow", headers={"Accept": TEXT})
        assert page.headers["content-type"].startswith("text/html") and told in page.text

    ask(app, scenario)


def test_work_that_is_given_up_is_cancelled(app: FastAPI) -> None:
    ended: list[str] = []

    @app.post("/slow")
    async def slow() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")

    async def scenario(client: httpx.AsyncClient) -> None:
        assert (await client.post("/slow")).status_code == 504
        assert ended == ["cancelled"]

    ask(app, scenario)


def test_an_error_of_the_route_stays_its_own(calm_app: FastAPI) -> None:
    @calm_app.get("/late")
    async def late() -> None:
        raise TimeoutError("of something else")

    async def scenario(client: httpx.AsyncClient) -> None:
        assert (await client.get("/late")).status_code == 500

    ask(calm_app, scenario)


@contextmanager
def serving(app: FastAPI) -> Iterator[str]:
    """The address of a real server of this app."""
    listener, started = run.bind("127.0.0.1", 0), threading.Event()
    thread = threading.Thread(target=run.serve, args=(app, listener), kwargs={"on_start": started.set})
    thread.start()
    assert started.wait(30)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        app.state.service.drain()
        thread.join()
        listener.close()


def test_an_answer_that_goes_on_may_take_its_time_and_one_that_stops_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadlines, "STREAM_SECONDS", 1.0)
    app = create_app(Settings(models={"en": "en"}, timeout=1.0, access_log=False), load_table, ["operations"])

    async def pieces(n_pieces: int, *, stops: bool) -> AsyncIterator[bytes]:
        for _ in range(n_pieces):
            yield b"piece\n"
            await asyncio.sleep(0.1)
        if stops:
            await asyncio.Event().wait()

    @app.get("/stream")
    async def stream(stops: bool = False) -> StreamingResponse:
        return StreamingResponse(pieces(1 if stops else 15, stops=stops))  # longer than there may be nothing

    with serving(app) as address, httpx.Client(base_url=address, timeout=60) as client:
        assert client.get("/stream").text == "piece\n" * 15
        with pytest.raises(httpx.RemoteProtocolError), client.stream("GET", "/stream?stops=1") as answer:
            assert answer.status_code == 200
            list(answer.iter_bytes())


def test_a_file_may_come_slowly_but_must_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FILE_SECONDS", 1.0)
    monkeypatch.setattr(limits, "FILE_BYTES_PER_SECOND", 1000)
    app = create_app(Settings(models={"en": "en"}, timeout=0.4, access_log=False), load_table, ["operations"])

    @app.post("/workbench/api/projects/{project_id}/import")
    @app.post("/workbench/api/projects/{project_id}/other")
    async def bring(request: Request) -> int:
        return len(await read_body(request))

    def send(path: str, n_pieces: int, n_bytes: int) -> bytes:
        """The first line of the answer to a body of 5,000 bytes that comes in pieces."""
        head = f"POST /workbench/api/projects/x/{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5000\r\n\r\n"
        with socket.create_connection((host, int(port))) as connection:
            connection.settimeout(60)
            connection.sendall(head.encode())
            for _ in range(n_pieces):
                if select.select([connection], [], [], 0.1)[0]:
                    break  # the answer is there before all was sent
                connection.sendall(b"x" * n_bytes)
            return connection.recv(1000).partition(b"\r\n")[0]

    with serving(app) as address:
        host, _, port = address.removeprefix("http://").partition(":")
        assert send("import", 10, 500) == b"HTTP/1.1 200 OK"
        assert send("other", 10, 500).startswith(b"HTTP/1.1 408")
        assert send("import", 7, 1).startswith(b"HTTP/1.1 408")
