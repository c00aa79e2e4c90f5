"""Responses, encodings and domains: which page is one, and what it says."""

from __future__ import annotations

import gzip
import io
import zlib

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.crawl.decoding import decode_page
from errata.crawl.domains import find_register
from errata.crawl.drops import Drop
from errata.crawl.pages import read_pages
from errata.crawl.payload import read_response
from errata.crawl.warc import BEGINNING

LIMIT = 10_000
PAGE = b"<p>Hello</p>"


def response(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    return "\r\n".join([f"HTTP/1.1 {status}", *headers, "", ""]).encode() + body


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize(
    ("packing", "body"),
    [
        ("gzip", gzip.compress(PAGE)),
        ("GZIP", gzip.compress(PAGE)),
        ("deflate", zlib.compress(PAGE)),
        ("deflate", raw_deflate(PAGE)),
        ("br", brotli.compress(PAGE)),
        ("identity", PAGE),
        ("gzip", PAGE),  # Common Crawl unpacks the page and leaves the header
    ],
)
def test_packed_pages(packing: str, body: bytes) -> None:
    assert read_response(response(body, f"Content-Encoding: {packing}"), LIMIT).content == PAGE


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress, raw_deflate, brotli.compress, bytes])
def test_no_page_is_unpacked_beyond_the_limit(pack: object) -> None:
    names = {gzip.compress: "gzip", brotli.compress: "br", bytes: "identity"}
    body = pack(b"\0" * (LIMIT + 1))  # type: ignore[operator]
    with pytest.raises(Drop, match="too-large"):
        read_response(response(body, f"Content-Encoding: {names.get(pack, 'deflate')}"), LIMIT)  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (response(PAGE, status="404 Not Found"), "status"),
        (response(PAGE, status="301 Moved"), "status"),
        (response(PAGE, "Content-Type: image/png"), "not-html"),
        (response(PAGE, "Content-Encoding: secret"), "packing"),
        (b"", "bad-response"),
        (b"<p>no head</p>\r\n\r\n", "bad-response"),
        (b"HTTP/1.1 200 OK\r\nno end", "bad-response"),
    ],
)
def test_what_is_no_page(record: bytes, reason: str) -> None:
    with pytest.raises(Drop, match=reason):
        read_response(record, LIMIT)


@pytest.mark.parametrize(
    ("header", "charset", "is_html"),
    [
        ("text/html", None, True),
        ("Text/HTML; Charset='UTF-8'", "UTF-8", True),
        ("application/xhtml+xml;charset=gbk", "gbk", True),
        ("text/plain; x=1; charset=big5", "big5", False),
    ],
)
def test_content_types(header: str, charset: str | None, is_html: bool) -> None:
    payload = read_response(response(PAGE, f"Content-Type: {header}"), LIMIT)
    assert (payload.charset, payload.is_html) == (charset, is_html)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"5\r\nHello\r\n6;x=y\r\n there\r\n0\r\n\r\n", b"Hello there"),
        (PAGE, PAGE),  # an archive that joined them and left the header
        (b"5\r\nHello\r\nzz", b"Hello"),
        (b"ffffffff\r\nHello", b"Hello"),
    ],
)
def test_chunks(body: bytes, expected: bytes) -> None:
    assert read_response(response(body, "Transfer-Encoding: chunked"), LIMIT).content == expected


@given(st.binary(max_size=200))
def test_any_response_is_a_page_or_has_a_reason(data: bytes) -> None:
    for record in (data, response(data, "Content-Encoding: gzip", "Transfer-Encoding: chunked"), response(data)):
        try:
            decode_page(read_response(record, LIMIT).content)
        except Drop as drop:
            assert drop.reason in ("bad-response", "status", "not-text", "not-html")


TEXT = "<p>Das Café in Köln ist schön, und “alles” ist gut.</p>"


@pytest.mark.parametrize(
    ("content", "charset", "expected"),
    [
        (TEXT.encode(), None, TEXT),
        (TEXT.encode(), "iso-8859-1", TEXT),  # wrong, and yet UTF-8
        (TEXT.encode("cp1252"), "utf-8", TEXT),
        (TEXT.encode("cp1252"), "iso-8859-1", TEXT),  # browsers read it so as well
        (TEXT.encode("utf-16"), None, TEXT),
        (TEXT.encode("utf-16-le"), "utf-16", TEXT),
        (b"\xef\xbb\xbf" + TEXT.encode(), "gbk", TEXT),
        (
            "<meta charset=gb2312><p>我们喜欢吃鱼。</p>".encode("gb18030"),
            None,
            "<meta charset=gb2312><p>我们喜欢吃鱼。</p>",
        ),
        ("<p>我们</p>".encode("big5", "ignore"), "big5", "<p>我</p>"[:4] + "</p>"),
        (b"<p>a\0b</p>" + b"c" * 100, None, "<p>a\ufffdb</p>" + "c" * 100),
        (b"plain", "no-such-encoding", "plain"),
        (b"plain", "zip", "plain"),
        (b"", None, ""),
    ],
)
def test_encodings(content: bytes, charset: str | None, expected: str) -> None:
    assert decode_page(content, charset) == expected


@pytest.mark.parametrize("content", [b"\0" * 50, bytes(range(32)) * 10, "text".encode("utf-16-le") * 10])
def test_what_is_no_text(content: bytes) -> None:
    with pytest.raises(Drop, match="not-text"):
        decode_page(content)


@given(st.binary(max_size=300), st.sampled_from([None, "utf-16", "gbk", "shift_jis", "base64", "idna", "utf-7"]))
def test_any_bytes_are_text_or_not(content: bytes, charset: str | None) -> None:
    try:
        assert "\0" not in decode_page(content, charset)
    except Drop as drop:
        assert drop.reason == "not-text"


@pytest.mark.parametrize(
    ("url", "register"),
    [
        ("http://www.nasa.gov/", "sponsored"),
        ("https://MIT.EDU./x", "sponsored"),
        ("https://user:word@example.com:8080/?a=.de", "generic"),
        ("http://a.info", "generic"),
        ("http://bbc.co.uk/", "country-domain"),
        ("http://a.de/", "country-domain"),
        ("http://a.blog/", "other-domain"),
        ("http://a.xn--fiqs8s/", "other-domain"),
        ("http://192.0.2.1/", "no-domain"),
        ("http://[::1]/", "no-domain"),
        ("http://localhost/", "no-domain"),
        ("http://[/", "no-domain"),
        ("", "no-domain"),
    ],
)
def test_domains_of_the_paper(url: str, register: str) -> None:
    try:
        assert find_register(url, "paper") == register
    except Drop as drop:
        assert drop.reason == register


def test_a_file_of_html_is_one_page() -> None:
    [item] = read_pages(io.BytesIO(gzip.compress(PAGE)), "a.html.gz", start=BEGINNING, domains="paper", limit=LIMIT)
    assert item.page is not None and (item.page.text, item.page.register) == (PAGE.decode(), "local")
    assert list(read_pages(io.BytesIO(PAGE), "a.html", start=item.next, domains="paper", limit=LIMIT)) == []


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"x" * (LIMIT + 1), "too-large"),
        (gzip.compress(b"x" * 99_999), "too-large"),
        (gzip.compress(PAGE)[:-9], "damaged"),
    ],
)
def test_files_that_are_no_page(content: bytes, reason: str) -> None:
    [item] = read_pages(io.BytesIO(content), "a.html", start=BEGINNING, domains="paper", limit=LIMIT)
    assert item.reason == reason
