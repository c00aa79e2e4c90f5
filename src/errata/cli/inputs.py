"""What `errata correct` reads: standard input, files, folders, and patterns that match files."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from errata.errors import DataError, UsageError
from errata.formats.detect import COMPRESSION
from errata.formats.files import STANDARD, display_name, read_line_batches
from errata.systems.markup import SUFFIXES

# Every line is read by itself; or sentences go on in the next line, where they look like it.
PLAIN, TEXT = "none", "text"
# Files of a folder that are texts.
TEXT_SUFFIXES = (*SUFFIXES, ".txt")


@dataclass(frozen=True, slots=True)
class Input:
    """A text to correct: a path or `-`, and the kind of markup in it; `is_named` unless a pattern or folder has it."""

    path: str
    markup: str = PLAIN
    is_named: bool = True

    @property
    def name(self) -> str:
        return display_name(self.path)

    @property
    def is_standard(self) -> bool:
        return self.path == STANDARD

    @property
    def is_file(self) -> bool:
        """Whether it can be read twice: a pipe (`/dev/fd/63`) is empty afterwards."""
        return not self.is_standard and Path(self.path).is_file()

    @property
    def is_plain_file(self) -> bool:
        """Whether it can be rewritten."""
        return self.is_file and Path(self.path).suffix not in COMPRESSION

    @property
    def size(self) -> int | None:
        """Bytes of text, where that is known before reading."""
        return Path(self.path).stat().st_size if self.is_plain_file else None

    def batches(self) -> Iterator[list[str]]:
        """The lines with their ends, as they arrive; no lines when standard input makes a pause."""
        return read_line_batches(self.path, pauses=self.is_standard)


def find_inputs(arguments: Sequence[str], markup: str = "auto") -> list[Input]:
    """The texts that paths, folders, patterns (`docs/**/*.md`) and `-` name, each once; standard input where none is.

    `markup` is the kind of all of them; `auto` goes by the suffix.
    """
    found = [path for argument in arguments or [STANDARD] for path in _expand(argument)]
    named = {Path(argument).resolve() for argument in arguments}
    inputs: dict[str | Path, Input] = {}  # by what they lead to: a file must not be corrected twice
    for path in found:
        target = Path(path).resolve()
        kind = _markup_of(path) if markup == "auto" else markup
        inputs.setdefault(path if path == STANDARD else target, Input(path, kind, target in named))
    return list(inputs.values())


def _expand(argument: str) -> list[str]:
    if argument == STANDARD:
        return [argument]
    if not argument:
        raise UsageError("a file has a name, not ''")
    try:
        if Path(argument).is_dir():
            return _texts_below(argument)
        if Path(argument).exists():
            return [argument]
        if not glob.has_magic(argument):
            raise DataError(f"{argument}: No such file")
        matches = glob.glob(argument, recursive=True)  # noqa: PTH207 (Path.glob goes into .git and the like)
        found = sorted(name for name in matches if Path(name).is_file())
    except OSError as error:
        raise DataError(f"{error.filename}: {error.strerror}") from error
    if not found:
        raise DataError(f"no file matches the pattern {argument!r}")
    return found


def _texts_below(folder: str) -> list[str]:
    """The texts in a folder and the folders in it, but for hidden ones."""
    found: list[str] = []
    for place, folders, names in os.walk(folder, onerror=_fail):
        folders[:] = [name for name in folders if not name.startswith(".")]
        texts = (name for name in names if name.lower().endswith(TEXT_SUFFIXES) and not name.startswith("."))
        found += [str(path) for path in (Path(place, name) for name in texts) if path.is_file()]
    if not found:
        suffixes = f"{', '.join(TEXT_SUFFIXES[:-1])} or {TEXT_SUFFIXES[-1]}"
        raise DataError(f"{folder}: no {suffixes} file in this folder; name other files, or give a pattern")
    return sorted(found)


def _fail(error: OSError) -> None:
    raise error


def _markup_of(path: str) -> str:
    plain = Path(path).with_suffix("") if Path(path).suffix in COMPRESSION else Path(path)
    return SUFFIXES.get(plain.suffix.lower(), TEXT)
