"""Where the files of a corpus lie in a folder: found by what is in them, whatever they are called.

People keep corpora under names and in folders of their own. A file is taken if its content is that of the published
one. First come files of the same name, packed or not, then files of the same size. A file whose digest nobody knows is
found by its name alone.
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
# What is being fetched has this at the end of its name.
PARTIAL = ".part"


def data_folder(named: str | None, environment: Mapping[str, str] = os.environ) -> Path:
    """The folder with the corpora: the one that is named, else that of the environment, else the user's own."""
    folder = place_of_data(named, environment)
    if folder.is_dir():
        return folder
    if not named and not environment.get(DATA_VARIABLE):
        raise UsageError(
            f"a named test set is looked for in a folder: give --data-dir, or set {DATA_VARIABLE}, "
            "or fetch the set with errata data get"
        )
    by = "--data-dir" if named else DATA_VARIABLE
    raise DataError(f"{folder} is no folder: {by} names the one in which corpora are looked for")


def place_of_data(named: str | None, environment: Mapping[str, str] = os.environ) -> Path:
    """The folder that corpora are put into, which may not be there yet."""
    folder = named or environment.get(DATA_VARIABLE)
    if folder:
        return Path(folder).expanduser()
    home = Path(environment.get("XDG_DATA_HOME", ""))
    return (home if home.is_absolute() else Path.home() / ".local" / "share") / "errata" / "data"


def find_files(named: NamedSet, folder: Path) -> list[Path]:
    """The files of a corpus, in its order; `DataError` says which are missing, or are there with another content."""
    return Listing(folder).find_all(named)


@dataclass(frozen=True, slots=True)
class _Entry:
    path: Path
    plain_name: str
    size: int


class Listing:
    """The files below a folder; what is in them is read once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.entries = sorted(_list_files(folder), key=lambda entry: entry.path)
        self._digests: dict[Path, str] = {}

    def find_all(self, named: NamedSet, *, unpack: bool = False) -> list[Path]:
        """The files of a corpus, in its order; `unpack` looks into every packed file too, whatever its name."""
        if not named.files:
            raise DataError(f"nobody has told errata the files of {named.name}; {how_to_get(named)}")
        return [self.find(named, file, unpack=unpack) for file in named.files]

    def has(self, named: NamedSet) -> bool:
        """Whether all files of a corpus are here."""
        try:
            return bool(self.find_all(named))
        except DataError:
            return False

    def find(self, named: NamedSet, file: SetFile, *, unpack: bool = False) -> Path:
        """The path of a file of a corpus."""
        called_so = [one for one in self.entries if one.plain_name == file.name]
        if not file.sha256 and called_so:
            return called_so[0].path
        of_that_size = [one for one in self.entries if one.size == file.size and one.plain_name != file.name]
        packed = [one for one in self.entries if unpack and one.path.suffix in COMPRESSION]
        for entry in (*called_so, *of_that_size, *packed) if file.sha256 else ():
            if self._digest(entry.path) == file.sha256:
                return entry.path
        if called_so:
            other = called_so[0].path
            raise DataError(
                f"{other} is not that of {named.name}: SHA-256 of its content is {self._digest(other)[:SHOWN]}…, "
                f"not {file.sha256[:SHOWN]}…; {how_to_get(named)}, or score with --gold {other}"
            )
        known = f"has the content of {file.name} (SHA-256 {file.sha256[:SHOWN]}…)"
        wanted = known if file.sha256 else f"is called {file.name}"
        raise DataError(f"{named.name} is not in {self.folder}: no file {wanted}; {how_to_get(named)}")

    def _digest(self, path: Path) -> str:
        if path not in self._digests:
            self._digests[path] = content_digest(path)
        return self._digests[path]


def how_to_get(named: NamedSet) -> str:
    """What a person does to have the corpus."""
    if named.form:
        return f"{named.form} ({named.address})"
    if all(map(named.file_address, named.files)) and named.files:
        return f"errata data get {named.name} fetches it, or get it from {named.address}"
    return f"get it from {named.address}"


def _list_files(folder: Path) -> Iterator[_Entry]:
    for root, _, names in os.walk(folder):
        for name in names:
            path = Path(root, name)
            if path.is_file() and not name.endswith(PARTIAL):
                plain = path.stem if path.suffix in COMPRESSION else name
                yield _Entry(path, plain, path.stat().st_size)
