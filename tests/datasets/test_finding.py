"""Files of a test set are found by their content."""

from __future__ import annotations

import gzip
import hashlib
import lzma
from dataclasses import replace
from pathlib import Path

import pytest

from errata.datasets.catalogue import NamedSet, SetFile
from errata.datasets.finding import Listing, data_folder, find_files, place_of_data
from errata.errors import DataError, UsageError

CONTENT = b"She goes home .\n"
DIGEST = hashlib.sha256(CONTENT).hexdigest()
SMALL = NamedSet(
    "small", "a set", "en", "bea19", "m2", 1, "https://example.org", "free", (SetFile("dev.m2", len(CONTENT), DIGEST),)
)
PACKED = {"": CONTENT, ".gz": gzip.compress(CONTENT), ".xz": lzma.compress(CONTENT)}


@pytest.mark.parametrize("suffix", PACKED)
def test_a_file_is_found_in_any_folder_packed_or_not(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / "somewhere" / "deep" / f"dev.m2{suffix}"
    path.parent.mkdir(parents=True)
    path.write_bytes(PACKED[suffix])
    assert find_files(SMALL, tmp_path) == [path]


def test_a_file_is_found_under_another_name(tmp_path: Path) -> None:
    (tmp_path / "dev.m2").write_bytes(b"She went home .\n")
    (tmp_path / "mine.txt").write_bytes(CONTENT)
    assert find_files(SMALL, tmp_path) == [tmp_path / "mine.txt"]


def test_another_content_is_named(tmp_path: Path) -> None:
    path = tmp_path / "dev.m2"
    path.write_bytes(b"She went home .\n")
    with pytest.raises(DataError) as raised:
        find_files(SMALL, tmp_path)
    other = hashlib.sha256(path.read_bytes()).hexdigest()
    assert str(raised.value) == (
        f"{path} is not that of small: SHA-256 of its content is {other[:12]}…, not {DIGEST[:12]}…; "
        f"get it from https://example.org, or score with --gold {path}"
    )


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(
        DataError, match=f"small is not in .*: no file has the content of dev.m2 .SHA-256 {DIGEST[:12]}"
    ):
        find_files(SMALL, tmp_path)


def test_the_folder_is_named_or_in_the_environment(tmp_path: Path) -> None:
    assert data_folder(str(tmp_path), {}) == tmp_path
    assert data_folder(None, {"ERRATA_DATA": str(tmp_path)}) == tmp_path
    own = {"XDG_DATA_HOME": str(tmp_path)}
    with pytest.raises(UsageError, match="give --data-dir, or set ERRATA_DATA, or fetch the set with errata data get"):
        data_folder(None, own)
    (tmp_path / "errata" / "data").mkdir(parents=True)
    assert data_folder(None, own) == place_of_data(None, own) == tmp_path / "errata" / "data"
    with pytest.raises(DataError, match="is no folder"):
        data_folder(str(tmp_path / "nowhere"), {})


def test_packed_under_another_name_is_found_where_every_packed_file_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt.xz"
    path.write_bytes(PACKED[".xz"])
    assert not Listing(tmp_path).has(SMALL)
    assert Listing(tmp_path).find_all(SMALL, unpack=True) == [path]


def test_without_a_digest_the_name_decides(tmp_path: Path) -> None:
    unknown = replace(SMALL, files=(SetFile("dev.m2", 0, ""),))
    with pytest.raises(
        DataError, match=r"small is not in .*: no file is called dev\.m2; get it from https://example\.org"
    ):
        find_files(unknown, tmp_path)
    (tmp_path / "dev.m2.gz").write_bytes(PACKED[".gz"])
    assert find_files(unknown, tmp_path) == [tmp_path / "dev.m2.gz"]


def test_a_download_that_broke_off_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "dev.m2.part").write_bytes(CONTENT)
    assert not Listing(tmp_path).has(SMALL)
