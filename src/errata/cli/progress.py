"""A progress bar for work in stages."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def show_bar(least: int = 0) -> Iterator[Callable[[str, int, int], object] | None]:
    """What to tell of a stage, its finished steps and all its steps; None where nobody watches.

    The bar is on standard error. A stage of fewer than `least` steps gets none: it is done before a bar is read.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)
    tasks: dict[str, Any] = {}

    def advance(stage: str, finished: int, total: int) -> None:
        if total < least:
            return
        if stage not in tasks:
            tasks[stage] = bar.add_task(stage, total=total)
            bar.start()
        bar.update(tasks[stage], completed=finished)

    try:
        yield advance
    finally:
        if bar.live.is_started:
            bar.stop()


@contextmanager
def show_bytes() -> Iterator[Callable[[str, int, int], object] | None]:
    """What to tell of a download: its name, the bytes that are here and all of them; None where nobody watches."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    tasks: dict[str, Any] = {}
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:

        def tell(name: str, here: int, whole: int) -> None:
            if name not in tasks:
                tasks[name] = bar.add_task(name)
            bar.update(tasks[name], completed=here, total=whole or None)

        yield tell
