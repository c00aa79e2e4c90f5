"""What a request may take, by its path; bodies that are too long or do not come are refused.

`deadlines` sees to the seconds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from errata.web.connections import CLOSE
from errata.web.refusals import CLIENT_GONE
from errata.web.settings import Settings

# A character takes at most twelve bytes in a form (`%F0%9F%98%80`), and the rest of a request has room beside it: that
# is some ten thousand words of a dictionary, or the markup of a long text.
BYTES_PER_CHARACTER = 12
BYTES_BESIDE = 2**20
# Bodies under `/accounts` (a name, a password) and under `/workbench/api`: a sentence with all its answers and
# comments, or the guidelines of a project.
ACCOUNT_BYTES = 16 * 2**10
WORK_BYTES = 256 * 2**10
# A file of 64 MiB holds half a million sentences.
FILE_BYTES = 64 * 2**20
# Seconds for one step with a file: to read the sentences of the largest, or to write those of a project.
FILE_SECONDS = 300.0
# A file may take longer to come than other bodies: so many bytes buy it one more second.
FILE_BYTES_PER_SECOND = 32 * 2**10
# The bodies of all requests together. When there are more, only short ones are taken: clients that send long ones
# slowly cannot fill the memory, nor keep others from asking.
MAX_HELD = 256 * 2**20
SHORT_BODY = 64 * 1024

# Where a request says since when it is here, in seconds of the loop: reading it and answering it share one deadline.
STARTED = "errata.started"


@dataclass(frozen=True, slots=True)
class Limit:
    """Bytes of the body of a request, and seconds until its answer begins.

    For one that brings a file, the seconds begin again with every piece of it that comes.
    """

    max_bytes: int
    seconds: float
    brings_file: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """The limit of paths with this beginning and end; `*` at the end of the beginning is one step of any name."""

    beginning: str
    end: str
    limit: Limit

    def fits(self, path: str) -> bool:
        if not self.beginning.endswith("*"):
            return path.startswith(self.beginning) and path.endswith(self.end)
        step = path.removeprefix(self.beginning[:-1]).removesuffix(self.end)
        return path == f"{self.beginning[:-1]}{step}{self.end}" and "/" not in step


class Limits:
    """A table of limits: the first row that fits a path counts, and the last one fits every path."""

    def __init__(self, rows: Sequence[Row], default: Limit) -> None:
        self._rows = (*rows, Row("", "", default))

    def find(self, path: str) -> Limit:
        return next(row.limit for row in self._rows if row.fits(path))


def find_limits(settings: Settings) -> Limits:
    """The limits of a server."""
    seconds, file_seconds = settings.timeout, max(settings.timeout, FILE_SECONDS)
    text = Limit(settings.max_length * BYTES_PER_CHARACTER + BYTES_BESIDE, seconds)
    rows = (
        Row("/accounts", "", Limit(ACCOUNT_BYTES, seconds)),
        # No other path may end so: a member called `import` would be 64 MiB of JSON.
        Row("/workbench/api/projects/*", "/import", Limit(FILE_BYTES, file_seconds, brings_file=True)),
        Row("/workbench/api/projects/*", "/export", Limit(WORK_BYTES, file_seconds)),
        Row("/workbench/api", "", Limit(WORK_BYTES, seconds)),
    )
    return Limits(rows, text)


class BodyLimit:
    """Lets no body through that is longer than its limit, or takes more than `timeout` seconds to come."""

    def __init__(self, app: ASGIApp, *, limits: Limits, timeout: float) -> None:
        self.app, self.limits, self.timeout = app, limits, timeout
        self._n_held = 0  # bytes of bodies whose requests are not answered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        limit = self.limits.find(scope["path"])
        headers = dict(scope["headers"])
        declared, encoding = headers.get(b"content-length", b""), headers.get(b"content-encoding", b"identity")
        n_bytes = int(declared) if declared.isdigit() else 0
        scope[STARTED] = asyncio.get_running_loop().time()
        n_read, is_whole = 0, False

        async def read() -> Message:
            nonlocal n_read, is_whole
            if is_whole:
                return await receive()
            if n_bytes > limit.max_bytes:
                raise _too_long(limit)
            if encoding.lower() != b"identity":
                raise HTTPException(415, "the body is compressed: send it as it is, without Content-Encoding")
            more_seconds = n_read / FILE_BYTES_PER_SECOND if limit.brings_file else 0.0
            message = await self._within(scope[STARTED] + self.timeout + more_seconds, receive)
            n_more = len(message.get("body", b""))
            n_read += n_more
            self._n_held += n_more
            if n_read > limit.max_bytes:
                raise _too_long(limit)
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


def _too_long(limit: Limit) -> HTTPException:
    return HTTPException(413, f"the request exceeds the limit of {limit.max_bytes} bytes; send less at a time")
