"""Long texts a window at a time: one call of a pattern holds up every thread until it returns."""

from __future__ import annotations

import re
from collections.abc import Iterator

from errata.text.words import Span

# Characters. Our longest pattern reads so many in some 20 milliseconds.
WINDOW = 1 << 14
# What no word and no address goes on over.
_GAP = re.compile(r"[\s，。；：！？、]")


def window_end(text: str, start: int) -> int:
    """Where a window that begins at `start` ends: at the first gap, or anywhere if there is none for too long."""
    if len(text) - start <= WINDOW:
        return len(text)
    gap = _GAP.search(text, start + WINDOW, start + 2 * WINDOW)
    return gap.start() if gap else min(len(text), start + 2 * WINDOW)


def windows(text: str) -> Iterator[Span]:
    """The windows of a text, in order; together they are the text."""
    start = 0
    while start < len(text):
        end = window_end(text, start)
        yield start, end
        start = end
