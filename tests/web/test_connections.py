"""Connections of clients that are slow, too many, or gone: a real server, in a thread."""

from __future__ import annotations

import json
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import httpx
import pytest
from table_corrector import SlowCorrector, load_table

from errata.web import connections, limits, run
from errata.web.app import create_app
from errata.web.service import Load
from errata.web.settings import Settings

HOST = b"Host: 127.0.0.1\r\n"
V1 = b"POST /v1/correct HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n"
V2 = b"POST /v2/check HTTP/1.1\r\n" + HOST + b"Content-Length: 100\r\n\r\n"
UPLOADS = {
    "/v1": V1 + b"{",
    "/v2": V2 + b"language=",
    "multipart": V2.replace(b"Host: 127.0.0.1", b"Host: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=x")
    + b"--x\r\n",
}
Start = Callable[..., "Running"]
PATIENCE = 60.0  # a busy machine is slow, not wrong


class Running:
    """A server in a thread; `stop` does what a signal does."""

    def __init__(self, settings: Settings, load: Load) -> None:
        self.app = create_app(settings, load=load)
        self.listener = run.bind("127.0.0.1", 0)
        self.address = self.listener.getsockname()
        started = threading.Event()
        self.thread = threading.Thread(
            target=run.serve, args=(self.app, self.listener), kwargs={"on_start": started.set}
        )
        self.thread.start()
        assert started.wait(PATIENCE)

    def connect(self, sent: bytes = b"") -> socket.socket:
        connection = socket.create_connection(self.address)
        connection.settimeout(PATIENCE)
        connection.sendall(sent)
        return connection

    def get(self, path: str) -> httpx.Response:
        return httpx.get(f"http://{self.address[0]}:{self.address[1]}{path}", timeout=PATIENCE)

    def post(self, text: str) -> httpx.Response:
        return httpx.post(f"http://127.0.0.1:{self.address[1]}/v1/correct", json={"text": text}, timeout=PATIENCE)

    def count(self, path: str, status: int) -> bool:
        """Whether a request to `path` ended with `status`, waiting for it a while."""
        line = f'errata_requests_total{{method="POST",path="{path}",status="{status}"}} 1.0'
        return any(line in self.get("/metrics").text or time.sleep(0.05) for _ in range(1200))

    def stop(self) -> float:
        """Seconds until the server has ended."""
        started = time.monotonic()
        self.app.state.service.drain()
        self.thread.join(30)
        return time.monotonic() - started


def read_all(connection: socket.socket) -> bytes:
    """What comes until the server hangs up."""
    received = b""
    with connection:
        while more := connection.recv(10_000):
            received += more
    return received


def hang_up(connection: socket.socket) -> None:
    """End a connection, and wait until the server has noticed."""
    connection.shutdown(socket.SHUT_WR)
    read_all(connection)


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that waits for nobody; so only tests of those it does not wait for can do with it."""
    monkeypatch.setattr(connections, "HEAD_SECONDS", 1.0)
    monkeypatch.setattr(connections, "READ_SECONDS", 0.5)


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    monkeypatch.setattr(run, "SEND_BUFFER", 16 * 1024)
    monkeypatch.setattr(run, "_log_to_stderr", lambda: None)
    servers: list[Running] = []

    def running(load: Load = load_table, **options: Any) -> Running:
        servers.append(Running(Settings(models={"en": "en"}, **options), load))
        return servers[-1]

    yield running
    for server in servers:
        server.stop()
        server.listener.close()


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("sent", [b"", b"POST /v2/check HTTP/1.1\r\n" + HOST], ids=["nothing", "half the headers"])
def test_who_does_not_ask_is_cut_off(start: Start, sent: bytes) -> None:
    server = start()
    slow = server.connect(sent)
    with httpx.Client(timeout=PATIENCE) as patient:  # an answered one may wait for its next question, as browsers do
        address = f"http://127.0.0.1:{server.address[1]}/healthz"
        assert patient.get(address).status_code == 200
        assert read_all(slow).startswith(b"HTTP/1.1 408 ")
        time.sleep(0.3)
        assert patient.get(address).status_code == 200


@pytest.mark.parametrize("upload", UPLOADS)
def test_a_body_that_does_not_come_is_not_waited_for(start: Start, upload: str) -> None:
    server = start(timeout=0.5)
    answer = read_all(server.connect(UPLOADS[upload]))
    assert answer.startswith(b"HTTP/1.1 408 ") and b"connection: close" in answer.lower()
    assert server.count("/v1/correct" if upload == "/v1" else "/v2/check", 408)


@pytest.mark.parametrize("upload", UPLOADS)
def test_who_hangs_up_while_sending_is_gone_and_no_error(
    start: Start, upload: str, caplog: pytest.LogCaptureFixture
) -> None:
    server = start()
    connection = server.connect(UPLOADS[upload])
    time.sleep(0.1)
    connection.close()
    assert server.count("/v1/correct" if upload == "/v1" else "/v2/check", 499)
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


def test_half_a_body_does_not_hold_up_the_end(start: Start, caplog: pytest.LogCaptureFixture) -> None:
    server = start()
    slow = [server.connect(sent) for sent in (b"", V1[:20], *UPLOADS.values())]
    time.sleep(0.2)
    assert server.stop() < 10  # by itself it would wait for half a minute
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
    for connection in slow:
        connection.close()


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that gives those who are too many as much time as others."""
    monkeypatch.setattr(connections, "SHORT_SECONDS", 10.0)


@pytest.mark.usefixtures("unhurried")
def test_too_many_connections_are_told_so(start: Start) -> None:
    server = start(max_connections=2)
    held = [server.connect() for _ in range(2)]  # taken in the order they came
    crowded = server.get("/healthz")
    assert (
        crowded.status_code == 503
        and crowded.headers["retry-after"]
        and "too many connections" in crowded.json()["detail"]
    )
    for connection in held:
        hang_up(connection)
    assert server.get("/healthz").status_code == 200


LONG_HEAD = HOST + b"X: " + b"a" * connections.HEAD_BYTES + b"\r\n\r\n"
REFUSED = {
    "address": (b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n", 414, "the address exceeds the limit of 64000 bytes"),
    "head": (b"GET /v1/info HTTP/1.1\r\n" + LONG_HEAD, 431, "the head of the request exceeds the limit of 64000 bytes"),
    "headers": (b"GET / HTTP/1.1\r\n" + HOST + b"a: b\r\n" * 101, 431, "or 100 headers; send a shorter one"),
    "no HTTP": (b"\x16\x03\x01\r\n\r\n", 400, "the request is not HTTP as this server understands it"),
    "half a head": (b"GET /v1/info HT", 408, "the head of the request did not come in time"),
}


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize(("sent", "status", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_does_not_reach_the_app_is_refused_in_the_same_words(
    start: Start, sent: bytes, status: int, reason: str
) -> None:
    head, _, body = read_all(start().connect(sent)).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status) and b"content-type: application/json" in head.lower()
    assert list(json.loads(body)) == ["detail"] and reason in json.loads(body)["detail"]
    assert b"content-length: %d" % len(body) in head.lower() and b"connection: close" in head.lower()


def test_clients_of_languagetool_are_refused_in_their_words(start: Start) -> None:
    head, _, body = read_all(start().connect(b"GET /v2/check?text=" + b"a" * 70_000)).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 414 ") and body.startswith(b"Error: the address exceeds the limit")


@pytest.mark.usefixtures("unhurried")
def test_far_too_many_connections_are_hung_up_on(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MAX_TURNED_AWAY", 1)
    server = start(max_connections=2)
    held = [server.connect() for _ in range(3)]
    last = server.connect()
    with suppress(ConnectionError):  # what a client learns depends on how fast it is
        last.sendall(b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n")
        assert read_all(last) == b""
    for connection in held:
        hang_up(connection)
    assert server.get("/healthz").status_code == 200


def ask_for_much(server: Running) -> socket.socket:
    """A connection on which more comes than fits into the buffers of the system."""
    body = json.dumps({"text": "go " * 2_000}).encode()
    head = V1.replace(b"Content-Length: 100", b"Content-Length: %d" % len(body))
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16 * 1024)
    connection.connect(server.address)
    connection.settimeout(PATIENCE)
    connection.sendall((head + body) * 3 + head.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n") + body)
    return connection


@pytest.fixture
def lost(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The addresses of clients whose connections have ended, as they end."""
    addresses: list[Any] = []
    end = connections.Connection.connection_lost

    def note(connection: connections.Connection, error: Exception | None) -> None:
        end(connection, error)
        addresses.append(connection.client)

    monkeypatch.setattr(connections.Connection, "connection_lost", note)
    return addresses


@pytest.mark.usefixtures("hurried")
def test_who_does_not_read_is_hung_up_on(start: Start, lost: list[Any]) -> None:
    server = start()
    with ask_for_much(server) as deaf:
        while deaf.getsockname() not in lost:
            time.sleep(0.01)
        received = read_all(deaf)  # what the system had taken
    assert 0 < received.count(b"HTTP/1.1 200 OK") < 4 and not received.endswith(b"}")
    assert server.get("/healthz").status_code == 200


@pytest.mark.usefixtures("hurried")
def test_who_reads_slowly_gets_it_all(start: Start) -> None:
    server = start()
    received = b""
    with ask_for_much(server) as slow:
        while more := slow.recv(200_000):
            received += more
            time.sleep(0.005)
    assert received.count(b"HTTP/1.1 200 OK") == 4 and received.endswith(b"}")


def test_requests_may_be_sent_ahead(start: Start) -> None:
    server = start()
    ask = b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n"
    with server.connect(ask * 10) as connection:
        received = b""
        while received.count(b"alive") < 10:
            received += connection.recv(10_000)


@pytest.mark.parametrize("is_late", [False, True])
def test_who_leaves_with_requests_ahead_is_gone(start: Start, is_late: bool) -> None:
    """Also when the next request comes while the first is being answered."""
    corrector = SlowCorrector()
    corrector.gate.set()  # to warm up
    server = start(load=lambda _: corrector)
    corrector.gate.clear()
    body = b'{"text": "We go."}'
    connection = server.connect(V1.replace(b"100", b"%d" % len(body)) + body + b"GET /healthz HTTP/1.1\r\n" + HOST)
    while is_late and not server.app.state.service.n_in_flight:
        time.sleep(0.01)
    connection.sendall(b"\r\n")
    while not server.app.state.service.n_in_flight:
        time.sleep(0.01)
    time.sleep(0.1)  # until it is read
    connection.close()
    assert server.count("/v1/correct", 499)
    corrector.gate.set()


def n_held(server: Running) -> int:
    """Bytes of bodies that the server has read for requests it has not answered."""
    layer = server.app.middleware_stack
    while not isinstance(layer, limits.BodyLimit):
        layer = layer.app
    return layer._n_held


def test_too_many_long_bodies_leave_room_for_short_ones(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_HELD", 200_000)
    server = start()
    long = V1.replace(b"Content-Length: 100", b"Content-Length: 1000000") + b" " * 150_000
    held = server.connect(long)
    while n_held(server) < 150_000:
        time.sleep(0.01)
    with server.connect(long) as connection:
        refused = connection.recv(10_000)
    assert refused.startswith(b"HTTP/1.1 503 ") and b"retry-after" in refused.lower()
    assert server.post("We go.").status_code == 200
    held.close()
    assert server.count("/v1/correct", 499)
    assert server.post("We go." + " " * 40_000).status_code == 200


def test_an_upgrade_is_not_taken(start: Start) -> None:
    server = start()
    upgrade = b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: a\r\n\r\n"
    with server.connect(b"GET /healthz HTTP/1.1\r\n" + HOST + upgrade) as connection:
        assert connection.recv(10_000).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("path", ["/v1/correct", "/v2/check"])
def test_reading_and_answering_share_one_deadline(start: Start, path: str) -> None:
    corrector = SlowCorrector()
    corrector.gate.set()  # to warm up
    server = start(load=lambda _: corrector, timeout=1.0)
    corrector.gate.clear()
    body = b'{"text": "We go."}' if path == "/v1/correct" else b"language=en&text=We+go."
    head = (V1 if path == "/v1/correct" else V2).replace(b"Length: 100", b"Length: %d\r\nConnection: close" % len(body))

    def is_refused_in_time() -> bool:
        started = time.monotonic()
        connection = server.connect(head)
        time.sleep(0.7)
        connection.sendall(body)
        return read_all(connection).startswith(b"HTTP/1.1 504 ") and time.monotonic() - started < 1.5

    assert any(is_refused_in_time() for _ in range(5))  # a busy machine may be late, but not always
    corrector.gate.set()
