"""Connections: no more than the server can hold, and none that keeps it waiting for a request.

Bodies that do not come are dealt with in `limits`: what is asked for is known by then, and refused as usual.
"""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.responses import PlainTextResponse
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

# For the head of a request, from its first byte or the beginning of the connection.
HEAD_SECONDS = 10.0
# For the same when there are too many, and for the rest of a body when the server ends.
SHORT_SECONDS = 1.0
CLOSE = {"Connection": "close"}
TOO_LATE = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
TOO_MANY = PlainTextResponse("Error: too many connections; try again later", 503, {"Retry-After": "5", **CLOSE})


class Connection(HttpToolsProtocol):
    """uvicorn's own, which waits for ever."""

    def __init__(self, *args: Any, max_connections: int, **options: Any) -> None:
        super().__init__(*args, **options)
        self._max_connections = max_connections
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        is_too_many = len(self.connections) > self._max_connections
        if is_too_many:
            self.app = TOO_MANY
        self._await_head(SHORT_SECONDS if is_too_many else HEAD_SECONDS)

    def data_received(self, data: bytes) -> None:
        self._await_head(HEAD_SECONDS)
        super().data_received(data)
        if self._is_answering:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        super().shutdown()
        self.loop.call_later(SHORT_SECONDS, self._drop_half_sent)

    @property
    def _is_answering(self) -> bool:
        """Whether a request has begun, with all of its head, and is not answered yet."""
        return self.cycle is not None and not self.cycle.response_complete

    def _await_head(self, seconds: float) -> None:
        if self._deadline is None and not self._is_answering:
            self._deadline = self.loop.call_later(seconds, self._cut_off)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _cut_off(self) -> None:
        self.transport.write(TOO_LATE)
        self.transport.close()

    def _drop_half_sent(self) -> None:
        if self._is_answering and self.cycle.more_body:
            self.transport.close()
