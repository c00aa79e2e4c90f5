"""The catalogue of test sets: complete, consistent with profiles and formats, and true to the files where they are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from errata.datasets.catalogue import NamedSet, SetFile, get_set, read_catalogue
from errata.datasets.finding import find_files
from errata.edits.languages import LANGUAGES
from errata.errors import UnknownName
from errata.formats.base import FORMATS
from errata.metrics.named_sets import read_set
from errata.metrics.profiles import PROFILES

ALL = pytest.mark.parametrize("named", read_catalogue().values(), ids=lambda one: one.name)


@ALL
def test_every_set_says_what_is_needed(named: NamedSet) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", named.name)
    assert named.language in LANGUAGES and named.profile in PROFILES and named.format in FORMATS
    assert named.about and named.licence and named.address.startswith("http") and named.n_sentences > 0
    assert named.files and all(re.fullmatch(r"[0-9a-f]{64}", file.sha256) and file.size for file in named.files)


@pytest.mark.data
@ALL
def test_the_files_have_what_the_catalogue_says(named: NamedSet, data: Path) -> None:
    paths = find_files(named, data)
    assert len(paths) == len(named.files)
    assert len(read_set(named, paths)) == named.n_sentences


def test_no_two_sets_have_the_same_digest() -> None:
    assert len({one.digest for one in read_catalogue().values()}) == len(read_catalogue())


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


def test_the_docs_list_every_set_as_it_is() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "sets.md").read_text("utf-8")
    for one in read_catalogue().values():
        row = f"| {one.language} | {one.n_sentences:,} | `{one.profile}` | {one.licence} | <{one.address}> |"
        assert f"| `{one.name}` | {one.about} {row}" in page
