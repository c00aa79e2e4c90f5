"""A trained system in parts, and back."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from benchmarks.models.parcel import pack, unpack  # noqa: E402
from seq2seq_pairs import read_pairs  # noqa: E402

import errata  # noqa: E402
from errata.errors import DataError  # noqa: E402


def test_a_system_travels_in_parts(english: Path, tmp_path: Path) -> None:
    parts = pack(english / "model", tmp_path / "tiny.tar.gz", limit=50_000)
    assert len(parts) > 2 and all(part.stat().st_size <= 50_000 for part in parts)
    unpack(tmp_path / "tiny.tar.gz", tmp_path / "tiny")
    folders = (english / "model", tmp_path / "tiny")
    old, new = (sum(file.stat().st_size for file in folder.iterdir()) for folder in folders)
    assert new < 0.75 * old
    sources = [source for source, _ in read_pairs("en")]
    before, after = (errata.load_corrector(folder).correct(sources) for folder in folders)
    assert [one.target for one in before] == [one.target for one in after]


def test_packing_again_leaves_no_old_part(english: Path, tmp_path: Path) -> None:
    pack(english / "model", tmp_path / "tiny.tar.gz", limit=20_000)
    parts = pack(english / "model", tmp_path / "tiny.tar.gz")
    assert sorted(tmp_path.iterdir()) == parts == [tmp_path / "tiny.tar.gz.part0"]


@pytest.mark.parametrize(
    ("gone", "message"),
    [
        pytest.param(0, "no such file", id="first"),
        pytest.param(1, "are damaged, or a part is missing", id="second"),
    ],
)
def test_a_missing_part_is_told(gone: int, message: str, english: Path, tmp_path: Path) -> None:
    parts = pack(english / "model", tmp_path / "tiny.tar.gz", limit=50_000)
    parts[gone].unlink()
    with pytest.raises(DataError, match=message):
        unpack(tmp_path / "tiny.tar.gz", tmp_path / "tiny")
    assert not (tmp_path / "tiny").exists()
