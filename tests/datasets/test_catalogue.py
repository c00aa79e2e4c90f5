"""The catalogue of test sets: complete, consistent with profiles and formats, and true to the files where they are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from errata.datasets.catalogue import (
    STRINGS,
    TABLE,
    NamedSet,
    SetFile,
    get_corpus,
    get_set,
    read_catalogue,
    scored_sets,
)
from errata.datasets.finding import Listing, find_files
from errata.datasets.texts import read_set_texts
from errata.edits.languages import LANGUAGES
from errata.errors import UnknownName, UsageError
from errata.formats.base import FORMATS
from errata.metrics.named_sets import read_set
from errata.metrics.profiles import PROFILES

ALL = pytest.mark.parametrize("named", read_catalogue().values(), ids=lambda one: one.name)
SCORED = pytest.mark.parametrize("named", scored_sets().values(), ids=lambda one: one.name)
KNOWN = pytest.mark.parametrize(
    "named", [one for one in read_catalogue().values() if one.is_verifiable], ids=lambda one: one.name
)


@ALL
def test_every_corpus_says_what_is_needed(named: NamedSet) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", named.name)
    assert named.language in LANGUAGES and named.use in ("test", "dev", "train")
    assert named.about and named.licence and named.citation and named.address.startswith("http")
    assert named.format in ("", *FORMATS, TABLE, STRINGS)
    assert all(re.fullmatch(r"([0-9a-f]{64})?", file.sha256) for file in named.files)
    assert all(bool(file.sha256) == bool(file.size) for file in named.files)


@ALL
def test_files_are_fetched_unless_a_person_must_ask(named: NamedSet) -> None:
    addresses = [named.file_address(file) for file in named.files]
    assert all(one.startswith("https://") for one in addresses if one)
    assert not (named.form and any(addresses))
    if named.base:
        commit = named.base.split("/")[5]  # what a branch has tomorrow has another digest
        assert re.fullmatch(r"[0-9a-f]{40}", commit) and named.base.endswith("/") and all(addresses)


@SCORED
def test_every_set_can_be_scored(named: NamedSet) -> None:
    assert named.is_verifiable and named.is_evaluation and named.n_sentences > 0
    assert named.profile in PROFILES and named.format in FORMATS


@pytest.mark.data
@SCORED
def test_the_files_have_what_the_catalogue_says(named: NamedSet, data: Path) -> None:
    paths = find_files(named, data)
    assert len(paths) == len(named.files)
    assert len(read_set(named, paths)) == named.n_sentences


@pytest.fixture(scope="module")
def listing(data: Path) -> Listing:
    return Listing(data)


@pytest.mark.data
@KNOWN
def test_the_texts_of_a_corpus_can_be_read(named: NamedSet, listing: Listing) -> None:
    paths = listing.find_all(named, unpack=True)
    assert sum(1 for _ in read_set_texts(named, paths)) == named.n_sentences


def test_no_two_sets_have_the_same_digest() -> None:
    digests = [one.digest for one in read_catalogue().values() if one.is_verifiable]
    assert len(set(digests)) == len(digests)


def test_the_digest_of_one_file_is_its_own() -> None:
    assert get_set("conll14").signature == "|set:conll14-07771f46"


def test_the_digest_of_several_files_depends_on_each() -> None:
    def digest(*sums: str) -> str:
        files = tuple(SetFile("x", 1, one) for one in sums)
        return NamedSet("x", "", "en", "bea19", "m2", 1, "", "", files).digest

    assert len({digest("a", "b"), digest("b", "a"), digest("a", "c"), digest("a")}) == 4


def test_an_unknown_name_gets_a_suggestion() -> None:
    with pytest.raises(UnknownName, match="unknown test set 'conl14'; did you mean 'conll14'"):
        get_set("conl14")
    with pytest.raises(UsageError, match="unknown corpus 'nucl'; did you mean nucle"):
        get_corpus("nucl")
    with pytest.raises(UnknownName):
        get_set("nucle")  # there is nothing to score


def test_the_docs_list_every_set_as_it_is() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "sets.md").read_text("utf-8")
    for one in scored_sets().values():
        row = f"| {one.language} | {one.n_sentences:,} | `{one.profile}` | {one.licence} | <{one.address}> |"
        assert f"| `{one.name}` | {one.about} {row}" in page
