"""The pages of an archive or a file, one for each record; a record that is no page says why."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from errata.crawl.decoding import decode_page
from errata.crawl.domains import find_register
from errata.crawl.drops import Drop
from errata.crawl.inputs import has_archive_name, is_address, read_head
from errata.crawl.payload import Payload, read_response, read_type
from errata.crawl.warc import BEGINNING, MAGIC, Position, Record, WarcReader

# Bytes by which an archive is known from a page.
_HEAD = 16
# A record is a page with its headers.
_HEADERS = 1 << 17


@dataclass(frozen=True, slots=True)
class Page:
    """A page as text, and where it comes from; `offset` is the byte of the file where its record begins."""

    text: str
    is_html: bool
    url: str
    date: str
    offset: int
    register: str


@dataclass(frozen=True, slots=True)
class Item:
    """A record of a file: its page or the reason why it has none, and where the next record begins."""

    page: Page | None
    reason: str | None
    next: Position


def read_pages(stream: BinaryIO, path: str, *, start: Position, domains: str, limit: int) -> Iterator[Item]:
    """The records of a WARC or WET file from a position on, or the one page of any other file."""
    if not has_archive_name(path) and not read_head(stream, _HEAD).startswith(b"WARC/"):
        if start == BEGINNING:
            yield _read_file(stream, path, domains, limit)
        return
    size = stream.seek(0, io.SEEK_END)
    if size == 0 and start == BEGINNING:
        yield Item(None, "not-an-archive", Position(1))
    reader = WarcReader(stream, start=start, limit=limit + _HEADERS)
    for record in reader:
        if record.is_damaged and record.position == BEGINNING and reader.position.offset >= size:
            yield Item(None, "not-an-archive", reader.position)
            return
        try:
            yield Item(_read_record(record, domains, limit), None, reader.position)
        except Drop as drop:
            yield Item(None, drop.reason, reader.position)


def _read_record(record: Record, domains: str, limit: int) -> Page:
    if record.is_damaged:
        raise Drop("damaged")
    if record.type not in ("response", "resource", "conversion"):
        raise Drop("not-a-page")
    url = record.headers.get("warc-target-uri", "").strip("<> ")
    if record.type != "conversion" and not url.lower().startswith(("http://", "https://")):
        raise Drop("not-a-page")  # dns:, metadata:, filedesc:
    register = find_register(url, domains)
    if record.content is None:
        raise Drop("too-large")
    payload = _read_payload(record, record.content, limit)
    text = decode_page(payload.content, payload.charset)
    return Page(text, payload.is_html, url, record.headers.get("warc-date", ""), record.position.offset, register)


def _read_payload(record: Record, content: bytes, limit: int) -> Payload:
    if record.type == "response":
        return read_response(content, limit)
    charset, is_html = read_type(record.headers.get("content-type", ""))
    if len(content) > limit:
        raise Drop("too-large")
    return Payload(content, charset, is_html)


def _read_file(stream: BinaryIO, path: str, domains: str, limit: int) -> Item:
    end = Position(1)  # a file has one page: whatever comes after is behind it
    try:
        register = find_register(path, domains) if path.startswith(("http://", "https://")) else "local"
        text = decode_page(_read_limited(stream, limit))
        return Item(Page(text, True, path if is_address(path) else "", "", 0, register), None, end)
    except Drop as drop:
        return Item(None, drop.reason, end)


def _read_limited(stream: BinaryIO, limit: int) -> bytes:
    head = stream.read(2)
    stream.seek(0)
    source = gzip.GzipFile(fileobj=stream) if head == MAGIC else stream
    content = io.BytesIO()
    try:
        while content.tell() <= limit and (chunk := source.read(1 << 16)):
            content.write(chunk)
    except (OSError, EOFError, zlib.error):
        raise Drop("damaged") from None
    if content.tell() > limit:
        raise Drop("too-large")
    return content.getvalue()
