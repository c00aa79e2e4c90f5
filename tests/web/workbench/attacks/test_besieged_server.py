"""A server process under siege: strange addresses, slow clients, a full disk, a database only to be read, kill -9."""

from __future__ import annotations

import resource
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from people import add_person, log_in
from sqlalchemy import event, text
from table_server import TableServer, table_server
from visitors import API, Visitors

from conftest import new_database
from errata.web.database import open_database, reading

N_SENTENCES = 20_000
SENTENCES = "".join(f"他们回家了{number}次。\n" for number in range(N_SENTENCES)).encode()


class Besieged:
    """A server on a database with one owner, who has a project."""

    def __init__(self, url: str, server: TableServer) -> None:
        self.url, self.server = url, server
        self.client = httpx.Client(base_url=server.address, timeout=60)
        self.headers = log_in(self.client, "owner-1")
        body = {"name": "x", "kind": "rewrite", "language": "zh"}
        made = self.client.post(f"{API}/projects", headers=self.headers, json=body)
        assert made.status_code == 200, made.text
        self.project = f"{API}/projects/{made.json()['id']}"

    def bring(self, content: bytes = SENTENCES) -> httpx.Response:
        return self.client.post(f"{self.project}/import?name=a.txt", headers=self.headers, content=content)

    def n_items(self) -> int:
        return int(self.client.get(f"{self.project}/items?limit=1", headers=self.headers).json()["n_items"])


def besiege(url: str, stack: ExitStack) -> Besieged:
    engine = open_database(url)
    add_person(engine, "owner-1", is_owner=True)
    engine.dispose()
    besieged = Besieged(url, stack.enter_context(table_server(database=url, access_log=False)))
    stack.callback(besieged.client.close)
    return besieged


@pytest.fixture(scope="module")
def besieged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Besieged]:
    with ExitStack() as stack:
        yield besiege(f"sqlite:///{tmp_path_factory.mktemp('besieged') / 'server.db'}", stack)


def exchange(server: TableServer, request: bytes) -> bytes:
    """What a server answers to bytes."""
    with server.connect() as connection:
        connection.sendall(request)
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
    return answer


def ask(server: TableServer, target: str, *headers: str, method: str = "GET") -> bytes:
    lines = [f"{method} {target} HTTP/1.1", *(headers or ("Host: localhost",)), "Connection: close", "", ""]
    return exchange(server, "\r\n".join(lines).encode("latin-1"))


FOLDERS = ("/lib", "/static", "/workbench/static", "/workbench", "")
TRICKS = (
    "/../../../../../../etc/passwd",
    "/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
    "/..%2f..%2f..%2f..%2f..%2fetc%2fpasswd",
    "//etc/passwd",
    "/%2fetc%2fpasswd",
    "/..%5c..%5cetc%5cpasswd",
    "/....//....//etc/passwd",
    "/%252e%252e%252fetc%252fpasswd",
    "/__init__.py",
    "/../app.py",
    "/__init__.py%00.js",
    "/..;/app.py",
    "/messages/../__init__.py",
    "/__pycache__/__init__.cpython-311.pyc",
    "/" + "a" * 300 + ".js",
    "/" + "a/" * 3000 + "x.js",
    "/%ff%fe.js",
    "/.",
    "/.js",
)


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_address_leaves_its_folder(besieged: Besieged, folder: str) -> None:
    for trick in TRICKS:
        answer = ask(besieged.server, folder + trick)
        status = int(answer.split(b" ", 2)[1])
        assert status in (307, 400, 404, 405, 414, 431), (folder, trick, answer[:100])
        assert b"root:" not in answer and b"import annotations" not in answer


def test_other_forms_of_a_request(besieged: Besieged) -> None:
    server = besieged.server
    target = "/accounts/me"
    assert b" 401 " in ask(server, target)[:20]
    assert b" 401 " in ask(server, f"http://evil.example{target}")[:20]  # the name in Host counts
    assert b" 403 " in ask(server, f"http://localhost{target}", "Host: evil.example")[:20]
    assert b" 400 " in ask(server, target, "Host: localhost", "Host: evil.example")[:20]
    assert b" 400 " in ask(server, target, "Host: localhost", "Host: localhost")[:20]
    assert b" 403 " in ask(server, target, "Host: localhost.evil.example")[:20]
    assert b" 400 " in ask(server, target, "Host: localhost@evil.example")[:20]
    assert b" 401 " in ask(server, target, "Host: localhost", "X-Forwarded-Host: evil.example")[:20]
    assert b" 404 " in ask(server, "//accounts/me")[:20] or b" 401 " in ask(server, "//accounts/me")[:20]
    assert b" 400 " in ask(server, "/accounts/%00me")[:20]
    smuggled = b"POST /accounts/logout HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n"
    answer = exchange(server, smuggled + b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 400 ")


def test_no_header_splits_an_answer(besieged: Besieged) -> None:
    answer = ask(besieged.server, f"{API}/projects/x%0d%0aSet-Cookie:%20a=b", "Host: localhost")
    head = answer.partition(b"\r\n\r\n")[0].lower()
    assert b"set-cookie" not in head and b" 401 " in head
    answer = ask(besieged.server, "/x%0d%0aSet-Cookie:%20a=b/", "Host: localhost", "Accept: text/html")
    assert b"set-cookie" not in answer.partition(b"\r\n\r\n")[0].lower()


def test_five_hundred_slow_clients_stop_nobody(besieged: Besieged) -> None:
    """Half of them have not sent their head, half bring a file by a byte at a time, with a session of the owner."""
    cookie = "; ".join(f"{name}={value}" for name, value in besieged.client.cookies.items())
    [token] = besieged.headers.values()
    upload = (
        f"POST {besieged.project}/import?name=a.txt HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n"
        f"X-Errata-CSRF: {token}\r\nContent-Length: 60000000\r\n\r\n"
    ).encode()
    with ExitStack() as stack:
        slow: list[socket.socket] = []
        for number in range(500):
            connection = stack.enter_context(besieged.server.connect())
            connection.sendall(b"GET /accounts/me HTTP/1.1\r\nHo" if number % 2 else upload)
            slow.append(connection)
        for connection in slow[::2]:
            connection.sendall(b"a")
        began = time.monotonic()
        answers = [besieged.client.get("/accounts/me").status_code for _ in range(10)]
        assert answers == [200] * 10 and time.monotonic() - began < 10
    assert besieged.server.peak_mb < 700


def test_an_import_stops_nobody(besieged: Besieged) -> None:
    """Who reads waits neither for the file to be read nor for its sentences to be written."""
    worst, is_over = 0.0, threading.Event()
    answers: list[httpx.Response] = []

    def bring() -> None:
        with httpx.Client(base_url=besieged.server.address, timeout=60, cookies=besieged.client.cookies) as client:
            address = f"{besieged.project}/import?name=a.txt"
            answers.append(client.post(address, headers=besieged.headers, content=SENTENCES * 3))
        is_over.set()

    thread = threading.Thread(target=bring)
    thread.start()
    while not is_over.is_set():
        began = time.monotonic()
        assert besieged.client.get("/accounts/me").status_code == 200
        worst = max(worst, time.monotonic() - began)
    thread.join()
    assert answers[0].status_code == 200 and worst < 5


def test_a_full_disk_is_told_and_passes(tmp_path: Path) -> None:
    with ExitStack() as stack:
        besieged = besiege(f"sqlite:///{tmp_path / 'server.db'}", stack)
        pid = besieged.server.process.pid
        limits = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (400_000, limits[1]))
        refused = besieged.bring()
        assert refused.status_code == 503 and "database" in refused.json()["detail"]
        assert besieged.n_items() == 0 and besieged.client.get("/accounts/me").status_code == 200
        resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)
        assert besieged.bring().status_code == 200 and besieged.n_items() == N_SENTENCES


def test_a_database_that_may_only_be_read(database_url: str) -> None:
    """People still see their work; whoever writes is told to try again later, and waits for nobody."""
    with Visitors(database_url) as visitors:
        owner, body = visitors.visit("owner-1"), {"name": "x", "kind": "rewrite", "language": "zh", "again": True}
        owner.post("/projects", body)
        engine = visitors.app.state.tools.engine
        only_read = "PRAGMA query_only = ON" if engine.dialect.name == "sqlite" else "SET TRANSACTION READ ONLY"

        def forbid(connection: Any) -> None:
            connection.exec_driver_sql(only_read)

        event.listen(engine, "begin", forbid)
        visitors.now += 3600  # the session was seen an hour ago, which cannot be written
        assert len(owner.get("/projects")) == 1
        assert owner.post("/projects", body, status=503)["detail"] == "the database does not answer; try again later"
        event.remove(engine, "begin", forbid)
        engine.dispose()
        owner.post("/projects", body)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_server_killed_during_an_import(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """All sentences of the file are there or none, and the next server starts on the database."""
    url = f"sqlite:///{tmp_path / 'server.db'}"
    if kind == "postgres":
        url = new_database(str(request.getfixturevalue("postgres")))
    with ExitStack() as stack:
        besieged = besiege(url, stack)
        process = besieged.server.process
        threading.Timer(0.6, process.kill).start()
        with pytest.raises(httpx.TransportError):
            while True:
                besieged.bring(SENTENCES * 4)
        process.wait()
    engine = open_database(url)
    with reading(engine) as connection:
        n_items = connection.execute(text("SELECT count(*) FROM items")).scalar_one()
        n_events = connection.execute(text("SELECT count(*) FROM events WHERE kind = 'items.imported'")).scalar_one()
        if kind == "sqlite":
            assert connection.execute(text("PRAGMA integrity_check")).scalar_one() == "ok"
    engine.dispose()
    assert n_items == n_events * 4 * N_SENTENCES
