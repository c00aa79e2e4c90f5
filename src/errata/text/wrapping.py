"""Plain text whose paragraphs are wrapped: e-mails, licences, commit messages.

A model reads a sentence that goes on in the next line as one sentence, and its line ends stay where they are. Lines
that are lines of their own (lists, addresses, verse) stay apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from errata.model import TextEdit

# A paragraph narrower than this is a list or an address, unless its lines go on in lower case; then this.
NARROW, NARROWER = 50, 30
# How full a line is at least that goes on in lower case in the next; how full one is with the next word.
FULL, FULL_WITH_NEXT = 0.6, 0.9

_LINE = re.compile(r"([^\r\n\u2028\u2029]*)(\r\n|[\r\n\u2028\u2029]|\Z)")
_ITEM = re.compile(r"[-*•–—+>#|~]|\(?(?:\d{1,3}|[A-Za-z])[.)]\s|\[[ \dx]\]")
_GOES_ON = re.compile(r"[A-Za-z0-9\u00c0-\u024f(“\"‘'$£€]")
_ENDS = tuple(".!?:。！？：")


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
    # Somebody who wraps puts a word onto the next line only where it does not fit onto this one.
    is_wrapped = width >= NARROW and all(_is_full(one, after, width) for one, after in pairs if not _ends(one, after))
    for one, after in pairs:
        if _ends(one, after) or not _GOES_ON.match(after.text):
            continue
        in_lower_case = after.text[0].islower() and width >= NARROWER and one.width >= FULL * width
        if in_lower_case or (is_wrapped and len(lines) > 2):
            yield one.end, after.start


def _is_full(line: _Line, after: _Line, width: int) -> bool:
    return line.width + 1 + len(after.text.split(maxsplit=1)[0]) > FULL_WITH_NEXT * width


def _ends(line: _Line, after: _Line) -> bool:
    """Whether the next line is one of its own by its look."""
    is_item = bool(_ITEM.match(line.text))
    return line.text.endswith(_ENDS) or bool(_ITEM.match(after.text)) or (after.indent > line.indent and not is_item)


def keep_line_ends(text: str, edits: Iterable[TextEdit]) -> list[TextEdit]:
    """Edits of the unwrapped text as edits of the text that change no line end.

    >>> text = "He has got the\\nthe files, all of them."
    >>> keep_line_ends(text, [TextEdit(14, 18, "")])
    [TextEdit(start=15, end=19, replacement='', type='UNK', confidence=None)]
    """
    moved = (_off_line_ends(text, edit) for edit in edits)
    return [edit for edit in moved if edit is not None]


def _off_line_ends(text: str, edit: TextEdit) -> TextEdit | None:
    old = text[edit.start : edit.end]
    if "\n" not in old and "\r" not in old:
        return edit
    core = old.strip()
    start = edit.start + len(old) - len(old.lstrip())
    end = start + len(core)
    if not core or "\n" in core or "\r" in core:
        return None
    if edit.replacement:
        return replace(edit, start=start, end=end, replacement=edit.replacement.strip())
    if text[end : end + 1] == " ":
        end += 1
    elif text[start - 1 : start] == " ":
        start -= 1
    return replace(edit, start=start, end=end)
