"""Read WARC files record by record, packed or not: positions to go on from, limits, and a way on after damage.

Common Crawl packs every record by itself, so a reader can begin at any of them. Files that are packed as a whole are
read too, only slower to go on in. No record is unpacked beyond a limit: a few bytes can become terabytes.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

MAGIC = b"\x1f\x8b"
_MEMBER = MAGIC + b"\x08"
_VERSION = b"WARC/"
# Bytes read, or unpacked, at once.
CHUNK = 1 << 16
# Bytes of a record's header; Common Crawl's have about 600.
LONGEST_HEADER = 1 << 16
# Bytes of a record that are unpacked only to be skipped; after that the next record is looked for in the packed file.
LONGEST_SKIP = 1 << 28


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """Where a record begins: the byte of the file at which its packed member begins, and the byte inside that."""

    offset: int = 0
    inner: int = 0


BEGINNING = Position()


@dataclass(frozen=True, slots=True)
class Record:
    """A record; `content` is None where it is longer than the limit, or the record `is_damaged`."""

    position: Position
    headers: dict[str, str]
    content: bytes | None
    is_damaged: bool = False

    @property
    def type(self) -> str:
        return self.headers.get("warc-type", "")


class _Damage(Exception):
    """The bytes at hand are no record."""


class WarcReader:
    """The records of a WARC file from a position on; `position` is where the next one begins."""

    def __init__(self, stream: BinaryIO, *, start: Position = BEGINNING, limit: int) -> None:
        is_packed = _read_exactly(stream, 0, 2) == MAGIC
        self._bytes = _PackedBytes(stream, start) if is_packed else _Bytes(stream, start)
        self._limit = limit
        self.position = start

    def __iter__(self) -> Iterator[Record]:
        while True:
            try:
                if not self._skip_blank():
                    return
            except _Damage:
                yield self._recover(self._bytes.position)
                continue
            start = self._bytes.position
            try:
                record = self._read(start)
            except _Damage:
                record = self._recover(start)
            yield record

    def _read(self, start: Position) -> Record:
        headers = self._read_headers()
        length = headers.get("content-length", "")
        if not (length.isascii() and length.isdigit() and len(length) < 16):
            raise _Damage
        size = int(length)
        content = self._bytes.read(size) if size <= self._limit else None
        if content is None:
            self._bytes.skip(size)
        elif len(content) < size:
            raise _Damage
        self._bytes.skip_line_ends(2)
        self.position = self._bytes.position
        return Record(start, headers, content)

    def _read_headers(self) -> dict[str, str]:
        if not self._bytes.read_line().startswith(_VERSION):
            raise _Damage
        headers: dict[str, str] = {}
        size = 0
        while (line := self._bytes.read_line()) not in (b"\r\n", b"\n"):
            size += len(line)
            if not line.endswith(b"\n") or size > LONGEST_HEADER:
                raise _Damage
            name, _, value = line.decode("utf-8", "replace").partition(":")
            headers.setdefault(name.strip().lower(), value.strip())
        return headers

    def _skip_blank(self) -> bool:
        """Skip what separates records; False at the end of the file."""
        self._bytes.skip_line_ends(LONGEST_HEADER)
        return self._bytes.fill()

    def _recover(self, start: Position) -> Record:
        """A damaged record, after which the reader stands before the next whole one, or at the end."""
        self._bytes.find_next(start.offset + 1)
        self.position = self._bytes.position
        return Record(start, {}, None, is_damaged=True)


class _Bytes:
    """The bytes of a file that is not packed, with the position of each."""

    def __init__(self, stream: BinaryIO, start: Position) -> None:
        self._stream = stream
        self.go_to(start.offset)

    def go_to(self, offset: int) -> None:
        self._stream.seek(offset)
        self._offset = offset  # of the next byte to read, or of its packed member
        self._ready, self._first = b"", 0  # bytes at hand, and the first of them that was not read

    @property
    def position(self) -> Position:
        return Position(self._offset)

    def fill(self) -> bool:
        """Have at least one byte at hand; False at the end of the file."""
        if self._first == len(self._ready):
            self._ready, self._first = self._stream.read(CHUNK), 0
        return bool(self._ready)

    def _advance(self, size: int) -> None:
        self._first += size
        self._offset += size

    def skip(self, size: int) -> None:
        self.go_to(self._offset + size)

    def settle(self) -> None:
        """After the last byte of a packed member, stand at the beginning of the next."""

    def _take(self, size: int) -> bytes:
        taken = self._ready[self._first : self._first + size]
        self._advance(len(taken))
        return taken

    def read_line(self) -> bytes:
        """A line with its end, or the first part of a very long one."""
        line = b""
        while not line.endswith(b"\n") and len(line) <= LONGEST_HEADER and self.fill():
            end = self._ready.find(b"\n", self._first)
            line += self._take((end + 1 if end >= 0 else len(self._ready)) - self._first)
        return line

    def read(self, size: int) -> bytes:
        """So many bytes, or fewer at the end of the file."""
        parts: list[bytes] = []
        while size > 0 and self.fill():
            parts.append(self._take(size))
            size -= len(parts[-1])
        return b"".join(parts)

    def skip_line_ends(self, most: int) -> None:
        while most > 0 and self.fill() and self._ready[self._first] in b"\r\n":
            most -= self._take(1) == b"\n"
        self.settle()

    def find_next(self, offset: int) -> None:
        """Go to the next place from `offset` on where a record begins, or to the end of the file."""
        found = _find(self._stream, b"\n" + _VERSION, offset)
        self.go_to(_end_of(self._stream) if found is None else found + 1)


class _PackedBytes(_Bytes):
    """The bytes of a packed file, unpacked."""

    def __init__(self, stream: BinaryIO, start: Position) -> None:
        super().__init__(stream, start)
        self._discard(start.inner)

    def go_to(self, offset: int) -> None:
        super().go_to(offset)
        self._packed, self._end = b"", offset  # packed bytes at hand, and where the file goes on after them
        self._begin_member()

    def _begin_member(self) -> None:
        self._offset, self._inner = self._end - len(self._packed), 0
        self._unpacker = zlib.decompressobj(31)

    @property
    def position(self) -> Position:
        if self._unpacker.eof and self._first == len(self._ready):
            return Position(self._end - len(self._packed))
        return Position(self._offset, self._inner)

    def fill(self) -> bool:
        while self._first == len(self._ready):
            if self._unpacker.eof:
                self._begin_member()
            if not self._unpack():
                return False
        return True

    def settle(self) -> None:
        while self._first == len(self._ready) and not self._unpacker.eof and self._unpack():
            pass

    def _unpack(self) -> bool:
        """Unpack a little more; False at the end of the file, which is damaged if it ends inside a member."""
        if not self._packed:
            self._packed = self._stream.read(CHUNK)
            self._end += len(self._packed)
        if not self._packed and self._end == self._offset:
            return False
        is_last = not self._packed
        try:
            self._ready, self._first = self._unpacker.decompress(self._packed, CHUNK), 0
        except zlib.error:
            raise _Damage from None
        self._packed = self._unpacker.unused_data if self._unpacker.eof else self._unpacker.unconsumed_tail
        if is_last and not self._ready and not self._unpacker.eof:
            raise _Damage
        return True

    def _advance(self, size: int) -> None:
        self._first += size
        self._inner += size

    def skip(self, size: int) -> None:
        if size > LONGEST_SKIP:
            self.find_next(self._offset + 1)
        else:
            self._discard(size)

    def _discard(self, size: int) -> None:
        while size > 0 and self.fill():
            size -= len(self._take(size))

    def find_next(self, offset: int) -> None:
        while (found := _find(self._stream, _MEMBER, offset)) is not None:
            if _begins_record(self._stream, found):
                self.go_to(found)
                return
            offset = found + 1
        self.go_to(_end_of(self._stream))


def _find(stream: BinaryIO, pattern: bytes, offset: int) -> int | None:
    """Where a pattern stands in a file next, from an offset on."""
    stream.seek(offset)
    kept = b""
    while chunk := stream.read(CHUNK):
        data = kept + chunk
        place = data.find(pattern)
        if place >= 0:
            return offset - len(kept) + place
        offset += len(chunk)
        kept = data[-(len(pattern) - 1) :]
    return None


def _begins_record(stream: BinaryIO, offset: int) -> bool:
    """Whether a packed record begins at an offset."""
    try:
        return zlib.decompressobj(31).decompress(_read_exactly(stream, offset, 512), len(_VERSION)) == _VERSION
    except zlib.error:
        return False


def _read_exactly(stream: BinaryIO, offset: int, size: int) -> bytes:
    stream.seek(offset)
    data = b""
    while len(data) < size and (more := stream.read(size - len(data))):
        data += more
    return data


def _end_of(stream: BinaryIO) -> int:
    return stream.seek(0, 2)
