"""How far a run is: what its tasks have saved so far, wherever they run."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from errata.crawl.job import Job
from errata.crawl.reading import READ

SECONDS_BETWEEN_LOOKS, SECONDS_BETWEEN_LINES = 1.0, 10.0


@dataclass(frozen=True, slots=True)
class Progress:
    """Records read, bytes of the inputs read, and paragraphs that passed the filters."""

    n_records: int = 0
    n_bytes: int = 0
    n_paragraphs: int = 0


def read_progress(job: Job) -> Progress:
    """What the tasks that read have saved."""
    n_records = n_bytes = n_paragraphs = 0
    for task in range(len(job.groups)):
        known = _last(job.path(READ, task, ".progress"))
        n_records += known.get("records", 0)
        n_bytes += known.get("bytes", 0)
        n_paragraphs += known.get("paragraphs", 0)
    return Progress(n_records, n_bytes, n_paragraphs)


def _last(path: Path) -> dict[str, Any]:
    try:
        known: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):  # not there yet, or just being written
        return {}
    return known


@contextmanager
def shown_progress(job: Job, stage: str, n_tasks: int) -> Iterator[None]:
    """Tell on stderr how far a stage is: a line that changes on a terminal, else a line now and then."""
    stop = threading.Event()
    watcher = threading.Thread(target=_watch, args=(job, stage, n_tasks, stop), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        stop.set()
        watcher.join()


def _watch(job: Job, stage: str, n_tasks: int, stop: threading.Event) -> None:
    begun, before = time.monotonic(), read_progress(job)
    is_live, told = sys.stderr.isatty(), begun
    while not stop.wait(SECONDS_BETWEEN_LOOKS):
        now = time.monotonic()
        if is_live or now - told >= SECONDS_BETWEEN_LINES:
            told = now
            line = describe(job, stage, n_tasks, before, now - begun)
            print(f"\r\033[K{line}" if is_live else line, end="" if is_live else "\n", file=sys.stderr, flush=True)
    if is_live:
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def describe(job: Job, stage: str, n_tasks: int, before: Progress, seconds: float) -> str:
    """How far a stage is, and how fast."""
    n_done = sum(job.is_done(stage, task) for task in range(n_tasks))
    line = f"{stage}: {n_done} of {n_tasks} tasks"
    if stage != READ:
        return line
    now = read_progress(job)
    n_records, n_bytes = now.n_records - before.n_records, now.n_bytes - before.n_bytes
    share = f" ({100 * now.n_bytes / job.n_bytes:.0f} % of the bytes)" if job.n_bytes else ""
    return (
        f"{line}{share}, {now.n_records:,} records, {now.n_paragraphs:,} paragraphs; "
        f"{n_records / seconds:,.0f} records/s, {n_bytes / seconds / 1e6:.1f} MB/s"
    )
