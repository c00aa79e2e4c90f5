"""Requests whose body is too long are refused before they are read."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# A character takes at most twelve bytes in a form (`%F0%9F%98%80`), and the rest of a request has room beside it.
BYTES_PER_CHARACTER = 12
BYTES_BESIDE = 4 * 2**20


class BodyLimit:
    """Lets no body through that is longer than `max_length` characters can be."""

    def __init__(self, app: ASGIApp, *, max_length: int) -> None:
        self.app, self.limit = app, max_length * BYTES_PER_CHARACTER + BYTES_BESIDE

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        declared = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        n_bytes = int(declared) if declared.isdigit() else 0
        n_read = 0

        async def count() -> Message:
            nonlocal n_read
            if n_bytes > self.limit:
                raise self._refusal()
            message = await receive()
            n_read += len(message.get("body", b""))
            if n_read > self.limit:
                raise self._refusal()
            return message

        await self.app(scope, count, send)

    def _refusal(self) -> HTTPException:
        return HTTPException(413, f"the request exceeds the limit of {self.limit} bytes; send a shorter text")
