"""The hidden folder in which the results of finished shards are kept until all are there."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from errata.errors import DataError, UsageError

LOCK = "lock"


def folder_beside(path: Path) -> Path:
    """The folder of the shards for a file.

    >>> folder_beside(Path("out/corrected.txt")).as_posix()
    'out/.corrected.txt.shards'
    """
    return path.with_name(f".{path.name}.shards")


@contextmanager
def kept_in(folder: Path) -> Iterator[None]:
    """Hold the folder for this run alone; it is removed if the block ends well, or if nothing is kept in it."""
    _make_private(folder)
    with locked(folder, folder / LOCK):
        is_done = False
        try:
            yield
            is_done = True
        finally:
            if is_done or {path.name for path in folder.iterdir()} <= {LOCK}:
                shutil.rmtree(folder, ignore_errors=True)


def _make_private(folder: Path) -> None:
    """Make the folder, or refuse one in which others can put results."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError as error:
        raise DataError(
            f"{folder} cannot be made, where finished shards are kept ({error.strerror}): "
            "put the file into a folder that you can write to"
        ) from error
    is_ours = not hasattr(os, "getuid") or found.st_uid == os.getuid()
    if not stat.S_ISDIR(found.st_mode) or not is_ours or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise DataError(f"{folder} is not a folder that only you can write to: remove it, then run again")


@contextmanager
def locked(folder: Path, path: Path) -> Iterator[None]:
    """Only one run at a time works in a folder: the one that holds a file, which stays there."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    with path.open("w") as lock:
        try:
            fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # a lock of this process: no child keeps it
        except OSError:
            raise UsageError(f"{folder}: another run is at work here; wait until it has ended") from None
        yield
