"""WARC files: the records that warcio writes, wherever one begins to read, whatever is damaged."""

from __future__ import annotations

import gzip
import io
import time

import pytest
from benchmarks.crawl.synthetic import DATE, Writer
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.crawl.warc import BEGINNING, Position, Record, WarcReader

LIMIT = 1 << 20
CONTENTS = st.lists(
    st.one_of(st.binary(max_size=200), st.sampled_from([b"", b"\r\n\r\n", b"WARC/1.0\r\n"])), max_size=6
)


def write(contents: list[bytes], *, packed: bool = True) -> bytes:
    buffer = io.BytesIO()
    writer = Writer(buffer, gzip=packed)
    for number, content in enumerate(contents):
        payload = io.BytesIO(content)
        fixed = {"WARC-Date": DATE, "WARC-Record-ID": f"<urn:uuid:{number}>"}
        url = f"http://a.com/{number}"
        record = writer.create_warc_record(url, "resource", payload=payload, warc_headers_dict=fixed)
        writer.write_record(record)
    return buffer.getvalue()


def read(data: bytes, start: Position = BEGINNING, limit: int = LIMIT) -> list[Record]:
    return list(WarcReader(io.BytesIO(data), start=start, limit=limit))


@pytest.mark.parametrize("packing", ["each", "whole", "none"])
@settings(deadline=None)
@given(contents=CONTENTS)
def test_records_come_back_from_any_position(packing: str, contents: list[bytes]) -> None:
    data = write(contents, packed=packing == "each")
    if packing == "whole":
        data = gzip.compress(data)
    reader = WarcReader(io.BytesIO(data), limit=LIMIT)
    records, following = [], []
    for record in reader:
        records.append(record)
        following.append(reader.position)
    assert [record.content for record in records] == contents
    assert [record.headers["warc-target-uri"] for record in records] == [
        f"http://a.com/{number}" for number in range(len(contents))
    ]
    for number, position in enumerate(following):
        assert [record.content for record in read(data, position)] == contents[number + 1 :]
        assert read(data, records[number].position)[0] == records[number]
    if packing == "each":
        assert all(record.position.inner == 0 for record in records)


@pytest.mark.parametrize("packed", [True, False])
def test_a_long_record_is_skipped(packed: bool) -> None:
    data = write([b"a", b"x" * 5000, b"b"], packed=packed)
    assert [record.content for record in read(data, limit=1000)] == [b"a", None, b"b"]
    assert not any(record.is_damaged for record in read(data, limit=1000))


@given(st.data())
def test_damage_costs_the_records_it_hits(data: st.DataObject) -> None:
    contents = [bytes([65 + number]) * 300 for number in range(5)]
    records = [write([content]) for content in contents]
    hit = data.draw(st.integers(0, 4))
    place = data.draw(st.integers(0, len(records[hit]) - 1))
    damaged = bytearray(records[hit])
    damaged[place] ^= data.draw(st.integers(1, 255), label="changed bits")
    found = read(b"".join([*records[:hit], bytes(damaged), *records[hit + 1 :]]))
    whole = [record.content for record in found if not record.is_damaged]
    others = [content for number, content in enumerate(contents) if number != hit]
    if hit > 0:  # by its first bytes a file is known to be packed
        assert [content for content in whole if content in others] == others
        assert len(found) == 5


@given(st.integers(0, 400))
def test_a_file_that_was_cut(length: int) -> None:
    whole = write([b"a" * 50, b"b" * 50])
    found = read(whole[:length])
    assert [record.content for record in found if not record.is_damaged] == [b"a" * 50, b"b" * 50][: len(found)][
        : sum(not record.is_damaged for record in found)
    ]
    assert sum(record.is_damaged for record in found) <= 1


@given(st.binary(max_size=300))
def test_any_bytes_have_an_end(data: bytes) -> None:
    for start in (b"", b"\x1f\x8b\x08", b"WARC/1.0\r\n"):
        assert len(read(start + data)) <= len(data) + 2


def test_a_bomb_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A gigabyte that a header announces is looked for no further than the limit; the next record is found."""
    monkeypatch.setattr("errata.crawl.warc.LONGEST_SKIP", 1 << 20)
    head = f"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: {1 << 30}\r\n\r\n".encode()
    packed = gzip.compress(head + b"\0" * (200 << 20), 1)
    begun = time.process_time()
    found = read(packed + write([b"after"]))
    assert [record.content for record in found] == [None, b"after"]
    assert time.process_time() - begun < 0.5


@pytest.mark.parametrize("length", ["-1", "x", "", "9" * 30, "１２"])
def test_a_length_that_is_none(length: str) -> None:
    bad = gzip.compress(f"WARC/1.0\r\nContent-Length: {length}\r\n\r\nabc\r\n\r\n".encode())
    found = read(bad + write([b"after"]))
    assert [(record.is_damaged, record.content) for record in found] == [(True, None), (False, b"after")]


def test_headers_without_end() -> None:
    bad = gzip.compress(b"WARC/1.0\r\n" + b"a: b\r\n" * 100_000)
    assert [record.is_damaged for record in read(bad + write([b"after"]))] == [True, False]
