"""A progress bar for long corrections, on standard error when that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from errata.model import Correction

if TYPE_CHECKING:
    from errata.cli.corrections import Corrector

# Texts shorter than this are done before a bar is read.
LONG = 50_000
# Texts that are corrected together: about a second's work.
AT_ONCE = 256

Watch = Callable[["Corrector"], "Corrector"]


class Watched:
    """A `Corrector` that tells how many bytes of text it has finished."""

    def __init__(self, corrector: Corrector, advance: Callable[[int], object]) -> None:
        self.corrector, self.name, self.language = corrector, corrector.name, corrector.language
        self._advance = advance

    def correct(self, sentences: Sequence[str], **options: Any) -> list[Correction]:
        """One correction per text, in order."""
        corrections: list[Correction] = []
        for start in range(0, len(sentences), AT_ONCE):
            batch = sentences[start : start + AT_ONCE]
            share = _Share(batch, self._advance)
            corrections += self.corrector.correct(batch, progress=share.advance, **options)
            share.finish()
        return corrections


class _Share:
    """The bytes of some texts, of which as large a part is finished as of their characters."""

    def __init__(self, texts: Sequence[str], advance: Callable[[int], object]) -> None:
        self._n_characters = max(1, sum(map(len, texts)))
        self._n_bytes = sum(len(text.encode()) + 1 for text in texts)
        self._n_finished = self._n_shown = 0
        self._advance = advance

    def advance(self, n_characters: int) -> None:
        """Show that so many more characters are finished."""
        self._n_finished += n_characters
        self._show(self._n_bytes * min(self._n_finished, self._n_characters) // self._n_characters)

    def finish(self) -> None:
        """Show that all of them are."""
        self._show(self._n_bytes)

    def _show(self, n_bytes: int) -> None:
        if n_bytes > self._n_shown:
            self._advance(n_bytes - self._n_shown)
            self._n_shown = n_bytes


@contextmanager
def watching(sizes: Sequence[int | None], *, is_wanted: bool) -> Iterator[Watch]:
    """What wraps a corrector so that its progress is seen; `sizes` are the bytes of the texts, None when not known.

    Where the size is not known, the bar comes when much has been corrected.
    """
    total = None if None in sizes else sum(size for size in sizes if size)
    if not is_wanted or not sys.stderr.isatty() or (total is not None and total < LONG):
        yield lambda corrector: corrector
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

    columns = (BarColumn(), DownloadColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)
    task = bar.add_task("correct", total=total)

    def advance(n_bytes: int) -> None:
        bar.advance(task, n_bytes)
        if bar.tasks[task].completed >= LONG:
            bar.start()

    if total is not None:
        bar.start()
    try:
        yield lambda corrector: Watched(corrector, advance)
    finally:
        if bar.live.is_started:
            bar.stop()


def tell(message: str) -> None:
    """A line on standard error, above the bar; `typer.echo` would write into it."""
    print(message, file=sys.stderr)
