"""What `errata correct` reads: standard input, files, folders, and patterns that match files."""

from __future__ import annotations

import glob
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from errata.cli.folders import read_folder
from errata.cli.kinds import advice, kind_of, plain_path
from errata.cli.watching import tell
from errata.errors import DataError, UsageError
from errata.formats.detect import COMPRESSION
from errata.formats.files import STANDARD, display_name, read_line_batches
from errata.pipeline.markup import SUFFIXES
from errata.pipeline.views import LINES, TEXT

# Files of one kind that are skipped and told one by one; more of them, where a pattern has them, are counted.
TOLD = 3


@dataclass(frozen=True, slots=True)
class Input:
    """A text to correct: a path or `-`, and the kind of markup in it; `is_named` unless a pattern or folder has it.

    `not_prose` is what the file is if it cannot be read as prose.
    """

    path: str
    markup: str = LINES
    is_named: bool = True
    not_prose: str = ""

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

    `markup` is the kind of all of them; `auto` goes by the suffix, and finds out which files are not prose.
    """
    found = [path for argument in arguments or [STANDARD] for path in _expand(argument)]
    named = {Path(argument).resolve() for argument in arguments}
    inputs: dict[str | Path, Input] = {}  # by what they lead to: a file must not be corrected twice
    for path in found:
        target = Path(path).resolve()
        is_auto = markup == "auto"
        text = Input(
            path,
            _markup_of(path) if is_auto else markup,
            target in named,
            kind_of(path) if is_auto and path != STANDARD else "",
        )
        inputs.setdefault(path if path == STANDARD else target, text)
    return list(inputs.values())


def skip_others(inputs: Sequence[Input]) -> list[Input]:
    """The inputs that are prose; the others are told, and `UsageError` says so where there are no others."""
    kept = [one for one in inputs if not one.not_prose]
    if inputs and not kept and len(inputs) == 1:
        raise UsageError(_skipping(inputs[0]))
    skipped: dict[str, list[Input]] = {}
    for one in inputs:
        if one.not_prose:
            skipped.setdefault("" if one.is_named else one.not_prose, []).append(one)
    for kind, files in skipped.items():
        for one in files if not kind else files[:TOLD]:
            tell(f"errata: {_skipping(one)}")
        if kind and len(files) > TOLD:
            tell(f"errata: {len(files) - TOLD} more files are skipped: they are {kind}")
    if inputs and not kept:
        raise UsageError(f"none of the {len(inputs)} files is prose: all are skipped")
    return kept


def _skipping(given: Input) -> str:
    kind = given.not_prose
    return f"{given.name} is skipped: it is {kind}, which errata cannot read yet; {advice(kind)}"


def _expand(argument: str) -> list[str]:
    if argument == STANDARD:
        return [argument]
    if not argument:
        raise UsageError("a file has a name, not ''")
    try:
        if Path(argument).is_dir():
            folder = read_folder(argument)
            if folder.left_out:
                tell(f"errata: {argument}: left out {folder.summary()}")
            return folder.paths
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


def _markup_of(path: str) -> str:
    return SUFFIXES.get(plain_path(path).suffix.lower(), TEXT)
