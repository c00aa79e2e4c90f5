"""Split raw text into sentences, with offsets, so that long documents reach a model in pieces it was trained on.

Newlines always separate. English splits after . ! ? (with closing quotes) before something that can begin a sentence (a
Han character too), not after an abbreviation or an initial; Chinese splits after 。！？…… with closing quotes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any
from zlib import crc32

from errata.text.han import HAN
from errata.text.words import ABBREVIATIONS, NUMBERED, Span

# What ends a sentence, in either language.
STOPS = tuple(".!?。！？")
# Characters before a full stop that are looked at.
LONGEST_ABBREVIATION = 20
LINE = re.compile(r"[^\r\n\u2028\u2029]+")
_ENGLISH_END = re.compile(r"""(?<![.!?])[.!?]++["'”’)\]]*+\s++(?=["'“‘(\[]?[A-Z0-9\u00c0-\u00de\u3400-\u9fff])""")
_CHINESE_END = re.compile(r"(?:[。！？!?]++|…{1,2})[”’」』）)]*+")

# No prose goes on so long without white space, or in Chinese so long in letters that are not Han, or in marks alone.
LONGEST_RUN, LONGEST_MARKS = 1000, 100
_SPACELESS = re.compile(rf"(?<!\S)\S{{{LONGEST_RUN},}}+")
_HANLESS = re.compile(
    rf"(?<![^\W{HAN}])[^\W{HAN}]{{{LONGEST_RUN},}}+"
    rf"|(?<![!-~])[!-~]{{{LONGEST_RUN},}}+"
    rf"|(?<![^\w\s])[^\w\s]{{{LONGEST_MARKS},}}+"
)
# People do write pages of Han without any mark, but no block of so many characters that has so few different ones. The
# fewest in 23,138 blocks of essays and news were 28, in sentences that were copied several times over.
_MARKLESS = re.compile(rf"(?<!\w)\w{{{LONGEST_RUN},}}+")
BLOCK, FEWEST_DIFFERENT = 100, 20

# A longer "sentence", in characters, has no full stop for a page. It is read in clauses of at most so many tokens,
# which models take at once (en-small 80, zh-small 192).
LONGEST_SENTENCE = 2000
CLAUSE_TOKENS = {"en": 60, "zh": 120}
_TOKENS = {"en": re.compile(r"\S+"), "zh": re.compile(r"[!-~]+|\S")}
# Words that begin a clause, and those that do so or join two words.
_CLAUSE_WORDS = frozenset("because but if so then when where which while who".split())
_JOINING_WORDS = frozenset({"and", "or", "that"})


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
    runs = [run.span() for run in (_HANLESS if language == "zh" else _SPACELESS).finditer(text, start, end)]
    parts = _between(sentence, runs)
    if language == "zh":
        parts = [prose for part in parts for prose in _between(part, _repetitions(text, part))]
    return [(a, b) for a, b in parts if text[a:b].strip()]


def _between(whole: Span, gaps: Sequence[Span]) -> list[Span]:
    """The parts of a range that lie between the gaps in it, which are in order."""
    starts, ends = [whole[0], *(last for _, last in gaps)], [*(first for first, _ in gaps), whole[1]]
    return list(zip(starts, ends, strict=True))


def _repetitions(text: str, part: Span) -> list[Span]:
    """The blocks of a run without any mark in which the same few characters come again and again."""
    start, end = part
    found: list[Span] = []
    for run in _MARKLESS.finditer(text[start:end]):
        borders = [start + run.start() + BLOCK * number for number in range(len(run[0]) // BLOCK)]
        for first, last in pairwise((*borders, start + run.end())):
            if len(set(text[first:last])) < FEWEST_DIFFERENT:
                found.append((first, last))
    return found


def clause_spans(text: str, sentence: Span, language: str) -> list[Span]:
    """The sentence itself, or the parts in which a very long one is read, without what is no prose.

    It is cut after a mark, else before a word that begins a clause, else wherever the words decide. So after a change
    in one place most parts are the same as before, and what was found in them still holds.
    """
    start, end = sentence
    if end - start <= LONGEST_SENTENCE:
        return [sentence]
    known = language if language in _TOKENS else "en"
    parts = [part for prose in prose_spans(text, sentence, known) for part in _cut_prose(text, prose, known)]
    return parts or [sentence]


def _cut_prose(text: str, prose: Span, language: str) -> list[Span]:
    spans = [token.span() for token in _TOKENS[language].finditer(text, *prose)]
    tokens = [text[a:b] for a, b in spans]
    ranges = cut_long(tokens, CLAUSE_TOKENS[language], lambda token: not token[-1].isalnum(), _clause_rank)
    return [(spans[first][0], spans[last - 1][1]) for first, last in ranges]


def _clause_rank(before: str, after: str) -> tuple[bool, bool, int]:
    """How good it is to cut between two tokens; the number only makes the choice the same wherever they stand."""
    word, number = after.lower(), crc32(f"{before} {after}".encode("utf-8", "surrogatepass"))
    return word in _CLAUSE_WORDS, word in _JOINING_WORDS, number


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


def cut_long(
    tokens: Sequence[str], limit: int, is_break: Callable[[str], bool], rank: Callable[[str, str], Any] | None = None
) -> list[Span]:
    """Ranges that cover `tokens` in pieces of at most `limit`, cut after a break token where the second half has one.

    Where it has none, pieces are as long as they may be, or cut where `rank` is highest for the tokens on both sides.

    >>> cut_long(["a", ",", "b", "c"], 3, lambda token: token == ",")
    [(0, 2), (2, 4)]
    >>> cut_long("we ran home and they swam".split(), 5, lambda token: token == ",", lambda _, after: after == "and")
    [(0, 3), (3, 6)]
    """
    ranges: list[Span] = []
    start = 0
    while len(tokens) - start > limit:
        window = range(start + limit, start + limit // 2, -1)
        cut = next((position for position in window if is_break(tokens[position - 1])), start + limit)
        if rank and not is_break(tokens[cut - 1]):
            cut = max(window, key=lambda position: rank(tokens[position - 1], tokens[position]))
        ranges.append((start, cut))
        start = cut
    if start < len(tokens) or not ranges:
        ranges.append((start, len(tokens)))
    return ranges
