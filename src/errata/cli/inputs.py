"""What `errata correct` reads: standard input, files, and patterns that match files."""

from __future__ import annotations

import glob
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from errata.errors import DataError, UsageError
from errata.formats.detect import COMPRESSION
from errata.formats.files import STANDARD, display_name, read_line_batches
from errata.systems.markup import SUFFIXES

PLAIN = "none"
# Text does not hold NUL bytes; what does within its first bytes is something else.
HEAD = 8192
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Input:
    """A text to correct: a path or `-`, and the kind of markup in it."""

    path: str
    markup: str = PLAIN

    @property
    def name(self) -> str:
        return display_name(self.path)

    @property
    def is_standard(self) -> bool:
        return self.path == STANDARD

    @property
    def is_packed(self) -> bool:
        return not self.is_standard and Path(self.path).suffix in COMPRESSION

    @property
    def is_plain_file(self) -> bool:
        """Whether it can be read twice: a pipe (`/dev/fd/63`) is empty afterwards."""
        return not self.is_standard and not self.is_packed and Path(self.path).is_file()

    @property
    def size(self) -> int | None:
        """Bytes of text, where that is known before reading."""
        return Path(self.path).stat().st_size if self.is_plain_file else None

    def batches(self) -> Iterator[list[str]]:
        """The lines with their ends, as they arrive."""
        if self.is_plain_file:
            refuse_binary(Path(self.path))
        return read_line_batches(self.path)


def find_inputs(arguments: Sequence[str], markup: str = "auto") -> list[Input]:
    """The texts that paths, patterns (`docs/**/*.md`) and `-` name, each once; standard input where there are none.

    `markup` is the kind of all of them; `auto` goes by the suffix.
    """
    paths: dict[str | Path, str] = {}  # by what they lead to: a file must not be corrected twice
    for path in (path for argument in arguments or [STANDARD] for path in _expand(argument)):
        paths.setdefault(path if path == STANDARD else Path(path).resolve(), path)
    return [Input(path, _markup_of(path) if markup == "auto" else markup) for path in paths.values()]


def refuse_binary(path: Path) -> None:
    """`DataError` if the file does not begin like text in UTF-8."""
    try:
        with path.open("rb") as stream:
            head = stream.read(HEAD)
    except OSError as error:
        raise DataError(f"{path}: {error.strerror or error}") from error
    if head.startswith(_UTF16):
        raise DataError(f"{path}: this is UTF-16; convert the file to UTF-8 first")
    if b"\0" in head:
        raise DataError(f"{path}: this is no text: byte {head.index(0) + 1} is NUL")


def _expand(argument: str) -> list[str]:
    if argument == STANDARD:
        return [argument]
    path = Path(argument)
    if path.is_dir():
        raise UsageError(f"{argument} is a folder: give its files, for example '{path / '**' / '*.md'}'")
    if path.exists():
        return [argument]
    if not glob.has_magic(argument):
        raise DataError(f"{argument}: No such file")
    matches = glob.glob(argument, recursive=True)  # noqa: PTH207 (Path.glob goes into .git and the like)
    found = sorted(name for name in matches if Path(name).is_file())
    if not found:
        raise DataError(f"no file matches the pattern {argument!r}")
    return found


def _markup_of(path: str) -> str:
    plain = Path(path).with_suffix("") if Path(path).suffix in COMPRESSION else Path(path)
    return SUFFIXES.get(plain.suffix.lower(), PLAIN)
