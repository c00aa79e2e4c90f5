"""The test sets that errata knows by name (`catalogue.toml`): files, digests, licences, and how they are reported."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from errata.errors import UnknownName

DIGEST_LENGTH = 8  # as in the signature of a score
PARALLEL = "parallel"  # the format of sets that are a source and its references


@dataclass(frozen=True, slots=True)
class SetFile:
    """A file of a test set: what it is called where it was published, its size and its SHA-256, both unpacked."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class NamedSet:
    """A public test set.

    `profile` is the way it is reported (`metrics.profiles`), `format` that of its files. `is_lenient`: its own gold has
    edits that reach beyond their sentence.
    """

    name: str
    about: str
    language: str
    profile: str
    format: str
    n_sentences: int
    address: str
    licence: str
    files: tuple[SetFile, ...]
    is_lenient: bool = False

    @property
    def digest(self) -> str:
        """The first digits of the file's digest, or of a digest made from those of several files."""
        if len(self.files) == 1:
            return self.files[0].sha256[:DIGEST_LENGTH]
        whole = hashlib.sha256("".join(file.sha256 for file in self.files).encode())
        return whole.hexdigest()[:DIGEST_LENGTH]

    @property
    def signature(self) -> str:
        """What it adds to the signature of a score: `|set:conll14-1f0c9a3e`."""
        return f"|set:{self.name}-{self.digest}"

    def as_dict(self) -> dict[str, Any]:
        """The entry of `--set list --json`."""
        return {
            "name": self.name,
            "about": self.about,
            "language": self.language,
            "profile": self.profile,
            "format": self.format,
            "n_sentences": self.n_sentences,
            "address": self.address,
            "licence": self.licence,
            "digest": self.digest,
            "files": [{"name": file.name, "bytes": file.size, "sha256": file.sha256} for file in self.files],
        }


@cache
def read_catalogue() -> Mapping[str, NamedSet]:
    """All test sets by name."""
    tables = tomllib.loads(Path(__file__).with_name("catalogue.toml").read_text("utf-8"))
    return {name: _make_set(name, table) for name, table in tables.items()}


def _make_set(name: str, table: dict[str, Any]) -> NamedSet:
    files = tuple(SetFile(file, entry["bytes"], entry["sha256"]) for file, entry in table["files"].items())
    return NamedSet(
        name,
        table["about"],
        table["language"],
        table["profile"],
        table["format"],
        table["sentences"],
        table["address"],
        table["licence"],
        files,
        table.get("lenient", False),
    )


def get_set(name: str) -> NamedSet:
    """The test set of that name."""
    sets = read_catalogue()
    if name not in sets:
        raise UnknownName("test set", name, sets)
    return sets[name]
