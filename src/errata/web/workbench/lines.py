"""The lines of a file that somebody brings, read one at a time: a small file must not fill the memory.

A list of all lines of 64 MiB can take three gigabytes, and a single line of tabs eight.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

from errata.errors import FormatError

# Bytes of a line: a sentence has some thousand characters, and this is room for all that can be said of one.
MAX_LINE = 2**20
# Lines in which no sentence ends, be they blank or full of edits.
MAX_LINES = 10_000
# Values of a file that is one piece of JSON; a sentence has some ten of them.
MAX_VALUES = 3_000_000
# Formats that are one piece of JSON, on however many lines.
DOCUMENTS = frozenset({"fcgec"})

_PACKED = {b"\x1f\x8b": "gzip", b"\xfd7zXZ": "xz", b"PK\x03\x04": "zip", b"BZh": "bzip2", b"\x28\xb5\x2f\xfd": "zstd"}
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class Lines:
    """Lines in UTF-8 with their ends. `n_read` is how many of them were read, `end_sentence` says that one is whole."""

    def __init__(self, content: bytes, name: str) -> None:
        self._content, self._name = content, name
        self.n_read = self._n_whole = 0
        for magic, kind in _PACKED.items():
            if content.startswith(magic):
                raise FormatError(name, None, f"the file is packed ({kind}): unpack it first")
        if content.startswith(_UTF16):
            raise FormatError(name, None, "this is UTF-16; convert the file to UTF-8 first")

    def __iter__(self) -> Iterator[str]:
        for self.n_read, line in enumerate(self._decode(MAX_LINE), 1):  # noqa: B020
            if self.n_read - self._n_whole > MAX_LINES:
                raise FormatError(self._name, self.n_read, f"no sentence ends within {MAX_LINES} lines: split the file")
            yield line

    def end_sentence(self) -> None:
        """A sentence has ended with the line that was read last."""
        self._n_whole = self.n_read

    def head(self, n_characters: int) -> str:
        """The beginning of the file."""
        head = ""
        for line in self._decode(len(self._content)):
            head += line[:n_characters]
            if len(head) >= n_characters:
                break
        return head[:n_characters]

    def sample(self) -> Iterator[str]:
        """Every line, without counting."""
        return self._decode(MAX_LINE)

    def document(self) -> Iterator[str]:
        """The lines of a file that is one piece of JSON."""
        if sum(map(self._content.count, (b",", b"[", b"{"))) > MAX_VALUES:
            raise FormatError(self._name, None, f"the JSON has more than {MAX_VALUES} values: split the file")
        return self._decode(len(self._content))

    def _decode(self, max_bytes: int) -> Iterator[str]:
        for number, line in enumerate(io.BytesIO(self._content), 1):
            if len(line) > max_bytes:
                raise FormatError(self._name, number, f"the line has {len(line)} bytes; {max_bytes} is the most")
            if b"\0" in line:
                raise FormatError(self._name, number, "this is no text: it has a NUL byte")
            try:
                yield line.decode("utf-8")
            except UnicodeDecodeError as error:
                where = f"byte 0x{line[error.start]:02x} at column {error.start + 1}"
                raise FormatError(self._name, number, f"not UTF-8: {where}; convert the file to UTF-8 first") from None
