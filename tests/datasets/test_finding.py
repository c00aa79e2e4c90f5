"""Files of a test set are found by their content."""

from __future__ import annotations

import gzip
import hashlib
import lzma
from pathlib import Path

import pytest

from errata.datasets.catalogue import NamedSet, SetFile
from errata.datasets.finding import data_folder, find_files
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
    with pytest.raises(UsageError, match="give --data-dir, or set ERRATA_DATA"):
        data_folder(None, {})
    with pytest.raises(DataError, match="is no folder"):
        data_folder(str(tmp_path / "nowhere"), {})
