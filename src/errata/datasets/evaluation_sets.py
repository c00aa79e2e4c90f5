"""Evaluation sets as people name them: files, folders, catalogued sets, or all of those that are here."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from errata.datasets.catalogue import DIGEST_LENGTH, NamedSet, get_corpus, read_catalogue, suggest_corpus
from errata.datasets.contamination import EvaluationSet
from errata.datasets.finding import Listing
from errata.datasets.texts import read_file_texts, read_set_texts
from errata.errors import DataError, UsageError
from errata.formats.files import content_digest
from errata.places import is_path

ALL = "all"


def choose_sets(
    names: Iterable[str], listing: Callable[[], Listing], missing: Callable[[list[str]], object]
) -> list[EvaluationSet]:
    """The evaluation sets of these names; `listing` says where catalogued ones lie.

    `all` is every catalogued test and dev set that is here; `missing` is told which are not.
    """
    chosen: dict[str, EvaluationSet] = {}
    for name in names:
        for one in _choose(name, listing, missing):
            chosen.setdefault(one.name, one)
    return list(chosen.values())


def _choose(
    name: str, listing: Callable[[], Listing], missing: Callable[[list[str]], object]
) -> Iterator[EvaluationSet]:
    if name == ALL:
        here, elsewhere = find_evaluation_sets(listing())
        if not here:
            raise DataError(
                f"no evaluation set of the catalogue is in {listing().folder}: errata data get fetches them"
            )
        if elsewhere:
            missing(elsewhere)
        yield from here
    elif name in read_catalogue() and not is_path(name):
        if Path(name).exists():
            raise UsageError(f"{name!r} is a catalogued set, and a file here: write ./{name} to mean the file")
        yield open_set(get_corpus(name), listing())
    elif Path(name).exists():
        yield open_file(Path(name), name)
    elif is_path(name) or Path(name).suffix:
        raise DataError(f"{name}: no such file or folder")
    else:
        raise UsageError(f"unknown evaluation set {name!r}, and no such file; {suggest_corpus(name)}")


def find_evaluation_sets(listing: Listing, language: str | None = None) -> tuple[list[EvaluationSet], list[str]]:
    """The catalogued evaluation sets that are here, and the names of the others that have files."""
    here: list[EvaluationSet] = []
    elsewhere: list[str] = []
    for one in read_catalogue().values():
        if one.is_evaluation and one.files and language in (None, one.language):
            if listing.has(one):
                here.append(open_set(one, listing))
            else:
                elsewhere.append(one.name)
    return here, elsewhere


def open_set(named: NamedSet, listing: Listing) -> EvaluationSet:
    """A catalogued set, from its files."""
    return EvaluationSet(named.name, named.digest, read_set_texts(named, listing.find_all(named)))


def open_file(path: Path, name: str) -> EvaluationSet:
    """A file, or a folder of files, as an evaluation set."""
    return EvaluationSet(name, digest_path(path), read_file_texts(path))


def digest_path(path: Path) -> str:
    """The first digits of the digest of what is in a file, or in the files of a folder, unpacked."""
    if not path.is_dir():
        return content_digest(path)[:DIGEST_LENGTH]
    files = sorted(one for one in path.rglob("*") if one.is_file())
    return hashlib.sha256("".join(map(content_digest, files)).encode()).hexdigest()[:DIGEST_LENGTH]
