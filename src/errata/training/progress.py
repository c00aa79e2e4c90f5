"""What a person sees while a run trains: a live bar on a terminal (with rich), else a line now and then; on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from errata.training.loop import Show

SECONDS_BETWEEN_LINES = 5.0


@contextmanager
def shown_progress() -> Iterator[Show]:
    """A function to show records with: a bar where there is a terminal and rich, else lines."""
    try:
        import rich.progress
    except ImportError:
        rich = None  # type: ignore[assignment]
    if rich is None or not sys.stderr.isatty():
        yield _Lines()
        return
    from rich.console import Console

    columns = (
        rich.progress.TextColumn("{task.description}"),
        rich.progress.BarColumn(),
        rich.progress.MofNCompleteColumn(),
        rich.progress.TimeRemainingColumn(),
    )
    with rich.progress.Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("training", total=None)

        def show(event: str, record: Mapping[str, Any], steps: int) -> None:
            bar.update(task, total=steps, completed=record["step"])
            if event == "step":
                bar.update(task, description=_figures(record))
            else:
                bar.console.print(describe(event, record, steps), highlight=False)

        yield show


class _Lines:
    """Prints evaluations at once and steps at most every few seconds."""

    def __init__(self) -> None:
        self._printed = float("-inf")

    def __call__(self, event: str, record: Mapping[str, Any], steps: int) -> None:
        now, is_step = time.monotonic(), event == "step"
        if is_step and now - self._printed < SECONDS_BETWEEN_LINES and record["step"] < steps:
            return
        self._printed = now if is_step else self._printed
        print(describe(event, record, steps), file=sys.stderr, flush=True)


def describe(event: str, record: Mapping[str, Any], steps: int) -> str:
    """A record of the log as a line for people."""
    where = f"step {record['step']}/{steps}"
    if event == "start":
        return f"{record['examples']:,} examples, {record['parameters']:,} parameters, {steps:,} steps"
    if event == "evaluation":
        scores = ", ".join(f"{name} {value:.4f}" for name, value in record["scores"].items())
        best = record["best"]
        return f"{where}: dev {scores}" + (f" (best {best:.4f})" if best is not None else "")
    return f"{where}: {_figures(record)}, {_duration((steps - record['step']) * record['step_ms'] / 1000)} left"


def _figures(record: Mapping[str, Any]) -> str:
    return (
        f"loss {record['loss']:.4f}, rate {record['lr']:.2e}, {record['tokens_per_second']:,} tokens/s, "
        f"step/compute {record['step_to_compute']:.2f}"
    )


def _duration(seconds: float) -> str:
    """
    >>> _duration(8), _duration(200), _duration(8000)
    ('8 s', '3 min', '2 h 13 min')
    """
    minutes = round(seconds / 60)
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"
