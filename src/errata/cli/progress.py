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
