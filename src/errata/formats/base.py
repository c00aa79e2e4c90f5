"""What a format is: a parser from lines to annotated sentences, a formatter back, and a sniffer.

Parsers and formatters work on lines, so the web, the command line and tests share them; files are opened in
`formats.files`.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Protocol

from errata.errors import FormatError, UsageError
from errata.model import AnnotatedSentence
from errata.parameters import check_options, check_type
from errata.registry import describe_failure, find_plugins, load_plugins, lookup


class Format(Protocol):
    """One file format; `parse(format(x)) == x` for everything the format can say.

    `keeps` names the features of `formats.features` that the format can say; writing anything else loses it, and
    `errata convert` counts what was lost.
    """

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    keeps: ClassVar[frozenset[str]]

    def sniff(self, head: str) -> bool:
        """Whether the beginning of a file (some kilobytes of text) looks like this format."""
        ...

    def parse(self, lines: Iterable[str], *, origin: str = "<input>") -> Iterator[AnnotatedSentence]:
        """Annotated sentences, streaming; `FormatError(origin, line, …)` on anything the format does not allow."""
        ...

    def format(self, sentences: Iterable[AnnotatedSentence]) -> Iterator[str]:
        """Text chunks that, written one after the other, make the file; `DataError` on what cannot be written."""
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


# Where other packages bring formats.
PLUGINS = "errata.formats"
# Those that can be read with `strict=False`.
M2_DIALECTS = ("m2", "m2scorer", "cherrant")


def get_format(name: str, **options: Any) -> Format:
    """The format registered as `name`: `get_format("m2", strict=False)`."""
    kind: Any = lookup("format", FORMATS, name, group=PLUGINS)
    unknown = options.keys() - inspect.signature(kind).parameters.keys()
    if unknown:
        raise UsageError(f"format {name!r} has no option {min(unknown)!r}")
    check_options(kind, options)
    found: Format = kind(**options)
    return found


def find_brought_formats() -> list[str]:
    """The names of the formats that other packages bring; slow, so ask only where no built-in format will do."""
    return [name for name in find_plugins(PLUGINS) if name not in FORMATS]


def load_brought_formats() -> tuple[dict[str, Format], list[str]]:
    """The formats that other packages bring, and what is wrong with those that cannot be used, a line each."""
    kinds, faults = load_plugins("format", FORMATS, PLUGINS)
    formats: dict[str, Format] = {}
    for name, kind in kinds.items():
        try:
            found = kind()
            check_type(f"format {name!r}", found, Format)
        except Exception as error:  # the other package's code may fail in any way
            faults.append(f"format {name!r} of another package cannot be used: {describe_failure(error)}")
        else:
            formats[name] = found
    return formats, faults


def clean_lines(lines: Iterable[str], origin: str) -> Iterator[str]:
    """The lines without their ends (LF or CRLF) and without a byte order mark before the first.

    `lines` are split at LF alone (a file opened with `newline="\\n"`, not `str.splitlines`, which splits at characters
    that may stand inside a sentence). A carriage return anywhere else is refused.
    """
    for number, line in enumerate(lines, 1):
        line = line.rstrip("\r\n")
        if number == 1:
            line = line.lstrip("\ufeff")
        if "\r" in line:
            raise FormatError(origin, number, "a carriage return inside a line; lines end in LF or CRLF")
        yield line
