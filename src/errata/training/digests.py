"""SHA-256 of input files, remembered beside the packed data.

The memory serves two ends: a large file is hashed once, and a machine that has the packed data but not the files they
were made from (training elsewhere) still knows what it trains on.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache as remember
from pathlib import Path
from typing import Any

from errata.errors import DataError
from errata.files import write_text

MEMORY = "inputs.json"


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
    return name in _memory(cache)


def remembered_digest(path: Path, name: str, cache: Path) -> str:
    """The digest of `path`; from memory when the file has not changed since, or is not on this machine."""
    memory = _memory(cache)
    known = memory.get(name)
    if not path.exists():
        if known is None:
            raise DataError(f"no such file {path}, and no packed data made from it in {cache}")
        return str(known["sha256"])
    stamp = _stamp(path)
    if known is not None and known["stamp"] == stamp:
        return str(known["sha256"])
    memory[name] = {"stamp": stamp, "sha256": _digest_of_state(path, stamp)}
    cache.mkdir(parents=True, exist_ok=True)
    write_text(cache / MEMORY, json.dumps(memory, indent=1, sort_keys=True))
    return str(memory[name]["sha256"])


@remember
def _digest_of_state(path: Path, stamp: str) -> str:
    return file_digest(path)


def _stamp(path: Path) -> str:
    """Size and time of change: a file with the same stamp is taken for unchanged."""
    files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
    return key_of([(p.stat().st_size, p.stat().st_mtime_ns) for p in files])


def _memory(cache: Path) -> dict[str, Any]:
    try:
        memory: dict[str, Any] = json.loads((cache / MEMORY).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise DataError(f"{cache / MEMORY} is damaged ({error}): remove it and prepare the data again") from error
    return memory
