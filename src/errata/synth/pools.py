"""Work in several processes, with results in the order in which it was given."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, TypeVar

Result = TypeVar("Result")

# Pieces of work under way for each process: enough to keep it busy, few enough to keep memory flat.
AHEAD = 3


def run_in_order(
    function: Callable[..., Result],
    work: Iterable[tuple[Any, ...]],
    *,
    workers: int,
    start: Callable[..., None],
    arguments: tuple[Any, ...],
) -> Iterator[Result]:
    """What `function` makes of the arguments of each piece of work, in order; `start` readies each process."""
    # Fresh processes: forked ones would inherit whatever threads the caller has running.
    with ProcessPoolExecutor(workers, get_context("spawn"), start, arguments) as pool:
        pending: deque[Future[Result]] = deque()
        try:
            for piece in work:
                pending.append(pool.submit(function, *piece))
                if len(pending) >= AHEAD * workers:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            for future in pending:  # an error, or nobody wants more: what has not begun need not be done
                future.cancel()
