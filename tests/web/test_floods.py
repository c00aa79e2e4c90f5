"""Clients that send without end: what a server process keeps of it, measured."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from table_server import TableServer, table_server

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")

FLOOD_BYTES = 200 * 2**20
# What a server may take for one client: pieces as they are read, a body as long as it may be, and its text.
ROOM_MB = 40
PIECE_BYTES = 2**18

HOST = b"Host: 127.0.0.1\r\n"
CHUNKED = b"POST /v2/check HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n"
# A text with enough to do that the requests behind it wait.
LONG = json.dumps({"text": "We go to school. My freind go. " * 1600}).encode()
SLOW = b"POST /v1/correct HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"
# What is sent first, what is sent again and again, and the status that ends it (none: it is hung up on).
FLOODS = {
    "request line": (b"GET /", b"a", b"414"),
    "query": (b"GET /v2/check?text=", b"a+", b"414"),
    "header line": (b"GET / HTTP/1.1\r\n" + HOST + b"X: ", b"a", b"431"),
    "header name": (b"GET / HTTP/1.1\r\n" + HOST, b"a", b"431"),
    "headers": (b"GET / HTTP/1.1\r\n" + HOST, b"a: b\r\n", b"431"),
    "chunk extension": (CHUNKED + b"1;", b"a", b""),
    "chunk extensions": (CHUNKED, b"1;" + b"a" * 100 + b"\r\na\r\n", b""),
    "trailer line": (CHUNKED + b"1\r\na\r\n0\r\nX: ", b"a", b""),
    "trailers": (CHUNKED + b"1\r\na\r\n0\r\n", b"a: b\r\n", b""),
    "chunked body": (CHUNKED, b"10000\r\n" + b"a" * 65536 + b"\r\n", b"413"),
    "requests ahead": (SLOW % (len(LONG), LONG), b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n", b""),
    "empty lines": (b"", b"\r\n", b"431"),
}


@pytest.fixture(scope="module")
def server() -> Iterator[TableServer]:
    with table_server(access_log=False) as server:
        httpx.post(
            f"{server.address}/v1/correct", content=LONG, headers={"Content-Type": "application/json"}, timeout=120
        )
        yield server


def flood(connection: socket.socket, start: bytes, again: bytes) -> bytes:
    """What a client hears that sends until it may not."""
    piece = again * (PIECE_BYTES // len(again))
    heard = b""
    try:
        connection.sendall(start)
        for _ in range(FLOOD_BYTES // len(piece)):
            connection.sendall(piece)
    except (ConnectionError, TimeoutError):
        pass
    try:
        while b"\r\n\r\n" not in heard and (more := connection.recv(PIECE_BYTES)):
            heard += more
    except (ConnectionError, TimeoutError):
        pass
    return heard


@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_takes_no_memory(server: TableServer, name: str) -> None:
    start, again, status = FLOODS[name]
    before = server.peak_mb
    with server.connect() as connection:
        heard = flood(connection, start, again)
    assert server.peak_mb - before < ROOM_MB
    assert not status or heard.startswith(b"HTTP/1.1 " + status)
    assert httpx.get(f"{server.address}/healthz", timeout=120).status_code == 200
