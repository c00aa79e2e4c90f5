"""What a format is: a parser from lines to annotated sentences, a formatter back, and a sniffer.

Parsers and formatters work on lines, so the web, the command line and tests share them; files are opened in
`formats.files`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, Protocol

from errata.model import AnnotatedSentence


class Format(Protocol):
    """One file format; `parse(format(x)) == x` for everything the format can say."""

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]

    def sniff(self, head: str) -> bool:
        """Whether the beginning of a file (some kilobytes of text) looks like this format."""
        ...

    def parse(self, lines: Iterable[str], *, origin: str = "<input>") -> Iterator[AnnotatedSentence]:
        """Annotated sentences, streaming; `FormatError(origin, line, …)` on anything the format does not allow."""
        ...

    def format(self, sentences: Iterable[AnnotatedSentence]) -> Iterator[str]:
        """Text chunks that, written one after the other, make the file."""
        ...


FORMATS: dict[str, str] = {
    "m2": "errata.formats.m2:M2",
    "m2scorer": "errata.formats.m2:M2Scorer",
    "cherrant": "errata.formats.m2:CherrantM2",
    "parallel": "errata.formats.parallel:Parallel",
    "mucgec": "errata.formats.mucgec:MuCGEC",
    "fcgec": "errata.formats.fcgec:FCGEC",
    "robustgec": "errata.formats.robustgec:RobustGEC",
    "jsonl": "errata.formats.jsonl:JsonLines",
}


def get_format(name: str) -> Format:
    """The format registered as `name`."""
    from errata.registry import lookup

    found: Format = lookup("format", FORMATS, name)()
    return found
