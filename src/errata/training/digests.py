"""SHA-256 of input files, remembered beside the packed data.

The memory serves two ends: a large file is hashed once, and a machine that has the packed data but not the files they
were made from (training elsewhere) still knows what it trains on. Each input has a small file of its own, so processes
that prepare data at the same time cannot overwrite what the others remember.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache as remember
from pathlib import Path
from typing import Any

from errata.errors import DataError
from errata.files import read_json, write_text

MEMORY = "inputs"


def file_digest(path: Path) -> str:
    """SHA-256 of a file, or of a folder's files with their names."""
    if path.is_dir():
        whole = hashlib.sha256()
        for file in sorted(p for p in path.rglob("*") if p.is_file()):
            line = f"{file.relative_to(path).as_posix()}\0{file_digest(file)}\n"
            whole.update(line.encode("utf-8", "surrogateescape"))  # the bytes of a name, whatever the locale
        return whole.hexdigest()
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def key_of(*parts: Any) -> str:
    """A short digest of JSON-ready values: the name of whatever depends on exactly these.

    >>> key_of({"a.m2": "12ab"}, {"limit": 5}) == key_of({"a.m2": "12ab"}, {"limit": 6})
    False
    """
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:20]


def is_remembered(name: str, cache: Path) -> bool:
    """Whether the packed data in `cache` were made from an input called `name`."""
    return _memory_of(name, cache).exists()


def remembered_digest(path: Path, name: str, cache: Path) -> str:
    """The digest of `path`; from memory when the file has not changed since, or is not on this machine."""
    known = _recall(name, cache)
    if not path.exists():
        if known is None:
            raise DataError(f"no such file {path}, and no packed data made from it in {cache}")
        return known["sha256"]
    stamp = _stamp(path)
    if known is not None and known["stamp"] == stamp:
        return known["sha256"]
    found = {"name": name, "stamp": stamp, "sha256": _digest_of_state(path, stamp)}
    write_text(_memory_of(name, cache), json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    return found["sha256"]


@remember
def _digest_of_state(path: Path, stamp: str) -> str:
    return file_digest(path)


def _stamp(path: Path) -> str:
    """Size and time of change: a file with the same stamp is taken for unchanged."""
    files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
    return key_of([(p.stat().st_size, p.stat().st_mtime_ns) for p in files])


def _memory_of(name: str, cache: Path) -> Path:
    """The file that remembers the input `name`."""
    return cache / MEMORY / f"{key_of(name)}.json"


def _recall(name: str, cache: Path) -> dict[str, str] | None:
    """What is remembered of the input `name`, if anything is."""
    path = _memory_of(name, cache)
    if not path.exists():
        return None
    known = read_json(path)
    if not isinstance(known, dict) or not all(isinstance(known.get(key), str) for key in ("stamp", "sha256")):
        raise DataError(f"{path} is damaged: remove it and prepare the data again")
    return known
