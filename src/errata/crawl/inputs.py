"""What a run reads: files, folders, patterns and addresses become a list of inputs, and each can be opened."""

from __future__ import annotations

import gzip
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from errata.errors import DataError, MissingExtra, UsageError
from errata.formats.files import read_lines
from errata.text.arguments import printable

ARCHIVES = (".warc", ".warc.gz", ".wet", ".wet.gz")
PAGES = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz")
# Single pages of one task: a task for each would take longer to begin than to do.
PAGES_PER_TASK = 1000
_PATTERN = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class Input:
    """A file to read; `size` is its size in bytes, packed, or 0 where nobody knows."""

    path: str
    size: int = 0

    @property
    def is_archive(self) -> bool:
        return has_archive_name(self.path)


def has_archive_name(path: str) -> bool:
    """Whether a path ends as those of WARC and WET files do."""
    return path.lower().endswith(ARCHIVES)


def is_address(path: str) -> bool:
    """Whether a path is an address for fsspec (`s3://…`, `https://…`)."""
    return "://" in path


def find_inputs(names: Iterable[str]) -> list[Input]:
    """The inputs that names stand for, in their order; a folder stands for the archives and pages in it, by name."""
    found: dict[str, Input] = {}
    for name in names:
        inputs = _find_addresses(name) if is_address(name) else _find_files(name)
        if not inputs:
            raise UsageError(f"{printable(name)}: there is no WARC, WET or HTML file")
        found.update((one.path, one) for one in inputs)
    return list(found.values())


def read_list(path: str, base: str) -> list[str]:
    """The paths in a list such as Common Crawl's `warc.paths.gz`, each after `base`."""
    lines = (line.strip() for line in read_lines(path))
    return [base + line for line in lines if line]


def group_inputs(inputs: Sequence[Input]) -> list[list[Input]]:
    """The inputs of each task: an archive, or up to a thousand pages."""
    groups: list[list[Input]] = []
    for one in inputs:
        is_full = not groups or groups[-1][0].is_archive or len(groups[-1]) >= PAGES_PER_TASK
        if one.is_archive or is_full:
            groups.append([one])
        else:
            groups[-1].append(one)
    return groups


def open_input(path: str) -> BinaryIO:
    """A file or an address, open for reading bytes."""
    if not is_address(path):
        return Path(path).open("rb")
    try:
        return _make_seekable(cast(BinaryIO, _fsspec().open(path, "rb").open()))
    except ImportError as error:  # a protocol whose package is missing: fsspec says which to install
        raise UsageError(f"{path}: {_one_line(error)}") from error
    except FileNotFoundError as error:  # fsspec says this, and no more, of a server out of reach too
        reason = "there is nothing at this address, or its server cannot be reached"
        raise DataError(f"{path} cannot be opened: {reason}") from error
    except (OSError, ValueError) as error:
        raise DataError(f"{path} cannot be opened: {_one_line(error)}") from error


def _make_seekable(stream: BinaryIO) -> BinaryIO:
    """The stream itself, or a copy on disk where the server cannot begin in the middle of a file."""
    try:
        stream.seek(1)
        stream.seek(0)
        return stream
    except (OSError, ValueError):
        pass
    copy = tempfile.TemporaryFile()  # noqa: SIM115  (whoever asked for the stream closes it)
    with stream:
        shutil.copyfileobj(stream, copy, 1 << 20)
    copy.seek(0)
    return cast(BinaryIO, copy)


def read_head(stream: BinaryIO, size: int) -> bytes:
    """The first bytes of a file, unpacked; the file stands at its beginning afterwards."""
    stream.seek(0)
    head = stream.read(2)
    stream.seek(0)
    try:
        return (gzip.GzipFile(fileobj=stream) if head == b"\x1f\x8b" else stream).read(size)
    except (OSError, EOFError):
        return b""
    finally:
        stream.seek(0)


def _find_files(name: str) -> list[Input]:
    path = Path(name)
    if path.is_dir():
        files = sorted(one for one in path.rglob("*") if one.is_file())
        return [_local(one) for one in files if one.name.lower().endswith((*ARCHIVES, *PAGES))]
    if not path.exists() and _PATTERN & set(name):
        root = Path(path.anchor) if path.is_absolute() else Path()
        parts = path.relative_to(path.anchor) if path.is_absolute() else path
        return [_local(one) for one in sorted(root.glob(str(parts))) if one.is_file()]
    if not path.is_file():
        raise UsageError(f"{printable(name)}: there is no such file or folder")
    return [_local(path)]


def _local(path: Path) -> Input:
    return Input(str(path), path.stat().st_size)


def _find_addresses(name: str) -> list[Input]:
    if not _PATTERN & set(name):
        return [Input(name)]
    try:
        system, path = _fsspec().core.url_to_fs(name)
        return [Input(str(system.unstrip_protocol(one))) for one in sorted(system.glob(path))]
    except ImportError as error:
        raise UsageError(f"{name}: {_one_line(error)}") from error
    except (OSError, ValueError) as error:
        raise DataError(f"{name} cannot be listed: {_one_line(error)}") from error


def _fsspec() -> Any:
    try:
        import fsspec
    except ImportError as error:
        raise MissingExtra("fsspec", "crawl") from error
    return fsspec


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
