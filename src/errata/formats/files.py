"""Open corpora for reading and writing: encodings, compression, standard input and output, whole files or none.

`-` is standard input or output; `.gz` and `.xz` are unpacked and packed on the way. Text is UTF-8, with or without a
byte order mark, with LF or CRLF; a byte that is not UTF-8 is a `FormatError` naming the file and line.
"""

from __future__ import annotations

import errno
import gzip
import hashlib
import io
import lzma
import os
import re
import select
import shutil
import stat
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, cast

from errata.errors import DataError, ErrataError, FormatError, UsageError
from errata.formats.base import Format, get_format
from errata.formats.detect import COMPRESSION, HEAD_SIZE, choose_format, detect_format
from errata.model import AnnotatedSentence
from errata.text.arguments import printable

STANDARD = "-"
_DAMAGED = (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error)
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
# A line whose bytes above ASCII are all pairs such as GB 2312 has for its characters.
_CHINESE_BYTES = re.compile(rb"(?:[\x00-\x7f]|[\xa1-\xf7][\xa1-\xfe])+")
# Bytes of text read at once: a fraction of a second's work for a small model at first, so that `| head` need not wait,
# then twice as many each time: the cores have nothing to do at the end of a batch.
FIRST_BATCH, LARGEST_BATCH = 1 << 14, 1 << 18
# Seconds without a byte after which whoever writes into a pipe seems to wait for an answer.
PAUSE = 0.2
# Characters of an output kept in memory before it can be printed; more go to a temporary file.
IN_MEMORY = 1 << 24
PathLike = str | os.PathLike[str]


def read_lines(path: PathLike) -> Iterator[str]:
    """The lines of a text file with their ends, as they are read; CRLF and BOM are left to the parser."""
    name = display_name(path)
    with _telling(path), _open_bytes(path) as stream:
        number = 0
        try:
            for number, line in enumerate(stream, 1):
                yield _decode(line, name, number)
        except _DAMAGED as error:
            raise FormatError(name, number + 1, f"the compressed file is damaged: {error}") from error


def content_digest(path: PathLike) -> str:
    """SHA-256 of what a file has in it, unpacked: `dev.m2` and `dev.m2.xz` have the same."""
    digest = hashlib.sha256()
    with _telling(path), _open_bytes(path) as stream:
        try:
            while chunk := stream.read(LARGEST_BATCH):
                digest.update(chunk)
        except _DAMAGED as error:
            raise FormatError(display_name(path), None, f"the compressed file is damaged: {error}") from error
    return digest.hexdigest()


def read_line_batches(path: PathLike, size: int = LARGEST_BATCH, *, pauses: bool = False) -> Iterator[list[str]]:
    """The lines of a text file with their ends, as many at once as have arrived, about `size` bytes of them at most.

    A program that writes a line and waits for the answer gets it: nothing waits for a full batch. With `pauses` a batch
    is empty when nothing has come through a pipe for a moment. NUL bytes, which text does not have, are a
    `FormatError`.
    """
    name = display_name(path)
    with _telling(path), _open_bytes(path) as stream:
        number = 0
        begun: list[bytes] = []  # of a line that has not ended yet
        at_once = min(size, FIRST_BATCH)
        try:
            while True:
                if pauses and number and _is_waiting(stream):
                    yield []
                if not (data := stream.read1(at_once)):
                    break
                at_once = min(2 * at_once, size)
                if (nul := data.find(0)) >= 0:
                    if data.startswith(_UTF16) and not number and not begun:
                        raise FormatError(name, None, "this is UTF-16; convert the file to UTF-8 first")
                    before = b"".join((*begun, data[:nul])).split(b"\n")[:-1]
                    if before:
                        yield from _decode_all([line + b"\n" for line in before], name, number + 1)
                    raise FormatError(name, number + len(before) + 1, "this is no text: it has a NUL byte")
                whole, end, rest = data.rpartition(b"\n")
                if end:
                    lines = b"".join((*begun, whole)).split(b"\n")
                    yield from _decode_all([line + end for line in lines], name, number + 1)
                    number += len(lines)
                    begun.clear()
                begun.append(rest)
        except _DAMAGED as error:
            raise FormatError(name, number + 1, f"the compressed file is damaged: {error}") from error
        if last := b"".join(begun):
            yield [_decode(last, name, number + 1)]


def _decode_all(lines: Sequence[bytes], name: str, first: int) -> Iterator[list[str]]:
    """The lines as one batch; before a `FormatError`, those that are right."""
    batch: list[str] = []
    try:
        for number, line in enumerate(lines, first):
            batch.append(_decode(line, name, number))
    except FormatError:
        if batch:
            yield batch
        raise
    yield batch


def _is_waiting(stream: io.BufferedReader) -> bool:
    """Whether nothing comes for a moment; where that cannot be known (Windows), no."""
    try:
        return not select.select([stream], [], [], PAUSE)[0]
    except (OSError, ValueError):
        return False


def iter_sentences(path: PathLike, format: str | Format | None = None) -> Iterator[AnnotatedSentence]:
    """The annotated sentences of a file, streaming; without `format` it is detected from content, then suffix."""
    return open_sentences(path, format)[1]


def peek(lines: Iterator[str]) -> tuple[str, Iterator[str]]:
    """The first lines as one text of about HEAD_SIZE characters, and all lines."""
    taken: list[str] = []
    size = 0
    for line in lines:
        taken.append(line)
        size += len(line)
        if size >= HEAD_SIZE:
            break
    return "".join(taken), chain(taken, lines)


def open_sentences(
    path: PathLike,
    format: str | Format | None = None,
    *,
    detect: Callable[[str, PathLike], str] = detect_format,
    **options: Any,
) -> tuple[Format, Iterator[AnnotatedSentence]]:
    """The format of a file and its sentences, streaming; `options` go to a format given by name or detected."""
    lines = read_lines(path)
    if format is None:
        head, lines = peek(lines)
        format = detect(head, path)
    parser = get_format(format, **options) if isinstance(format, str) else format
    return parser, parser.parse(lines, origin=display_name(path))


def write_sentences(
    sentences: Iterable[AnnotatedSentence],
    path: PathLike,
    format: str | Format | None = None,
    *,
    inputs: Iterable[PathLike] = (),
) -> int:
    """The number of sentences written, which must be as the format says them; the file appears once it is complete.

    Without `format` the suffix decides. `inputs` are the files that the sentences come from (`open_for_writing`).
    """
    if format is None:
        format = choose_format(path)
    writer = get_format(format) if isinstance(format, str) else format
    count = 0

    def counted() -> Iterator[AnnotatedSentence]:
        nonlocal count
        for sentence in sentences:
            count += 1
            yield sentence

    with open_for_writing(path, inputs=inputs) as stream:
        try:
            for chunk in writer.format(counted()):
                stream.write(chunk)
        except DataError as error:
            name = display_name(path, "<stdout>")
            raise DataError(f"{name}: sentence {count} cannot be written: {error}") from error
    return count


def check_outputs(outputs: Iterable[PathLike | None], inputs: Iterable[PathLike] = ()) -> None:
    """Refuse, before any work is done, a file to write that is read as well, named twice, a folder, or in no folder."""
    known = {Path(path).resolve(): "is read as well" for path in inputs if os.fspath(path) != STANDARD}
    streams = 0
    for path in (one for one in outputs if one is not None):
        if os.fspath(path) == STANDARD:
            streams += 1
            if streams > 1:
                raise UsageError("two results cannot both go to standard output: give one of them a file")
            continue
        place = Path(path).resolve()
        if place.is_dir():
            raise UsageError(f"{path} is a folder: give a file to write")
        if place.exists() and not place.is_file():
            continue  # /dev/null, a pipe
        if place in known:
            raise UsageError(f"{path} {known[place]}: choose another file to write")
        if not place.parent.is_dir():
            raise UsageError(f"{path} cannot be written: there is no folder {place.parent}")
        if not os.access(place.parent, os.W_OK):
            raise UsageError(f"{path} cannot be written: you may not write into the folder {place.parent}")
        known[place] = "is written twice"


@contextmanager
def open_for_writing(path: PathLike, *, inputs: Iterable[PathLike] = ()) -> Iterator[io.TextIOBase]:
    """A text stream whose file is put in place when the block ends well, and not at all when it fails.

    A file that is there already keeps its permissions. Standard output cannot be put in place: where all `inputs` are
    files, it gets everything at the end of the block or nothing. Where one is a stream, or none is named, it gets the
    text at once, and an error says that what was printed is incomplete.
    """
    if os.fspath(path) == STANDARD:
        names = list(inputs)
        with _at_once() if not names or not all(map(is_file, names)) else _at_the_end() as stream:
            yield stream
        return
    if not os.fspath(path):
        raise UsageError("a file has a name, not ''")
    target = Path(path)
    with _telling(path):
        is_special = target.exists() and not target.is_file()  # /dev/null, a pipe: nothing to rename
        special = target.open("w", encoding="utf-8", newline="\n") if is_special else None
    if special:
        with _telling_full(path), special:
            yield special
        return
    with _telling(path):
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else _new_file_mode()
        handle, beside = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.resolve().parent)
    try:
        os.fchmod(handle, mode)
        with _telling_full(path), os.fdopen(handle, "wb") as raw, _pack(raw, target.suffix) as packed:
            text = io.TextIOWrapper(packed, encoding="utf-8", newline="\n")
            yield text
            text.flush()
            text.detach()
        Path(beside).replace(target.resolve())
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


class _Printed(io.TextIOWrapper):
    """Standard output that knows whether anything was written to it."""

    is_begun = False

    def write(self, text: str, /) -> int:
        self.is_begun = self.is_begun or bool(text)
        return super().write(text)


@contextmanager
def _at_once() -> Iterator[io.TextIOBase]:
    stream = _Printed(sys.stdout.buffer, encoding="utf-8", newline="\n", write_through=False)
    try:
        yield stream
        stream.flush()
    except ErrataError as error:
        if stream.is_begun:
            error.extend("what was printed is incomplete")
        raise
    finally:
        stream.detach()


@contextmanager
def _at_the_end() -> Iterator[io.TextIOBase]:
    with tempfile.SpooledTemporaryFile(IN_MEMORY, "w+", encoding="utf-8", newline="\n") as kept:
        yield cast(io.TextIOBase, kept)
        kept.seek(0)
        with _at_once() as stream:
            shutil.copyfileobj(kept, stream)


def is_file(path: PathLike) -> bool:
    """Whether the path names a file, which can be read twice, and not a stream."""
    return os.fspath(path) != STANDARD and Path(path).is_file()


def display_name(path: PathLike, standard: str = "<stdin>") -> str:
    """The name of a file in messages and JSON; `standard` is what `-` stands for."""
    return standard if os.fspath(path) == STANDARD else printable(os.fspath(path))


def plain_stem(path: PathLike) -> str:
    """The file name without folder, compression suffix and suffix: `data/dev.m2.xz` → `dev`."""
    name = Path(display_name(path))
    return Path(name.stem).stem if name.suffix in COMPRESSION else name.stem


def _open_bytes(path: PathLike) -> io.BufferedReader:
    if os.fspath(path) == STANDARD:
        if sys.stdin.buffer.closed:
            raise UsageError("- is standard input, which can be read once: give the other as a file")
        return cast(io.BufferedReader, sys.stdin.buffer)
    suffix = Path(path).suffix
    if suffix == ".gz":
        return cast(io.BufferedReader, gzip.open(path, "rb"))
    if suffix == ".xz":
        return cast(io.BufferedReader, lzma.open(path, "rb"))
    return Path(path).open("rb")


@contextmanager
def _telling(path: PathLike) -> Iterator[None]:
    """What the system says against opening or reading a file, as a `DataError` that names the file."""
    try:
        yield
    except OSError as error:
        raise DataError(f"{display_name(path)}: {error.strerror or error}") from error


# A disk, a quota or a file size that is at its end: the system names no file with these.
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


@contextmanager
def _telling_full(path: PathLike) -> Iterator[None]:
    """A disk that is full, as a `DataError` that names the file; other faults pass."""
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise DataError(f"{path} cannot be written: {error.strerror}; make room, and give the command again") from error


@contextmanager
def _pack(raw: BinaryIO, suffix: str) -> Iterator[BinaryIO]:
    if suffix == ".gz":
        with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as packed:  # no time stamp: same content, same bytes
            yield cast(BinaryIO, packed)
    elif suffix == ".xz":
        with lzma.open(raw, "wb") as packed_xz:
            yield cast(BinaryIO, packed_xz)
    else:
        yield raw


def _new_file_mode() -> int:
    """What `open` would give a new file; mkstemp makes private ones."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _decode(line: bytes, name: str, number: int) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        if number == 1 and line.startswith(_UTF16):
            raise FormatError(name, None, "this is UTF-16; convert the file to UTF-8 first") from None
        if 0 in line:
            raise FormatError(name, number, "this is no text: it has a NUL byte") from None
        where = f"byte 0x{line[error.start]:02x} at column {error.start + 1}"
        advice = "; if it is GB 18030: iconv -f GB18030 -t UTF-8" if _CHINESE_BYTES.fullmatch(line) else ""
        raise FormatError(name, number, f"not UTF-8: {where}; convert the file to UTF-8 first{advice}") from None
