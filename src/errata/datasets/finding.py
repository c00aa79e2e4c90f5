"""Where the files of a test set lie in a folder: found by what is in them, whatever they are called.

People keep corpora under names and in folders of their own. A file is taken if its content is that of the published
one. First come files of the same name, packed or not, then files of the same size.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from errata.datasets.catalogue import NamedSet, SetFile
from errata.errors import DataError, UsageError
from errata.formats.detect import COMPRESSION
from errata.formats.files import content_digest

DATA_VARIABLE = "ERRATA_DATA"
SHOWN = 12  # digits of a digest in messages


def data_folder(named: str | None, environment: Mapping[str, str] = os.environ) -> Path:
    """The folder with the corpora: the one that is named, else that of the environment."""
    folder = named or environment.get(DATA_VARIABLE)
    if not folder:
        raise UsageError(f"a named test set is looked for in a folder: give --data-dir, or set {DATA_VARIABLE}")
    if not Path(folder).is_dir():
        raise DataError(f"{folder} is no folder with test sets")
    return Path(folder)


def find_files(named: NamedSet, folder: Path) -> list[Path]:
    """The files of a test set, in its order; `DataError` says which are missing, or are there with another content."""
    listing = _Listing(folder)
    return [listing.find(named, file) for file in named.files]


@dataclass(frozen=True, slots=True)
class _Entry:
    path: Path
    plain_name: str
    size: int


class _Listing:
    """The files below a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.entries = sorted(_list_files(folder), key=lambda entry: entry.path)

    def find(self, named: NamedSet, file: SetFile) -> Path:
        """The path of a file of a test set."""
        called_so = [one for one in self.entries if one.plain_name == file.name]
        of_that_size = [one for one in self.entries if one.size == file.size and one.plain_name != file.name]
        digests: dict[Path, str] = {}
        for entry in (*called_so, *of_that_size):
            digests[entry.path] = content_digest(entry.path)
            if digests[entry.path] == file.sha256:
                return entry.path
        if called_so:
            other = called_so[0].path
            raise DataError(
                f"{other} is not that of {named.name}: SHA-256 of its content is {digests[other][:SHOWN]}…, "
                f"not {file.sha256[:SHOWN]}…; get it from {named.address}, or score with --gold {other}"
            )
        raise DataError(
            f"{named.name} is not in {self.folder}: no file has the content of {file.name} "
            f"(SHA-256 {file.sha256[:SHOWN]}…); get it from {named.address}"
        )


def _list_files(folder: Path) -> Iterator[_Entry]:
    for root, _, names in os.walk(folder):
        for name in names:
            path = Path(root, name)
            if path.is_file():
                plain = path.stem if path.suffix in COMPRESSION else name
                yield _Entry(path, plain, path.stat().st_size)
