"""Why records, paragraphs and sentences are dropped, and how many were: nothing is dropped without a reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

RECORDS, PARAGRAPHS, SENTENCES = "records", "paragraphs", "sentences"

# Reason → what it means, by what is dropped; the order is the order in which they are tried.
REASONS: dict[str, dict[str, str]] = {
    RECORDS: {
        "not-a-page": "a record of another kind: request, metadata, warcinfo",
        "not-an-archive": "a file called .warc or .wet without a whole record; call a page .html",
        "damaged": "the record cannot be unpacked or has no readable header",
        "no-domain": "no address, or one without a domain name",
        "country-domain": "the domain ends in a country code",
        "other-domain": "the domain ends in none of the endings that are kept",
        "bad-response": "the server's answer cannot be read",
        "status": "the server did not answer with 200",
        "not-html": "not a page of HTML or text",
        "packing": "the page is packed in a way that is not known",
        "too-large": "the page is larger than --max-page",
        "not-text": "the page has bytes that are no text in any encoding",
        "markup": "the markup is nested too deeply, or there is too much of it",
        "unreadable": "the extractor cannot read the page",
        "crash": "the extractor crashes on the page",
        "no-paragraph": "the page has no text",
    },
    PARAGRAPHS: {
        "boilerplate": "navigation, headings, notices: justext does not count it as text",
        "short": "too few words or sentences",
        "broken-characters": "characters were lost in a wrong encoding",
        "language": "not in the language, or one of its sentences is not",
        "few-letters": "too few letters",
        "many-digits": "too many digits",
        "many-capitals": "too many capitals",
        "code": "too many signs of program code",
        "long-word": "a word that is too long",
        "many-addresses": "too many web addresses",
        "repetitive": "too few different words",
        "placeholder": "text that only fills a page (lorem ipsum)",
        "long-sentence": "a sentence that is too long",
        "incomplete": "a sentence without its beginning or its end",
        "duplicate": "the same letters as an earlier paragraph",
        "near-duplicate": "nearly the same words as an earlier paragraph",
        "not-sampled": "left out by --sample or --share",
    },
    SENTENCES: {
        "duplicate": "the same letters as an earlier sentence",
    },
}


@dataclass(slots=True)
class Tally:
    """How many were read and kept, and how many dropped for which reason; the three always add up."""

    read: int = 0
    dropped: Counter[str] = field(default_factory=Counter)

    @property
    def kept(self) -> int:
        return self.read - self.dropped.total()

    def drop(self, reason: str, count: int = 1) -> None:
        self.dropped[reason] += count

    def add(self, other: Mapping[str, Any]) -> None:
        """Add what `as_dict` of another tally gave."""
        self.read += other["read"]
        self.dropped.update(other["dropped"])

    def as_dict(self) -> dict[str, Any]:
        return {"read": self.read, "kept": self.kept, "dropped": dict(sorted(self.dropped.items()))}


@dataclass(slots=True)
class Tallies:
    """Records, paragraphs and sentences of a run, or of a part of one."""

    records: Tally = field(default_factory=Tally)
    paragraphs: Tally = field(default_factory=Tally)
    sentences: Tally = field(default_factory=Tally)

    def add(self, other: Mapping[str, Any]) -> None:
        for name in (RECORDS, PARAGRAPHS, SENTENCES):
            getattr(self, name).add(other[name])

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name).as_dict() for name in (RECORDS, PARAGRAPHS, SENTENCES)}
