"""Plain text whose paragraphs are wrapped: e-mails, licences, commit messages.

A model reads a sentence that goes on in the next line as one sentence, and its line ends stay where they are. Lines
that are lines of their own (lists, addresses, verse) stay apart.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from errata.model import TextEdit
from errata.text.sentences import STOPS

# Narrower paragraphs (in characters) are treated as lists or addresses. If lines continue in lower case, the limit is
# `NARROWER`.
NARROW, NARROWER = 50, 30
# How full a line is at least that goes on in lower case in the next; how full one is with the next word.
FULL, FULL_WITH_NEXT = 0.6, 0.9
# White space on either side of words that is looked at to see whether they are alone on their line.
MARGIN = 200

_LINE = re.compile(r"([^\r\n\u2028\u2029]*)(\r\n|[\r\n\u2028\u2029]|\Z)")
_ITEM = re.compile(r"[-*•–—+>#|~]|\(?(?:\d{1,3}|[A-Za-z])[.)]\s|\[[ \dx]\]|\w{1,20}:\s")
_GOES_ON = re.compile(r"[A-Za-z0-9\u00c0-\u024f(“\"‘'$£€]")
_LINE_ENDS = "\r\n\u2028\u2029"
_OPENING = "([{“‘\"'"
_ENDS = (*STOPS, ":", "：")


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that is not blank: where it stands without the white space around it, and how far it is indented."""

    start: int
    end: int
    indent: int
    text: str

    @property
    def width(self) -> int:
        return self.indent + len(self.text)


def unwrap(text: str) -> str:
    """The text with a space for each character of a line end (and indentation) that a sentence goes on over.

    >>> unwrap("Permission is granted to everybody who has a copy of\\nthe files.")
    'Permission is granted to everybody who has a copy of the files.'
    """
    if "\n" not in text and "\r" not in text:
        return text
    pieces: list[str] = []
    position = 0
    for paragraph in _paragraphs(text):
        for end, start in _soft_breaks(paragraph):
            pieces += text[position:end], " " * (start - end)
            position = start
    return "".join([*pieces, text[position:]])


def _paragraphs(text: str) -> Iterable[list[_Line]]:
    """The lines that stand together without a blank one between them."""
    lines: list[_Line] = []
    for match in _LINE.finditer(text):
        bare = match[1].strip()
        if bare:
            indent = len(match[1]) - len(match[1].lstrip())
            lines.append(_Line(match.start() + indent, match.start() + indent + len(bare), indent, bare))
        if lines and (not bare or match[2] in "\u2028\u2029"):
            yield lines
            lines = []


def _soft_breaks(lines: list[_Line]) -> Iterable[tuple[int, int]]:
    """The ends of lines that go on, with the starts of those they go on in."""
    if len(lines) < 2:
        return
    width = max(line.width for line in lines)
    pairs = list(pairwise(lines))
    open_pairs = [(one, after) for one, after in pairs if not _ends(one, after)]
    # Somebody who wraps puts a word onto the next line only where it does not fit onto this one, and most words are in
    # lower case.
    is_full = width >= NARROW and all(_is_full(one, after, width) for one, after in open_pairs)
    is_wrapped = is_full and 2 * sum(after.text.lstrip(_OPENING)[:1].islower() for _, after in open_pairs) >= len(
        open_pairs
    )
    narrowest = NARROW if lines[0].text[0].islower() else NARROWER
    for one, after in open_pairs:
        in_lower_case = after.text[0].islower() and width >= narrowest and one.width >= FULL * width
        if in_lower_case or (is_wrapped and _GOES_ON.match(after.text)):
            yield one.end, after.start


def _is_full(line: _Line, after: _Line, width: int) -> bool:
    return line.width + 1 + len(after.text.split(maxsplit=1)[0]) > FULL_WITH_NEXT * width


def _ends(line: _Line, after: _Line) -> bool:
    """Whether the next line is one of its own by its look."""
    is_item = bool(_ITEM.match(line.text))
    return line.text.endswith(_ENDS) or bool(_ITEM.match(after.text)) or (after.indent > line.indent and not is_item)


def keep_line_ends(text: str, edits: Iterable[TextEdit]) -> list[TextEdit]:
    """Edits of the unwrapped text, in order, as edits of the text that change no line end.

    >>> text = "He has got the\\nthe files, all of them."
    >>> keep_line_ends(text, [TextEdit(14, 18, "")])
    [TextEdit(start=15, end=19, replacement='', type='UNK', confidence=None)]
    """
    kept: list[TextEdit] = []
    rest = deque(edits)
    while rest:
        edit = rest.popleft()
        if not _has_line_end(text[edit.start : edit.end]):
            kept.append(edit)
            continue
        while rest and not edit.replacement and rest[0].start == edit.end and not rest[0].replacement:
            edit = replace(edit, end=rest.popleft().end)  # the words after it go too
        floor = kept[-1].end if kept else 0
        ceiling = rest[0].start if rest else len(text)
        moved = _off_line_ends(text, edit, floor, ceiling)
        if moved is not None:
            kept.append(moved)
    return kept


def _has_line_end(text: str) -> bool:
    return "\n" in text or "\r" in text


def _off_line_ends(text: str, edit: TextEdit, floor: int, ceiling: int) -> TextEdit | None:
    """The edit without the line end beside the words it changes, between `floor` and `ceiling`; None if it needs it."""
    old, new = text[edit.start : edit.end], edit.replacement
    core = old.strip()
    start = edit.start + len(old) - len(old.lstrip())
    end = start + len(core)
    if not core or _has_line_end(core):
        return None
    if new:
        sticks_left = _has_line_end(text[edit.start : start]) and not new[0].isspace()
        sticks_right = _has_line_end(text[end : edit.end]) and not new[-1].isspace()
        return None if sticks_left or sticks_right else replace(edit, start=start, end=end, replacement=new.strip())
    if text[end : end + 1] == " " and end < ceiling:
        end += 1
    elif text[start - 1 : start] == " " and start > floor:
        start -= 1
    is_alone = _is_blank(reversed(text[max(0, start - MARGIN) : start])) and _is_blank(text[end : end + MARGIN])
    return None if is_alone else replace(edit, start=start, end=end)  # a blank line would end the paragraph


def _is_blank(characters: Iterable[str]) -> bool:
    """Whether nothing but white space stands before the next line end."""
    line = takewhile(lambda character: character not in _LINE_ENDS, characters)
    return all(map(str.isspace, line))
