"""Every request ends: with an answer, or with 504 when its seconds are over."""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from errata.web.limits import STARTED, Limits
from errata.web.refusals import Refusal, refusal_response

# Who watches its own time (`requests.wait_for`), or that of a body, knows better what took so long: it goes first.
MORE_SECONDS = 0.25
# An answer that has begun must go on: so many seconds may pass until there is more of it.
STREAM_SECONDS = 30.0


class TimeLimit:
    """Ends requests that have no answer within their limit, and answers of which nothing more comes.

    How fast the client reads its answer does not count here: `connections` hangs up on one that does not.
    """

    def __init__(self, app: ASGIApp, *, limits: Limits) -> None:
        self.app, self.limits = app, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        limit, loop = self.limits.find(scope["path"]), asyncio.get_running_loop()
        has_begun = False

        def extend(seconds: float | None) -> None:
            if not deadline.expired():
                deadline.reschedule(None if seconds is None else loop.time() + seconds)

        async def take() -> Message:
            message = await receive()
            if limit.brings_file and not has_begun:
                extend(limit.seconds)
            return message

        async def tell(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            extend(None)
            await send(message)
            extend(STREAM_SECONDS)

        try:
            async with asyncio.timeout_at(scope[STARTED] + limit.seconds + MORE_SECONDS) as deadline:
                await self.app(scope, take, tell)
        except TimeoutError:
            if has_begun or not deadline.expired():
                raise
            refusal = Refusal(504, f"answering took longer than {limit.seconds:g} seconds; try again later")
            await refusal_response(scope, refusal)(scope, receive, send)
