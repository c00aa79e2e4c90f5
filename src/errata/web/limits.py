"""Bodies: those that are too long are refused before they are read, and those that do not come are given up."""

from __future__ import annotations

import asyncio

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from errata.web.connections import CLOSE
from errata.web.refusals import CLIENT_GONE

# A character takes at most twelve bytes in a form (`%F0%9F%98%80`), and the rest of a request has room beside it: that
# is some ten thousand words of a dictionary, or the markup of a long text.
BYTES_PER_CHARACTER = 12
BYTES_BESIDE = 2**20
# The bodies of all requests together. When there are more, only short ones are taken: clients that send long ones
# slowly cannot fill the memory, nor keep others from asking.
MAX_HELD = 256 * 2**20
SHORT_BODY = 64 * 1024

# Where a request says since when it is here, in seconds of the loop: reading it and answering it share one deadline.
STARTED = "errata.started"


class BodyLimit:
    """Lets no body through that is longer than `max_length` characters can be, or takes more than `timeout` seconds."""

    def __init__(self, app: ASGIApp, *, max_length: int, timeout: float) -> None:
        self.app, self.limit, self.timeout = app, max_length * BYTES_PER_CHARACTER + BYTES_BESIDE, timeout
        self._n_held = 0  # bytes of bodies whose requests are not answered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        declared, encoding = headers.get(b"content-length", b""), headers.get(b"content-encoding", b"identity")
        n_bytes = int(declared) if declared.isdigit() else 0
        scope[STARTED] = asyncio.get_running_loop().time()
        deadline = scope[STARTED] + self.timeout
        n_read, is_whole = 0, False

        async def read() -> Message:
            nonlocal n_read, is_whole
            if is_whole:
                return await receive()
            if n_bytes > self.limit:
                raise self._too_long()
            if encoding.lower() != b"identity":
                raise HTTPException(415, "the body is compressed: send it as it is, without Content-Encoding")
            message = await self._within(deadline, receive)
            n_more = len(message.get("body", b""))
            n_read += n_more
            self._n_held += n_more
            if n_read > self.limit:
                raise self._too_long()
            if self._n_held > MAX_HELD and n_read > SHORT_BODY:
                raise HTTPException(503, "the server has too much to read; try again later", {"Retry-After": "5"})
            is_whole = not message.get("more_body", False)
            return message

        try:
            await self.app(scope, read, send)
        finally:
            self._n_held -= n_read

    async def _within(self, deadline: float, receive: Receive) -> Message:
        """The next part of a body; an HTTP exception is the only one that everybody who reads bodies lets through."""
        try:
            async with asyncio.timeout_at(deadline):
                message = await receive()
        except TimeoutError as error:
            raise HTTPException(408, f"the request did not come within {self.timeout:g} seconds", CLOSE) from error
        if message["type"] == "http.disconnect":
            raise HTTPException(CLIENT_GONE, "the client went away")
        return message

    def _too_long(self) -> HTTPException:
        return HTTPException(413, f"the request exceeds the limit of {self.limit} bytes; send a shorter text")
