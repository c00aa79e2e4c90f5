"""Connections: no more than the server can hold, and none that makes it wait or keep what nobody needs.

A client may send a head of some size, ask for some answers ahead, and must read its answers. Bodies are dealt with in
`limits`: what is asked for is known by then, and refused as usual.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any

from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from errata.web.refusals import Refusal, refusal_response

# For the head of a request, from its first byte or the beginning of the connection.
HEAD_SECONDS = 10.0
# For the same when there are too many, for the rest of a body when the server ends, and to read a refusal.
SHORT_SECONDS = 1.0
# The longest head of a request, with its path and query: browsers send some kilobytes, and parsers take 65,535 at most.
HEAD_BYTES = 64_000
MAX_HEADERS = 100
# What may stand around each chunk of a chunked body: its size takes 20 bytes at most.
CHUNK_BYTES = 32
# Requests that may wait on one connection for the answer to the one before them.
MAX_AHEAD = 16
# Connections beyond the limit that are told so; whoever comes then is hung up on.
MAX_TURNED_AWAY = 50
# Who takes nothing of an answer in READ_SECONDS is not reading it. The system tells of room only when a third of its
# buffer is free, and makes the buffer twice as large as it is told: slower than 6 kB a second is nothing.
READ_SECONDS, SEND_BUFFER = 30.0, 256 * 1024
CLOSE = {"Connection": "close"}
# What a client is told whose request does not reach the app.
REASONS = {
    HTTPStatus.BAD_REQUEST: "the request is not HTTP as this server understands it",
    HTTPStatus.REQUEST_TIMEOUT: "the head of the request did not come in time",
    HTTPStatus.REQUEST_URI_TOO_LONG: f"the address exceeds the limit of {HEAD_BYTES} bytes; send the text in the body",
    HTTPStatus.TOO_MANY_REQUESTS: f"{MAX_AHEAD} requests wait on this connection already; read their answers first",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: (
        f"the head of the request exceeds the limit of {HEAD_BYTES} bytes or {MAX_HEADERS} headers; send a shorter one"
    ),
}


class _Unacceptable(Exception):
    """Ends the parsing of what a client sends."""


async def turn_away(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers whatever is asked on a connection that is one too many."""
    refusal = Refusal(503, "too many connections; try again later", retry_after=5, headers=CLOSE)
    await refusal_response(scope, refusal)(scope, receive, send)


class Connection(HttpToolsProtocol):
    """uvicorn's own, which waits for ever and takes whatever comes."""

    def __init__(self, *args: Any, max_connections: int, **options: Any) -> None:
        super().__init__(*args, **options)
        self._max_connections = max_connections
        self._deadline: asyncio.TimerHandle | None = None
        self._reader_check: asyncio.TimerHandle | None = None
        self._n_unread = 0  # bytes of answers when it was last looked
        self._status = HTTPStatus.BAD_REQUEST  # what is told to a client that cannot be understood
        self._is_refused = False
        # Of the request that is coming: bytes that are not its body, its chunks, and whether its head is complete.
        self._n_beside = self._n_chunks = 0
        self._has_head = False
        self._running: Any = None  # the request that is being answered; `cycle` is the last one that came

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        n_too_many = len(self.connections) - self._max_connections
        if n_too_many > MAX_TURNED_AWAY:
            transport.abort()
            return
        if n_too_many > 0:
            self.app = turn_away
        self._await_head(SHORT_SECONDS if n_too_many > 0 else HEAD_SECONDS)
        self._reader_check = self.loop.call_later(READ_SECONDS, self._check_reader)

    def data_received(self, data: bytes) -> None:
        if self._is_refused:
            return
        self._await_head(HEAD_SECONDS)
        self._n_beside += len(data)
        super().data_received(data)
        if self._n_beside > HEAD_BYTES + self._n_chunks * CHUNK_BYTES and not self._is_refused:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        if self._is_answering:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        if self._reader_check is not None:
            self._reader_check.cancel()
        super().connection_lost(exc)
        if self._running is not None and not self._running.response_complete:
            self._running.disconnected = True
            self._running.message_event.set()

    def shutdown(self) -> None:
        super().shutdown()
        self.loop.call_later(SHORT_SECONDS, self._drop_half_sent)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._n_beside = self._n_chunks = 0
        self._has_head = False

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        if len(self.url) > HEAD_BYTES:
            self._give_up(HTTPStatus.REQUEST_URI_TOO_LONG)

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._has_head:
            return  # behind a chunked body: nobody asks for those, and the head that was checked stays as it was
        super().on_header(name, value)
        if len(self.headers) > MAX_HEADERS:
            self._give_up(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def on_headers_complete(self) -> None:
        self._has_head = True
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > HEAD_BYTES:
            self._give_up(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        if len(self.pipeline) >= MAX_AHEAD:
            self._give_up(HTTPStatus.TOO_MANY_REQUESTS)
        super().on_headers_complete()
        if self.pipeline:
            self.flow.resume_reading()  # else nobody would notice that the client went away

    def on_chunk_header(self) -> None:
        self._n_chunks += 1

    def on_body(self, body: bytes) -> None:
        self._n_beside = max(0, self._n_beside - len(body))
        super().on_body(body)

    def send_400_response(self, msg: str) -> None:
        """Tell the client that what it sent is not taken; uvicorn calls it for whatever its parser does not."""
        self._refuse(self._status)

    def _give_up(self, status: HTTPStatus) -> None:
        self._status = status
        raise _Unacceptable(status.phrase)

    def _refuse(self, status: HTTPStatus) -> None:
        """Send a status, unless an answer is awaited that it would be taken for, and hang up."""
        self._is_refused = True
        self._stop_waiting()
        if self._is_answering or self.transport.is_closing():
            self.transport.close()
            return
        self.transport.write(_written(status, self._path))
        # Closed at once, with more coming in, a client would learn of that only, and not why.
        self.transport.write_eof()
        self.loop.call_later(SHORT_SECONDS, self.transport.abort)

    @property
    def _path(self) -> str:
        """The path that was asked for, as far as it came."""
        return getattr(self, "url", b"").decode("latin-1")

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    @property
    def _is_answering(self) -> bool:
        """Whether a request has begun, with all of its head, and is not answered yet."""
        return self.cycle is not None and not self.cycle.response_complete

    def _await_head(self, seconds: float) -> None:
        if self._deadline is None and not self._is_answering:
            self._deadline = self.loop.call_later(seconds, self._refuse, HTTPStatus.REQUEST_TIMEOUT)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _check_reader(self) -> None:
        """Hang up on a client that does not read what it asked for."""
        n_unread = self.transport.get_write_buffer_size()
        is_held_up = self.flow.write_paused or self.transport.is_closing()
        if is_held_up and 0 < self._n_unread <= n_unread:
            self.transport.abort()
            return
        self._n_unread = n_unread if is_held_up else 0
        self._reader_check = self.loop.call_later(READ_SECONDS, self._check_reader)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._n_unread = 0  # it has read nearly all there was

    def _drop_half_sent(self) -> None:
        if self._is_answering and self.cycle.more_body:
            self.transport.close()


def _written(status: HTTPStatus, path: str) -> bytes:
    """The answer with this status, as the app would write it for this path."""
    scope = {"method": "", "path": path, "headers": []}  # whatever else came is not to be trusted
    response = refusal_response(scope, Refusal(status, REASONS[status], headers=CLOSE))
    head = [b"HTTP/1.1 %d %s" % (status, status.phrase.encode()), *map(b": ".join, response.raw_headers)]
    return b"\r\n".join([*head, b"", bytes(response.body)])
