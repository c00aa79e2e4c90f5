"""Split raw text into sentences, with offsets, so that long documents reach a model in pieces it was trained on.

Newlines always separate. English splits after . ! ? (with closing quotes) before something that can begin a sentence (a
Han character too), not after an abbreviation or an initial; Chinese splits after 。！？…… with closing quotes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from errata.text.words import ABBREVIATIONS, NUMBERED, Span

# What ends a sentence, in either language.
STOPS = tuple(".!?。！？")
# Characters before a full stop that are looked at.
LONGEST_ABBREVIATION = 20
LINE = re.compile(r"[^\r\n\u2028\u2029]+")
_ENGLISH_END = re.compile(r"""(?<![.!?])[.!?]++["'”’)\]]*+\s++(?=["'“‘(\[]?[A-Z0-9\u00c0-\u00de\u3400-\u9fff])""")
_CHINESE_END = re.compile(r"(?:[。！？!?]++|…{1,2})[”’」』）)]*+")

# No prose goes on for so long without white space, or so long in Chinese without any mark, or in marks alone.
LONGEST_RUN, LONGEST_MARKS = 1000, 100
_SPACELESS = re.compile(rf"(?<!\S)\S{{{LONGEST_RUN},}}+")
_MARKLESS = re.compile(
    rf"(?<!\w)\w{{{LONGEST_RUN},}}+|(?<![!-~])[!-~]{{{LONGEST_RUN},}}+|(?<![^\w\s])[^\w\s]{{{LONGEST_MARKS},}}+"
)


def sentence_spans(text: str, language: str) -> list[Span]:
    """Character ranges of the sentences, without the white space around them; blank lines have none."""
    split = _split_chinese if language == "zh" else _split_english
    spans: list[Span] = []
    for line in LINE.finditer(text):
        for start, end in split(text, *line.span()):
            piece = text[start:end]
            stripped = piece.strip()
            if stripped:
                start += len(piece) - len(piece.lstrip())
                spans.append((start, start + len(stripped)))
    return spans


def prose_spans(text: str, sentence: Span, language: str) -> list[Span]:
    """The parts of a sentence that can be prose: without runs of signs that no writer makes and no model needs to see.

    >>> prose_spans("See " + 2000 * "x" + " there.", (0, 2011), "en")
    [(0, 4), (2004, 2011)]
    """
    start, end = sentence
    if end - start < LONGEST_MARKS:
        return [sentence]
    runs = [run.span() for run in (_MARKLESS if language == "zh" else _SPACELESS).finditer(text, start, end)]
    starts, ends = [start, *(last for _, last in runs)], [*(first for first, _ in runs), end]
    return [(a, b) for a, b in zip(starts, ends, strict=True) if text[a:b].strip()]


def _split_english(text: str, start: int, end: int) -> list[Span]:
    spans: list[Span] = []
    for match in _ENGLISH_END.finditer(text, start, end):
        if not _ends_in_abbreviation(text, start, match.start(), text[match.end()]):
            spans.append((start, match.end()))
            start = match.end()
    return [*spans, (start, end)]


def _ends_in_abbreviation(text: str, start: int, dot: int, following: str) -> bool:
    """Whether the full stop at `dot` belongs to the word before it (`Mr.`, `J.`, `no.` before a number)."""
    before = text[max(start, dot - LONGEST_ABBREVIATION) : dot]
    if text[dot] != "." or not before or before[-1].isspace():
        return False
    word = before.split()[-1].lower().lstrip("\"'“‘([")
    if word in NUMBERED:
        return following.isdigit()
    return word in ABBREVIATIONS or (len(word) == 1 and word.isalpha() and word != "i")


def _split_chinese(text: str, start: int, end: int) -> list[Span]:
    spans: list[Span] = []
    for match in _CHINESE_END.finditer(text, start, end):
        spans.append((start, match.end()))
        start = match.end()
    return [*spans, (start, end)]


def cut_long(tokens: Sequence[str], limit: int, is_break: Callable[[str], bool]) -> list[Span]:
    """Ranges that cover `tokens` in pieces of at most `limit`, cut after a break token where the second half has one.

    >>> cut_long(["a", ",", "b", "c"], 3, lambda token: token == ",")
    [(0, 2), (2, 4)]
    """
    ranges: list[Span] = []
    start = 0
    while len(tokens) - start > limit:
        cut = start + limit
        for position in range(start + limit, start + limit // 2, -1):
            if is_break(tokens[position - 1]):
                cut = position
                break
        ranges.append((start, cut))
        start = cut
    if start < len(tokens) or not ranges:
        ranges.append((start, len(tokens)))
    return ranges
