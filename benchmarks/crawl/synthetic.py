"""Synthetic pages of every kind that the web has, packed as WARC, and what must become of each, counted.

Nothing here looks at what `errata crawl` does: every page says by how it is made which reason drops what.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.crawl.prose import FRENCH, Prose
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

DATE = "2020-07-17T12:00:00Z"
HUGE = 50 << 20
_LARGE = 1 << 20
_NAVIGATION = '<ul><li><a href="/">Home</a></li><li><a href="/about">About us</a></li></ul>'
_FOOTER = "<div>Copyright 2020</div>"


@dataclass(slots=True)
class Expected:
    """What must become of pages: reasons of records and paragraphs, and what is kept."""

    records: Counter[str] = field(default_factory=Counter)
    paragraphs: Counter[str] = field(default_factory=Counter)
    sentences: Counter[str] = field(default_factory=Counter)

    def add(self, other: Expected) -> None:
        self.records += other.records
        self.paragraphs += other.paragraphs
        self.sentences += other.sentences

    def as_counts(self) -> dict[str, Any]:
        """In the form of a report's counts."""
        return {
            level: {
                "read": counts.total(),
                "kept": counts["kept"],
                "dropped": {reason: n for reason, n in sorted(counts.items()) if reason != "kept" and n},
            }
            for level, counts in (
                ("records", self.records),
                ("paragraphs", self.paragraphs),
                ("sentences", self.sentences),
            )
        }


@dataclass(frozen=True, slots=True)
class Made:
    """A record of an archive: how it is written, and what must become of it."""

    url: str
    body: bytes
    expected: Expected
    head: tuple[tuple[str, str], ...] = (("Content-Type", "text/html; charset=utf-8"),)
    status: str = "200 OK"
    is_damaged: bool = False


class Writer(WARCWriter):  # type: ignore[misc]
    """warcio's writer without its temporary files, which it leaves open."""

    @staticmethod
    def _create_temp_file() -> io.BytesIO:
        return io.BytesIO()


def dropped(reason: str) -> Expected:
    return Expected(records=Counter({reason: 1}))


def make_pages(n_pages: int, seed: int = 0) -> list[Made]:
    """Pages of all kinds: one of each that is rare or hostile, and of the others as many as are left."""
    maker = _Maker(seed)
    rare = [make(maker) for make in RARE]
    usual = [USUAL[number % len(USUAL)](maker) for number in range(n_pages - len(rare))]
    # Hostile pages stand among the others. Copies stand after what they copy: the usual ones keep their order.
    for number, page in enumerate(rare):
        usual.insert(len(usual) * (2 * number + 1) // (2 * len(rare)), page)
    return usual


def pack(pages: Sequence[Made], folder: Path, n_files: int) -> Expected:
    """Write the pages into archives, in order, and say what must become of all records."""
    total = Expected()
    for number in range(n_files):
        first, last = (len(pages) * n // n_files for n in (number, number + 1))
        with (folder / f"pages-{number:03d}.warc.gz").open("wb") as stream:
            total.add(_write_archive(pages[first:last], stream))
    return total


def _write_archive(pages: Sequence[Made], stream: Any) -> Expected:
    total = Expected()
    writer = Writer(stream, gzip=True)
    writer.write_record(writer.create_warcinfo_record("pages.warc.gz", {"software": "errata"}))
    total.add(dropped("not-a-page"))
    for page in pages:
        record = _pack_record(page)
        stream.write(_damage(record) if page.is_damaged else record)
        total.add(page.expected)
        request = writer.create_warc_record(
            page.url, "request", http_headers=StatusAndHeaders("GET / HTTP/1.1", [("Host", "example.com")])
        )
        writer.write_record(request)
        total.add(dropped("not-a-page"))
    return total


def _pack_record(page: Made) -> bytes:
    if len(page.body) > _LARGE:
        return _pack_quickly(page)
    buffer = io.BytesIO()
    writer = Writer(buffer, gzip=True)
    head = StatusAndHeaders(page.status, list(page.head), protocol="HTTP/1.1")
    record = writer.create_warc_record(
        page.url,
        "response",
        payload=io.BytesIO(page.body),
        http_headers=head,
        warc_headers_dict={"WARC-Date": DATE},
    )
    writer.write_record(record)
    return buffer.getvalue()


def _pack_quickly(page: Made) -> bytes:
    """A large record; warcio takes seconds for one."""
    head = f"HTTP/1.1 {page.status}\r\n" + "".join(f"{name}: {value}\r\n" for name, value in page.head) + "\r\n"
    headers = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {page.url}\r\nWARC-Date: {DATE}\r\n"
    length = f"Content-Length: {len(head) + len(page.body)}\r\n\r\n"
    return gzip.compress((headers + length + head).encode() + page.body + b"\r\n\r\n", 1)


def _damage(record: bytes) -> bytes:
    middle = len(record) // 2
    return record[:middle] + bytes(255 - byte for byte in record[middle : middle + 40]) + record[middle + 40 :]


class _Maker:
    """Makes pages one after the other; some copy earlier ones."""

    def __init__(self, seed: int) -> None:
        self.prose, self.rng, self.n_made = Prose(seed), Random(seed + 1), 0
        self.articles: list[list[str]] = []

    def url(self, ending: str = "com") -> str:
        self.n_made += 1
        return f"http://www.{self.prose.word()}.{ending}/page-{self.n_made}"

    def generic(self) -> str:
        return self.url(self.rng.choice(["com", "info", "net", "org"]))

    def paragraphs(self, n: int = 3) -> list[str]:
        return [self.prose.paragraph() for _ in range(n)]


def page_of(paragraphs: Sequence[str], *, head: str = "", end: str = "</p>") -> str:
    """A page with navigation, a heading, paragraphs and a footer."""
    body = "\n".join(f"<p>{escape(text)}{end}" for text in paragraphs)
    top = f"<html><head>{head}<title>A page</title></head><body>{_NAVIGATION}<h1>A heading</h1>"
    return f"{top}{body}{_FOOTER}</body></html>"


def kept(n_kept: int, n_sentences: int | None = None, **reasons: int) -> Expected:
    """A page of `page_of`: its furniture, and what becomes of its paragraphs."""
    counts = Counter({name.replace("_", "-"): n for name, n in reasons.items()})
    furniture = Counter({"boilerplate": 3, "short": 1})
    n_sentences = 5 * n_kept if n_sentences is None else n_sentences
    return Expected(
        Counter({"kept": 1}), furniture + counts + Counter({"kept": n_kept}), Counter({"kept": n_sentences})
    )


def article(maker: _Maker) -> Made:
    paragraphs = maker.paragraphs()
    maker.articles.append(paragraphs)
    return Made(maker.generic(), page_of(paragraphs).encode(), kept(3))


def sponsored(maker: _Maker) -> Made:
    return Made(maker.url(maker.rng.choice(["gov", "edu", "mil"])), page_of(maker.paragraphs()).encode(), kept(3))


def broken_html(maker: _Maker) -> Made:
    html = page_of(maker.paragraphs(), end="").replace("</h1>", "").replace("</a></li>", "").replace("</html>", "<tab")
    expected = kept(3)
    expected.paragraphs["short"] -= 1  # the heading that does not end takes the first paragraph in
    return Made(maker.generic(), html.replace("<h1>A heading", "<h1>").encode(), expected)


def copied(maker: _Maker) -> Made:
    return Made(maker.generic(), page_of(maker.articles[-1]).encode(), kept(0, duplicate=3))


def nearly_copied(maker: _Maker) -> Made:
    changed = []
    for text in maker.articles[-1]:
        words = text.split(" ")
        words[len(words) // 2] = maker.prose.word()
        changed.append(" ".join(words))
    return Made(maker.generic(), page_of(changed).encode(), kept(0, near_duplicate=3))


def quoted(maker: _Maker) -> Made:
    """Paragraphs of their own that have a sentence of an earlier article in them."""
    sentence = maker.articles[-1][0].split(". ")[1] + "."
    texts = [f"{text} {sentence}" for text in maker.paragraphs(2)]
    expected = kept(2, 10)
    expected.sentences["duplicate"] = 2
    return Made(maker.generic(), page_of(texts).encode(), expected)


def foreign_country(maker: _Maker) -> Made:
    return Made(
        maker.url(maker.rng.choice(["de", "fr", "co.uk"])),
        page_of(maker.paragraphs()).encode(),
        dropped("country-domain"),
    )


def other_ending(maker: _Maker) -> Made:
    return Made(maker.url("blog"), page_of(maker.paragraphs()).encode(), dropped("other-domain"))


def no_domain(maker: _Maker) -> Made:
    return Made("http://192.0.2.7/page", page_of(maker.paragraphs()).encode(), dropped("no-domain"))


def german(maker: _Maker) -> Made:
    text = "Die Kinder sind mit dem Hund in das Haus gegangen, weil es nicht aufhören wollte zu regnen. " * 4
    return Made(maker.generic(), page_of([text]).encode(), _all_boilerplate(1))


def chinese(maker: _Maker) -> Made:
    text = "今天天气很好，我们一起去公园散步，然后回家吃饭。" * 12
    return Made(maker.generic(), page_of([text]).encode(), _all_boilerplate(1))


def _all_boilerplate(n: int) -> Expected:
    """Nothing on the page is good, so the heading is not good either."""
    return Expected(Counter({"kept": 1}), Counter({"boilerplate": 4 + n}))


def mixed(maker: _Maker) -> Made:
    texts = [f"{text} {FRENCH}" for text in maker.paragraphs(2)]
    return Made(maker.generic(), page_of(texts).encode(), kept(0, language=2))


def incomplete(maker: _Maker) -> Made:
    one, two, three = maker.paragraphs()
    texts = [one[0].lower() + one[1:], two.removesuffix("."), three.removesuffix(".") + "..."]
    return Made(maker.generic(), page_of(texts).encode(), kept(0, incomplete=3))


def not_prose(maker: _Maker) -> Made:
    capitals, digits, code, filler = maker.paragraphs(4)
    texts = [
        capitals.upper(),
        " ".join(f"{word} 2417" if number % 3 == 0 else word for number, word in enumerate(digits.split(" "))),
        " ".join(f"{{{word}}}" if number % 5 == 0 else word for number, word in enumerate(code.split(" "))),
        f"Lorem ipsum dolor sit amet. {filler}",
    ]
    expected = kept(0, many_capitals=1, many_digits=1, code=1, placeholder=1)
    return Made(maker.generic(), page_of(texts).encode(), expected)


def latin_as_utf8(maker: _Maker) -> Made:
    texts = [text.replace("The ", "The café ", 1) + " It was a café." for text in maker.paragraphs()]
    expected = kept(3, 16)
    expected.sentences["duplicate"] = 2
    return Made(maker.generic(), page_of(texts).encode("cp1252"), expected)


def utf8_as_latin(maker: _Maker) -> Made:
    texts = [f"{text} The naïve {maker.prose.word()} was here." for text in maker.paragraphs()]
    head = (("Content-Type", "text/html; charset=iso-8859-1"),)
    return Made(maker.generic(), page_of(texts).encode(), kept(3, 18), head)


def utf16(maker: _Maker) -> Made:
    return Made(maker.generic(), page_of(maker.paragraphs()).encode("utf-16"), kept(3))


def lost_characters(maker: _Maker) -> Made:
    texts = [text.replace(" is ", " is \0 ").replace(" was ", " was â€™ ") for text in maker.paragraphs(2)]
    return Made(
        maker.generic(),
        page_of([f"It was there. {t} It is â€™ there." for t in texts]).encode(),
        kept(0, broken_characters=2),
    )


def binary(maker: _Maker) -> Made:
    return Made(maker.generic(), maker.rng.randbytes(20_000), dropped("not-text"))


def missing(maker: _Maker) -> Made:
    return Made(maker.generic(), page_of(maker.paragraphs()).encode(), dropped("status"), status="404 Not Found")


def image(maker: _Maker) -> Made:
    return Made(maker.generic(), b"\xff\xd8\xff", dropped("not-html"), (("Content-Type", "image/jpeg"),))


def empty(maker: _Maker) -> Made:
    return Made(maker.generic(), b"", dropped("no-paragraph"))


def damaged(maker: _Maker) -> Made:
    return Made(maker.generic(), page_of(maker.paragraphs()).encode(), dropped("damaged"), is_damaged=True)


def huge(maker: _Maker) -> Made:
    return Made(maker.generic(), b"<p>" + b"All work and no play. " * (HUGE // 22), dropped("too-large"))


def packed(maker: _Maker) -> Made:
    head = (("Content-Type", "text/html"), ("Content-Encoding", "gzip"))
    return Made(maker.generic(), gzip.compress(page_of(maker.paragraphs()).encode()), kept(3), head)


def bomb(maker: _Maker) -> Made:
    """A hundred megabytes of zeros in a hundred kilobytes, as a server would send them."""
    body = zlib.compress(b"\0" * (100 << 20), 1)
    head = (("Content-Type", "text/html"), ("Content-Encoding", "deflate"))
    return Made(maker.generic(), body, dropped("too-large"), head)


def unknown_packing(maker: _Maker) -> Made:
    head = (("Content-Type", "text/html"), ("Content-Encoding", "secret"))
    return Made(maker.generic(), page_of(maker.paragraphs()).encode(), dropped("packing"), head)


def nested(maker: _Maker) -> Made:
    return Made(maker.generic(), b"<div>" * 100_000 + page_of(maker.paragraphs()).encode(), dropped("markup"))


def many_tags(maker: _Maker) -> Made:
    return Made(maker.generic(), b"<p>a" * 200_000, dropped("markup"))


def many_attributes(maker: _Maker) -> Made:
    attributes = " ".join(f"a{number}=1" for number in range(50_000))
    return Made(maker.generic(), f"<p {attributes}>{maker.prose.paragraph()}</p>".encode(), dropped("markup"))


def entities(maker: _Maker) -> Made:
    """A billion laughs, which no HTML parser repeats."""
    declared = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    doctype = f'<!DOCTYPE html [<!ENTITY l0 "lol">{declared}]>'
    html = page_of(maker.paragraphs()).replace("<html>", f"{doctype}<html>").replace("Copyright", "&l9; Copyright")
    expected = kept(3)
    expected.paragraphs["boilerplate"] += 1  # what stands after the first declaration is text to a parser of HTML
    return Made(maker.generic(), html.encode(), expected)


def null_bytes(maker: _Maker) -> Made:
    html = page_of(maker.paragraphs()).replace("<h1>", "<h\0 1>").replace("A heading", "A \0 heading")
    expected = kept(3)
    expected.paragraphs += Counter(boilerplate=1, short=-1)  # what is no heading any more is as bad as the navigation
    return Made(maker.generic(), html.encode(), expected)


Kind = Callable[[_Maker], Made]
# The first is what the next three copy.
USUAL: tuple[Kind, ...] = (
    article, copied, nearly_copied, quoted, sponsored, broken_html, foreign_country, other_ending, german, chinese,
    mixed, incomplete, not_prose, utf8_as_latin, missing, image, packed,
)  # fmt: skip
RARE: tuple[Kind, ...] = (
    no_domain, latin_as_utf8, utf16, lost_characters, binary, empty, damaged, huge, bomb, unknown_packing, nested,
    many_tags, many_attributes, entities, null_bytes,
)  # fmt: skip


def iter_kinds() -> Iterator[Kind]:
    yield from (*USUAL, *RARE)
