"""The hint that `--lenient` would help, for the commands that have it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from errata.formats.m2 import OverlongEdit


@contextmanager
def suggest_lenient() -> Iterator[None]:
    """In the block, an edit that reaches beyond its sentence is an error that names `--lenient`."""
    try:
        yield
    except OverlongEdit as error:
        error.extend("--lenient keeps such edits, as the official scorers do")
        raise
