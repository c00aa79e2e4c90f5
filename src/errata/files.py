"""Files that are either whole or not there (written beside, synced, then renamed), and JSON that may be damaged."""

from __future__ import annotations

import ctypes
import json
import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from errata.errors import DataError


def read_json(path: Path) -> Any:
    """The content of a JSON file; one that is missing, damaged or nested too deeply is a `DataError`."""
    if not path.is_file():  # opening a pipe would wait for ever
        raise DataError(f"{path} is missing, or is no file")
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path} is not JSON: {error}") from error


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path to write to in place of `path`; it takes its place, synced, if the block ends well."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # Two containers that share a folder may have the same process id, and two threads have.
    beside = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}")
    try:
        with _naming(beside, path):
            yield beside
            _sync(beside)
            beside.replace(path)
            _sync(path.parent)
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def _naming(beside: Path, path: Path) -> Iterator[None]:
    """Have what goes wrong named by `path`, in whose place something is written: nobody knows `beside`."""
    try:
        yield
    except OSError as error:
        if isinstance(error.filename, str) and Path(error.filename).is_relative_to(beside):
            error.filename = str(path / Path(error.filename).relative_to(beside))
        raise


# Marks of hidden folders beside the one they are for. A new one is never the only copy of anything; an old one is,
# where two folders cannot change places at once and the process was killed between two renames.
NEW, OLD = ".new-", ".old-"


@contextmanager
def replacing_folder(path: Path) -> Iterator[Path]:
    """A new folder to fill in place of the folder `path`; it takes its place if the block ends well.

    A process that is killed leaves `path` as it was, and beside it a hidden folder that the next call removes.
    """
    path = path.resolve()  # of a link, what it leads to is replaced
    path.parent.mkdir(parents=True, exist_ok=True)
    clear_leftovers(path)
    beside, lock = _make_beside(path)
    try:
        with _naming(beside, path):
            yield beside
            for file in (*beside.rglob("*"), beside):
                _sync(file)
            _put(beside, path)
            _sync(path.parent)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
        os.close(lock)


def clear_leftovers(path: Path) -> None:
    """Remove what killed processes left beside `path`; where that is the only copy, put it back."""
    for old in _hidden(path, OLD):
        if path.exists():
            shutil.rmtree(old, ignore_errors=True)
        else:
            old.replace(path)
    for leftover in _hidden(path, NEW):
        with suppress(OSError), _opened(leftover) as handle:  # in use, or somebody else was quicker
            _lock(handle, waits=False)
            shutil.rmtree(leftover, ignore_errors=True)


def _make_beside(path: Path) -> tuple[Path, int]:
    """A new empty folder beside `path`, and the handle that locks it until it is closed or the process ends."""
    while True:
        beside = path.with_name(f".{path.name}{NEW}{secrets.token_hex(8)}")
        with _naming(beside, path):
            beside.mkdir()
        with suppress(FileNotFoundError):  # another process took it for a leftover before it was locked
            lock = os.open(beside, os.O_RDONLY)
            with suppress(OSError):  # this file system has no locks: then leftovers stay as well
                _lock(lock, waits=True)
            if beside.exists():
                return beside, lock
            os.close(lock)


def _put(beside: Path, path: Path) -> None:
    """Put the folder `beside` where `path` is, or shall be."""
    if not path.exists():
        try:
            beside.replace(path)
            return
        except OSError:
            if not path.exists():
                raise
            # Another process made the same folder at the same time: it is replaced like any other.
    shutil.copymode(path, beside)
    _take_place(beside, path)


def _take_place(beside: Path, path: Path) -> None:
    """Put the folder `beside` where the folder `path` is, which goes."""
    if not exchange(beside, path):
        old = path.with_name(beside.name.replace(NEW, OLD))
        path.replace(old)
        beside.replace(path)
        shutil.rmtree(old, ignore_errors=True)


def exchange(one: Path, other: Path) -> bool:
    """Let two folders change places in a single step; False where the system cannot."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        rename = ctypes.CDLL(None).renameat2
    except (OSError, AttributeError):  # a C library before 2018
        return False
    current, swap = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    return bool(rename(current, os.fsencode(one), current, os.fsencode(other), swap) == 0)


def _lock(handle: int, *, waits: bool) -> None:
    """Lock an open folder; `OSError` if another process has it locked and this one does not wait."""
    import fcntl  # not on Windows, where everything but training works

    fcntl.flock(handle, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))


def _hidden(path: Path, mark: str) -> list[Path]:
    """The hidden folders of a kind beside `path`, the youngest first."""
    named = (one for one in path.parent.iterdir() if one.name.startswith(f".{path.name}{mark}"))
    return sorted((one for one in named if one.is_dir() and not one.is_symlink()), key=lambda one: -_changed(one))


def _changed(folder: Path) -> int:
    try:
        return folder.stat().st_mtime_ns
    except FileNotFoundError:
        return 0


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    handle = os.open(path, os.O_RDONLY)
    try:
        yield handle
    finally:
        os.close(handle)


def read_whole_lines(path: Path) -> tuple[list[bytes], bool]:
    """The lines of a file that is only appended to; a last line that was not finished is cut off, and told."""
    content = path.read_bytes()
    end = content.rfind(b"\n") + 1
    if end < len(content):
        os.truncate(path, end)
    return content[:end].splitlines(), end < len(content)


def write_text(path: Path, text: str) -> None:
    """Write `text`, which is JSON, to `path`, whole or not at all."""
    with replacing(path) as beside:
        # Paths may have bytes in them that are no UTF-8: JSON reads `\udce9` back as Python knows them.
        beside.write_text(text, encoding="utf-8", errors="backslashreplace")


def _sync(path: Path) -> None:
    """Have the disk hold `path` now: after a power cut a renamed but unsynced file can be empty."""
    with _opened(path) as handle:
        os.fsync(handle)
