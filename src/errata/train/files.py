"""Files that are either whole or not there: written beside, synced, then renamed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path to write to in place of `path`; it takes its place, synced, if the block ends well."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield beside
        _sync(beside)
        beside.replace(path)
        _sync(path.parent)
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def replacing_folder(path: Path) -> Iterator[Path]:
    """A new folder to fill in place of the folder `path`; it takes its place if the block ends well."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside, old = (path.with_name(f".{path.name}.{end}-{os.getpid()}") for end in ("new", "old"))
    beside.mkdir()
    try:
        yield beside
        for file in beside.rglob("*"):
            _sync(file)
        if path.exists():
            path.replace(old)
        beside.replace(path)
        _sync(path.parent)
    finally:
        for leftover in (beside, old):
            shutil.rmtree(leftover, ignore_errors=True)


def write_text(path: Path, text: str) -> None:
    """Write `text` to `path`, whole or not at all."""
    with replacing(path) as beside:
        beside.write_text(text, encoding="utf-8")


def _sync(path: Path) -> None:
    """Have the disk hold `path` now: after a power cut a renamed but unsynced file can be empty."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
