"""Reading a request, and waiting for its answer no longer than the client does, nor than the server may."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from fastapi import Request

from errata.web.limits import STARTED
from errata.web.refusals import CLIENT_GONE, Refusal

Answer = TypeVar("Answer")


async def read_body(request: Request) -> bytes:
    """The whole body, however small the pieces are that it comes in."""
    body = bytearray()
    async for piece in request.stream():
        body += piece
    return bytes(body)


async def wait_for(request: Request, work: Coroutine[Any, Any, Answer], timeout: float) -> Answer:
    """The result of `work`, which is cancelled when the client goes away.

    It is also cancelled when `timeout` seconds are over since the request began; reading its body is part of them.
    """
    left = request.scope[STARTED] + timeout - asyncio.get_running_loop().time()
    task = asyncio.ensure_future(work)
    watch = asyncio.ensure_future(_disconnect(request))
    try:
        done, _ = await asyncio.wait({task, watch}, timeout=max(0.0, left), return_when=asyncio.FIRST_COMPLETED)
        if task in done:
            return task.result()
        if watch in done:
            raise Refusal(CLIENT_GONE, "the client went away")
        raise Refusal(504, f"checking took longer than {timeout:g} seconds; submit a shorter text or try again later")
    finally:
        task.cancel()
        watch.cancel()


async def _disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
