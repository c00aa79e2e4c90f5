"""Threads for work that must not hold up the event loop: what takes long there makes every client wait."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import BoundedSemaphore
from typing import ParamSpec, TypeVar

from errata.web.limits import SHORT_BODY
from errata.web.refusals import busy

Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer")

RETRY_SECONDS = 5
# Python runs one thread at a time: more of them would only take turns, and the event loop would wait for its own.
SHORT_THREADS, LONG_THREADS = 2, 1


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


class Lanes:
    """Threads that read requests and write answers: short requests do not wait behind long ones."""

    def __init__(self, capacity: int) -> None:
        self._short = Threads("short", n_threads=SHORT_THREADS, capacity=capacity)
        self._long = Threads("long", n_threads=LONG_THREADS, capacity=capacity)

    def choose(self, body: bytes) -> Threads:
        """The threads for a request with this body."""
        return self._long if len(body) > SHORT_BODY else self._short

    def close(self) -> None:
        self._short.close()
        self._long.close()
