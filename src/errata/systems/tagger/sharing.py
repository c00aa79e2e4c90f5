"""Sharing sentences out among threads: chunks that are large while there is plenty, and small towards the end."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, islice
from typing import TypeVar

from errata.model import Tokens

# Smaller chunks are not worth a thread.
MIN_CHUNK = 128
# Chunks a thread may be ahead of the one whose results are wanted next.
AHEAD = 4

T = TypeVar("T")
R = TypeVar("R")


def cut_chunks(sentences: Iterable[Tokens], largest: int, workers: int) -> Iterator[list[Tokens]]:
    """The sentences in order, in chunks of at most about `largest` tokens.

    When fewer are left than would keep all workers busy, chunks shrink, so that all finish at about the same time.
    Sentences are taken from the iterable no sooner than needed.
    """
    left: deque[Tokens] = deque()
    n_tokens, source = 0, iter(sentences)
    is_over = False
    while True:
        while not is_over and n_tokens < 2 * workers * largest:
            sentence = next(source, None)
            if sentence is None:
                is_over = True
            else:
                left.append(sentence)
                n_tokens += len(sentence) + 2
        if not left:
            return
        budget = largest if workers == 1 else min(largest, max(n_tokens // (2 * workers), MIN_CHUNK))
        chunk = [left.popleft()]
        size = len(chunk[0]) + 2
        while left and size + len(left[0]) + 2 <= budget:
            chunk.append(left.popleft())
            size += len(chunk[-1]) + 2
        n_tokens -= size
        yield chunk


def map_threads(function: Callable[[T], R], items: Iterable[T], workers: int) -> Iterator[R]:
    """The function's values in order, computed by so many threads at once, a few items ahead.

    This thread is one of them: it takes on an item that nobody has begun whenever the value wanted next is not there.
    One thread more than there are cores costs a tenth of the speed.
    """
    source = iter(items)
    first = list(islice(source, 2))
    if workers == 1 or len(first) < 2:
        yield from map(function, first)
        yield from map(function, source)
        return
    pool = ThreadPoolExecutor(workers - 1)
    waiting: deque[tuple[Future[R], T]] = deque()
    try:
        for item in chain(first, source):
            waiting.append((pool.submit(function, item), item))
            if len(waiting) > AHEAD * workers:
                yield _next_value(function, waiting)
        while waiting:
            yield _next_value(function, waiting)
    finally:
        pool.shutdown(cancel_futures=True)


def _next_value(function: Callable[[T], R], waiting: deque[tuple[Future[R], T]]) -> R:
    """The value of the first that waits; until it is there, others are computed here."""
    for place, (future, item) in enumerate(waiting):
        if waiting[0][0].done():
            break
        if future.cancel():
            mine: Future[R] = Future()
            try:
                mine.set_result(function(item))
            except Exception as error:
                mine.set_exception(error)
            waiting[place] = mine, item
    return waiting.popleft()[0].result()
