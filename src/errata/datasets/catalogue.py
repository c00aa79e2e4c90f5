"""Public corpora by name: what they are, where they come from, what is in their files, and how they are reported."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from errata.errors import UnknownName, UsageError, find_nearest

DIGEST_LENGTH = 8  # as in the signature of a score
PARALLEL = "parallel"  # the format of sets that are a source and its references
# Formats of files that are only searched for copies.
TABLE, STRINGS = "table", "strings"
TRAIN = "train"


@dataclass(frozen=True, slots=True)
class SetFile:
    """A file of a corpus: what it is called where it was published, its size and its SHA-256, both unpacked.

    `sha256` is empty where nobody has told us. `path` is where the file lies below the address of its corpus.
    """

    name: str
    size: int
    sha256: str
    path: str = ""


@dataclass(frozen=True, slots=True)
class NamedSet:
    """A public corpus.

    `profile` is the way it is reported (`metrics.profiles`), empty for what is not scored; `format` that of its files.
    `is_lenient`: its own gold has edits that reach beyond their sentence. `use` is test, dev or train. Its files are
    fetched from `base` and their paths, or out of the `archive`; where a person must ask for them, `form` says how.
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
    use: str = "test"
    citation: str = ""
    form: str = ""
    base: str = ""
    archive: str = ""

    @property
    def digest(self) -> str:
        """The first digits of the file's digest, or of a digest made from those of several files; empty if unknown."""
        if not self.is_verifiable:
            return ""
        if len(self.files) == 1:
            return self.files[0].sha256[:DIGEST_LENGTH]
        whole = hashlib.sha256("".join(file.sha256 for file in self.files).encode())
        return whole.hexdigest()[:DIGEST_LENGTH]

    @property
    def signature(self) -> str:
        """What it adds to the signature of a score: `|set:conll14-1f0c9a3e`."""
        return f"|set:{self.name}-{self.digest}"

    @property
    def is_verifiable(self) -> bool:
        """Whether the digests of all its files are known."""
        return bool(self.files) and all(file.sha256 for file in self.files)

    @property
    def is_evaluation(self) -> bool:
        """Whether nothing may be trained on it."""
        return self.use != TRAIN

    @property
    def size(self) -> int | None:
        """The bytes of all files, unpacked; None if nobody knows."""
        return sum(file.size for file in self.files) if self.is_verifiable else None

    def file_address(self, file: SetFile) -> str:
        """The address that the file is fetched from, or empty: where there is none, people get it by themselves."""
        if self.form:
            return ""
        return self.base + quote(file.path) if self.base and file.path else self.archive

    def as_dict(self) -> dict[str, Any]:
        """The entry of `--set list --json` and `errata data list --json`."""
        return {
            "name": self.name,
            "about": self.about,
            "language": self.language,
            "use": self.use,
            "profile": self.profile or None,
            "format": self.format or None,
            "n_sentences": self.n_sentences or None,
            "address": self.address,
            "licence": self.licence,
            "form": self.form or None,
            "citation": self.citation,
            "digest": self.digest or None,
            "files": [
                {
                    "name": file.name,
                    "bytes": file.size or None,
                    "sha256": file.sha256 or None,
                    "address": self.file_address(file) or None,
                }
                for file in self.files
            ],
        }


@cache
def read_catalogue() -> Mapping[str, NamedSet]:
    """All corpora by name."""
    tables = tomllib.loads(Path(__file__).with_name("catalogue.toml").read_text("utf-8"))
    return {name: _make_set(name, table) for name, table in tables.items()}


def _make_set(name: str, table: dict[str, Any]) -> NamedSet:
    files = tuple(
        SetFile(file, entry.get("bytes", 0), entry.get("sha256", ""), entry.get("path", ""))
        for file, entry in table.get("files", {}).items()
    )
    texts = ("use", "citation", "form", "base", "archive")
    return NamedSet(
        name,
        table["about"],
        table["language"],
        table.get("profile", ""),
        table.get("format", ""),
        table.get("sentences", 0),
        table["address"],
        table["licence"],
        files,
        table.get("lenient", False),
        **{key: table[key] for key in texts if key in table},
    )


def scored_sets() -> dict[str, NamedSet]:
    """The corpora that `errata score --set` knows."""
    return {name: one for name, one in read_catalogue().items() if one.profile}


def get_set(name: str) -> NamedSet:
    """The test set of that name, to be scored."""
    sets = scored_sets()
    if name not in sets:
        raise UnknownName("test set", name, sets)
    return sets[name]


def get_corpus(name: str) -> NamedSet:
    """The corpus of that name."""
    corpora = read_catalogue()
    if name not in corpora:
        raise UsageError(f"unknown corpus {name!r}; {suggest_corpus(name)}")
    return corpora[name]


def suggest_corpus(name: str) -> str:
    """What somebody who wrote `name` may do: the catalogue is too long to be said."""
    near = find_nearest(name, read_catalogue())
    return f"did you mean {near}? errata data list shows all" if near else "errata data list shows all"
