"""Whole sentences of lines with markup: Markdown, reStructuredText, AsciiDoc or XHTML, or a part of such a file.

A hunk has no beginning and no end, so no parser of documents helps here. Lines are joined to paragraphs, marks are
taken off by patterns, and a sentence that still looks like markup is left out by who asks for it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

from benchmarks.models.pairs import plain_quotes

from errata.text.sentences import sentence_spans

# Wrapped lines are shorter, so the first line of a hunk that is as short may begin within a sentence.
WRAPPED = 110
# A sentence is English if it has as many words at least, and this share of them are known.
FEWEST_WORDS, KNOWN_SHARE = 4, 0.8

# Lines that begin a paragraph, marks at their beginning that are taken off, and lines that are no prose.
_ITEM = r"[-*+•]\s+|\d+[.)]\s+|>+\s?"
_NO_PROSE = r"#{1,6}\s|=+\s|\||:\w|\.\.\s|```|~~~|\{%|import |export |//|---|\+\+\+|\[[^\]]+\]:|\w+:\s*\S*$|\^"
_BREAK = re.compile(rf"\s*(?:{_ITEM}|{_NO_PROSE}|<|\{{\{{)")
_MARKER = re.compile(rf"^\s*(?:{_ITEM})+")
_SKIPPED = re.compile(rf"\s*(?:{_NO_PROSE})")
_FENCES = ("```", "~~~", "----")
_INDENTED = ("    ", "\t")

_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()\s]*(?:\s+\"[^\"]*\")?\)|\[[^\]]*\])")
_ASCIIDOC_LINK = re.compile(r"(?:link:|xref:|https?://)[^\s\[]*\[([^\]]*)\]")
_ROLE = re.compile(r":[\w:+-]+:`([^`<]+?)\s*(?:<[^>`]*>)?`")
_RST_LINK = re.compile(r"`([^`<]+?)\s*<[^>`]*>`__?")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>|<!--.*?-->|\{:[^}]*\}|\{#[^}]*\}")
_EMPHASIS = re.compile(r"(\*\*\*|\*\*|__|\*|(?<!\w)_)(?=\S)([^*_]+?)(?<=\S)(\1)(?!\w)")
_INVISIBLE = re.compile("[\u2060\ufeff]")
CODE = re.compile(r"``?[^`]*``?")
# What is left of markup, an address, a path or a name in code.
NOISE = re.compile(
    r"[{}<>|\\=^~#@$\[\]]|https?:|www\.|\w/\w+/|\.\.\.\.|\*|__|::|--\w|(?<!\w)_|_(?!\w)|\w_\w|\w\.(?:py|js|md|com|org|io)\b"
)
_BEFORE_CODE = re.compile(r"(?<=[.!?]) (?=`)")
_WHOLE = re.compile(r"[\"'(]?[A-Z].*[.!?][\"')]*")
_WORD = re.compile(r"[A-Za-z]+(?:'[a-z]+)?")


def plain(text: str) -> str:
    """The text without marks; inline code stays in backquotes.

    >>> plain("See **the** [guide](a.md), :ref:`its index <index>` and `x`.")
    'See the guide, its index and `x`.'
    """
    for pattern in (_LINK, _LINK, _ASCIIDOC_LINK, _ROLE, _RST_LINK):  # a link may hold an image
        text = pattern.sub(r"\1", text)
    text = html.unescape(_TAG.sub("", text))
    text = _EMPHASIS.sub(r"\2", _EMPHASIS.sub(r"\2", text)).replace("``", "`")
    return " ".join(plain_quotes(_INVISIBLE.sub("", text)).split())


def paragraphs(lines: Iterable[str]) -> Iterator[list[str]]:
    """Lines that belong together, without the marks of lists and quotations."""
    block: list[str] = []
    for line in lines:
        if block and (not line.strip() or _BREAK.match(line)):
            yield block
            block = []
        if line.strip() and not _SKIPPED.match(line):
            block.append(_MARKER.sub("", line))
    if block:
        yield block


def sentences(lines: Iterable[str], *, begins_within: bool = False) -> list[str]:
    """The whole sentences of the lines; the first is left out where the lines may begin within it."""
    found: list[str] = []
    for number, block in enumerate(paragraphs(lines)):
        parts = _split(" ".join(block))
        found += parts[1:] if begins_within and not number else parts
    return [sentence for sentence in found if _WHOLE.fullmatch(sentence)]


@lru_cache(maxsize=1024)  # most paragraphs of a hunk are the same before and after
def _split(paragraph: str) -> tuple[str, ...]:
    text = _BEFORE_CODE.sub("\n", plain(paragraph))
    return tuple(text[start:end] for start, end in sentence_spans(text, "en"))


def may_begin_within(line: str) -> bool:
    """Whether a sentence may have begun before this line."""
    return bool(line.strip()) and len(line) < WRAPPED and not _BREAK.match(line)


def outside_code(lines: Iterable[str], *, is_indented: bool = False) -> Iterator[str]:
    """The lines that are in no block of code; with `is_indented`, indentation says nothing (XHTML)."""
    fenced = False
    for line in lines:
        if is_indented:
            yield line.strip()
        elif line.strip().startswith(_FENCES):
            fenced = not fenced
        elif not fenced and not line.startswith(_INDENTED):
            yield line


def words_of(sentence: str) -> list[str]:
    """The words of a sentence, without code and without what follows an apostrophe."""
    return [word.partition("'")[0] for word in _WORD.findall(CODE.sub("", sentence))]


def is_english(sentence: str, known: Collection[str]) -> bool:
    words = words_of(sentence)
    return len(words) >= FEWEST_WORDS and sum(word.lower() in known for word in words) >= KNOWN_SHARE * len(words)
