"""What a server answered: the page in an HTTP response, unpacked up to a limit."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from errata.crawl.drops import Drop

# Bytes of the head of a response.
LONGEST_HEAD = 1 << 17
_HTML = ("text/html", "application/xhtml+xml")
_TEXT = "text/plain"


@dataclass(frozen=True, slots=True)
class Payload:
    """A page as bytes; `charset` is what the server said."""

    content: bytes
    charset: str | None
    is_html: bool


def read_response(record: bytes, limit: int) -> Payload:
    """The page in a recorded HTTP response; anything else is a `Drop`."""
    head, content = _split_head(record)
    status, headers = _parse_head(head)
    if status != "200":
        raise Drop("status")
    charset, is_html = read_type(headers.get("content-type", "text/html"))
    if headers.get("transfer-encoding", "").lower() == "chunked":
        content = _join_chunks(content)
    return Payload(_unpack(content, headers.get("content-encoding", "").strip().lower(), limit), charset, is_html)


def read_type(content_type: str) -> tuple[str | None, bool]:
    """The charset of a content type, and whether it is HTML; neither HTML nor plain text is a `Drop`."""
    kind, *parameters = content_type.split(";")
    if (kind := kind.strip().lower()) not in (*_HTML, _TEXT):
        raise Drop("not-html")
    named = (parameter.partition("=") for parameter in parameters)
    charset = next((value for name, _, value in named if name.strip().lower() == "charset"), "")
    return charset.strip(" \"'") or None, kind in _HTML


def _split_head(record: bytes) -> tuple[bytes, bytes]:
    for end in (b"\r\n\r\n", b"\n\n"):
        place = record.find(end, 0, LONGEST_HEAD)
        if place >= 0:
            return record[:place], record[place + len(end) :]
    raise Drop("bad-response")


def _parse_head(head: bytes) -> tuple[str, dict[str, str]]:
    first, *lines = head.decode("latin-1").splitlines() or [""]
    parts = first.split(None, 2)
    if len(parts) < 2 or not parts[0].startswith("HTTP/"):
        raise Drop("bad-response")
    headers: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        headers.setdefault(name.strip().lower(), value.strip())
    return parts[1], headers


def _join_chunks(content: bytes) -> bytes:
    """The body without the sizes between its chunks; a body that has none (many archives joined it) as it is."""
    parts: list[bytes] = []
    place = 0
    while True:
        end = content.find(b"\r\n", place, place + 64)
        size = content[place:end].split(b";")[0].strip() if end >= 0 else b""
        if not size or len(size) > 8 or not all(digit in b"0123456789abcdefABCDEF" for digit in size):
            return content if not parts else b"".join(parts)
        length = int(size, 16)
        if length == 0:
            return b"".join(parts)
        parts.append(content[end + 2 : end + 2 + length])
        place = end + 2 + length + 2


def _unpack(content: bytes, packing: str, limit: int) -> bytes:
    if packing in ("gzip", "x-gzip", "deflate"):
        content = _inflate(content, limit)
    elif packing == "br":
        content = _unpack_brotli(content, limit)
    elif packing not in ("", "identity", "none", "utf-8"):
        raise Drop("packing")
    if len(content) > limit:
        raise Drop("too-large")
    return content


def _inflate(content: bytes, limit: int) -> bytes:
    """Unpacked gzip or deflate; Common Crawl stores pages unpacked and leaves the header as it was."""
    for wbits in (47, -15):  # gzip or zlib by its head, then deflate without any
        unpacker = zlib.decompressobj(wbits)
        try:
            unpacked = unpacker.decompress(content, limit + 1)
        except zlib.error:
            continue
        if len(unpacked) > limit:
            raise Drop("too-large")
        if unpacked or not content:
            return unpacked
    return content


def _unpack_brotli(content: bytes, limit: int) -> bytes:
    import brotli

    unpacker, parts, size = brotli.Decompressor(), [], 0
    try:
        while not unpacker.is_finished() and size <= limit:
            part = unpacker.process(content, output_buffer_limit=1 << 16)
            content = b""
            if not part:
                break
            parts.append(part)
            size += len(part)
    except brotli.error:
        return content if not parts else b"".join(parts)
    if size > limit:
        raise Drop("too-large")
    return b"".join(parts)
