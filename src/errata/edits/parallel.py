"""Extraction in several processes: chunks of pairs go out, annotated sentences come back in order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import Any

from errata.edits.base import Extractor, get_extractor
from errata.model import AnnotatedSentence

Pair = tuple[str, Sequence[str]]


def annotate_in_parallel(
    language: str, options: Mapping[str, Any], pairs: Iterable[Pair], *, workers: int, chunk: int
) -> Iterator[AnnotatedSentence]:
    """What `get_extractor(language, **options).annotate(pairs)` gives, by `workers` processes."""
    stream = iter(pairs)
    pending: deque[Future[list[AnnotatedSentence]]] = deque()
    # Started afresh, not forked: forking a process that has threads (BLAS has) is not safe.
    with ProcessPoolExecutor(workers, get_context("spawn"), _start, (language, dict(options))) as pool:
        while True:
            # Two chunks per worker keep all busy; more would only hold results in memory.
            while len(pending) < 2 * workers and (taken := list(islice(stream, chunk))):
                pending.append(pool.submit(_annotate, taken))
            if not pending:
                return
            yield from pending.popleft().result()


_extractor: Extractor  # of this worker process, set by its initializer


def _start(language: str, options: dict[str, Any]) -> None:
    global _extractor
    # The processes are the parallelism; threads of each BLAS would only fight over the same cores.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _extractor = get_extractor(language, **options)


def _annotate(pairs: list[Pair]) -> list[AnnotatedSentence]:
    return list(_extractor.annotate(pairs))
