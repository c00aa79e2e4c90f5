"""Threads for work that must not hold up the event loop: what takes long there makes every client wait."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import BoundedSemaphore
from typing import ParamSpec, TypeVar

from errata.web.refusals import busy

Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer")

RETRY_SECONDS = 5


class Threads:
    """A few threads for one kind of work. Each kind has its own, so that one that is stuck stops no other."""

    def __init__(self, name: str, *, n_threads: int, capacity: int) -> None:
        """At most `capacity` calls are running or waiting; more are refused."""
        self._pool = ThreadPoolExecutor(n_threads, thread_name_prefix=name)
        self._room = BoundedSemaphore(capacity)

    async def run(
        self, function: Callable[Parameters, Answer], *arguments: Parameters.args, **options: Parameters.kwargs
    ) -> Answer:
        """What the function returns. Cancelling drops the call if it still waits; one that runs goes on."""
        if not self._room.acquire(blocking=False):
            raise busy(RETRY_SECONDS)
        future = self._pool.submit(function, *arguments, **options)
        # Not when the request ends: a call that nobody waits for any more still has its thread.
        future.add_done_callback(self._make_room)
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """Drop what waits; what runs is finished."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _make_room(self, _: Future[Answer]) -> None:
        self._room.release()
