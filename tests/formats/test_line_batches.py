from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.errors import FormatError
from errata.formats.files import read_line_batches, read_lines


@settings(deadline=None, max_examples=100)
@given(st.text("ab\n\r好", max_size=40), st.integers(1, 9))
def test_batches_are_the_lines(text: str, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        batches = list(read_line_batches("-", size))
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert [line for batch in batches for line in batch] == list(read_lines("-"))
    assert all(batches)


def test_lines_come_as_soon_as_they_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(io.BytesIO):
        """A pipe into which somebody writes in pieces."""

        pieces = iter([b"a\nb", b"", b"c\nd", b"", b""])

        def read1(self, size: int | None = -1, /) -> bytes:
            return next(self.pieces) or next(self.pieces)

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Slow()))
    assert list(read_line_batches("-")) == [["a\n"], ["bc\n"], ["d"]]


def test_where_bytes_are_wrong(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"a\nb\nc\xff\n")
    with pytest.raises(FormatError, match=r"text:3: not UTF-8: byte 0xff at column 2"):
        list(read_line_batches(path, 3))
    packed = tmp_path / "text.gz"
    packed.write_bytes(gzip.compress(b"a\n" * 1000)[:-9])
    with pytest.raises(FormatError, match="the compressed file is damaged"):
        list(read_line_batches(packed))


@pytest.mark.parametrize("wrong", [b"\xff", b"x\0"], ids=["not UTF-8", "NUL"])
@pytest.mark.parametrize("size", [2, 100])
def test_the_lines_before_wrong_bytes_are_given(size: int, wrong: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\nb\n" + wrong + b"\nc\n")))
    seen: list[str] = []
    with pytest.raises(FormatError, match="<stdin>:3: "):
        seen.extend(line for batch in read_line_batches("-", size) for line in batch)
    assert seen == ["a\n", "b\n"]


@pytest.mark.parametrize("size", [2, 100])
def test_what_is_no_text(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\n\nbc\0d\n")))
    with pytest.raises(FormatError, match="<stdin>:3: this is no text: it has a NUL byte"):
        list(read_line_batches("-", size))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("a\nb".encode("utf-16"))))
    with pytest.raises(FormatError, match="<stdin>: this is UTF-16; convert the file to UTF-8 first"):
        list(read_line_batches("-"))
