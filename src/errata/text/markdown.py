"""Markdown as prose and markup.

Prose is what is read as sentences: paragraphs, headings, list items, table cells, the text of links and what is
emphasised. Markup is the rest: front matter, code, HTML, math, link targets, images, URLs, table rules, and every
marker. A paragraph that is wrapped over several lines reads as one line.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from markdown_it.token import Token

from errata.text.literals import literal_spans
from errata.text.markdown_inline import Mark, inline_marks, parser
from errata.text.projection import BLOCK_END, Part, Role
from errata.text.words import Span

# A blank line after the first --- makes that a rule between paragraphs.
_FRONT_MATTER = re.compile(
    r"\ufeff?(---|\+\+\+)[ \t]*(?:\r\n?|\n)(?![ \t]*[\r\n])(?s:.*?)(?<=[\r\n])(?:\1|\.\.\.)[ \t]*(?=[\r\n]|\Z)"
)
_LINE_END = re.compile(r"\r\n?|\n")
_CELL = re.compile(r"(?:[^|\\]|\\.|\\\Z)+")
_BLANK = " \t"
# No prose has more in a paragraph, and for each one the parser reads on to see what it opens: left alone as markup.
MOST_BRACKETS = 5000


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a paragraph, without what its containers (quotes, lists) write before it."""

    start: int  # in the document
    text: str


def parts(text: str) -> list[Part]:
    """The text as prose and markup, in order; joined, the parts are the text.

    >>> [part.text for part in parts("# A *good* day") if not part.is_markup]
    ['A ', 'good', ' day']
    """
    return list(_assemble(text, _paragraph_marks(text)))


def _paragraph_marks(text: str) -> Iterator[tuple[Span, list[Mark]]]:
    """The paragraphs of a document: where each is, and the markup in it, in document offsets."""
    front = _FRONT_MATTER.match(text)
    base = front.end() if front else 1 if text.startswith("\ufeff") else 0
    env: dict[str, Any] = {}
    tokens = parser().parse(text[base:], env)
    lines = _line_spans(text, base)
    for paragraph in _paragraphs(text.replace("\0", "\ufffd"), lines, tokens):
        place = _Placing(paragraph)
        if place.text.count("[") > MOST_BRACKETS:
            continue
        marks = inline_marks(place.text, env.get("references", {}))
        yield (
            (place.of(0), place.of(len(place.text))),
            [Mark(place.of(mark.start), place.of(mark.end), mark.reads, mark.role) for mark in marks],
        )


def _line_spans(text: str, base: int) -> list[Span]:
    # Step by step: other threads get their turn between a million lines.
    spans, start = [], base
    for end in _LINE_END.finditer(text, base):
        spans.append((start, end.start()))
        start = end.end()
    return [*spans, (start, len(text))]


def _paragraphs(text: str, lines: Sequence[Span], tokens: Sequence[Token]) -> Iterator[list[_Line]]:
    """The lines of every paragraph, heading and table cell that can be found in the text."""
    row: Iterator[Span] = iter(())
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.type == "tr_open" and token.map:
            row = iter(_cells(text, lines[token.map[0]]))
        if token.type != "inline" or not token.map or before is None:
            continue
        if before.type in ("th_open", "td_open"):
            found = _find_cell(text, row, token.content)
        elif before.type == "heading_open" and before.markup.startswith("#"):
            found = _find_heading(text, lines[token.map[0]], before.markup, token.content)
        else:
            found = _find_lines(text, lines[token.map[0] : token.map[1]], token.content)
        if found:
            yield found


def _cells(text: str, line: Span) -> Iterator[Span]:
    return (match.span() for match in _CELL.finditer(text, *line))


def _find_cell(text: str, row: Iterator[Span], content: str) -> list[_Line]:
    """The next cell of the row that holds `content`; containers may stand before the first."""
    while content:
        span = next(row, None)
        if span is None:
            break
        cell = text[slice(*span)].rstrip(_BLANK)
        written = cell.lstrip(_BLANK)
        if written.replace("\\|", "|") == content:
            return [_Line(span[0] + len(cell) - len(written), written)]
        if cell.endswith(content):
            return [_Line(span[0] + len(cell) - len(content), content)]
    return []


def _find_heading(text: str, line: Span, marker: str, content: str) -> list[_Line]:
    start = text.find(content, text.index(marker, *line) + len(marker), line[1]) if content else -1
    return [_Line(start, content)] if start >= 0 else []


def _find_lines(text: str, lines: Sequence[Span], content: str) -> list[_Line]:
    """Each line of `content` where it stands in the text; none when one of them cannot be found."""
    found: list[_Line] = []
    for (start, end), written in zip(lines, content.split("\n"), strict=False):
        line = text[start:end]
        wanted = written.strip(_BLANK)
        if not line.rstrip(_BLANK).endswith(wanted):
            return []
        at = len(line.rstrip(_BLANK)) - len(wanted)
        found.append(_Line(start + at, line[at:]))
    if found:
        found[-1] = _Line(found[-1].start, found[-1].text.rstrip(_BLANK))
    return found if any(line.text for line in found) else []


class _Placing:
    """The text of a paragraph, and where its characters are in the document."""

    def __init__(self, lines: Sequence[_Line]) -> None:
        self.text = "\n".join(line.text for line in lines)
        self._targets = [line.start for line in lines]
        self._starts = [0]
        for line in lines[:-1]:
            self._starts.append(self._starts[-1] + len(line.text) + 1)

    def of(self, position: int) -> int:
        at = bisect_right(self._starts, position) - 1
        return self._targets[at] + position - self._starts[at]


def _assemble(text: str, paragraphs: Iterable[tuple[Span, list[Mark]]]) -> Iterator[Part]:
    position = 0
    for (start, end), marks in paragraphs:
        yield Part(text[position:start], True, BLOCK_END if position else "")
        position = start
        for mark in marks:
            yield from _prose(text[position : mark.start])
            yield Part(text[mark.start : mark.end], True, mark.reads, mark.role)
            position = mark.end
        yield from _prose(text[position:end])
        position = end
    yield Part(text[position:], True)


def _prose(text: str) -> Iterator[Part]:
    """The prose between two markers, the URLs and the like in it as markup that reads as it is."""
    position = 0
    for start, end in literal_spans(text):
        yield Part(text[position:start])
        yield Part(text[start:end], True, text[start:end], Role.STANDS_IN)
        position = end
    yield Part(text[position:])
