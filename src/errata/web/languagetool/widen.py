"""Edits in the shape editors can underline.

A model inserts between words and deletes words with their spaces; LanguageTool's clients underline a stretch of text
and offer another for it. So an edit that covers no word, has white space at its ends, or leaves nothing takes its
neighbour along: `go[] school` becomes `[go → go to] school`. Where the neighbour changes too, both are one edit.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

from errata.model import TextEdit
from errata.text.han import HAN

# The next word, with what stands between; never past a line end.
_WORD_BEFORE = re.compile(r"(?:(?<![\w'’-])[\w'’-]++|[^\s\w])[^\S\r\n]*+\Z")
_WORD_AFTER = re.compile(r"[^\S\r\n]*+(?:[\w'’-]++|[^\s\w])")
_GAP = re.compile(r"[^\S\r\n]*")
_HAN_OR_KANA = re.compile(f"[\u3040-\u30ff{HAN}]")
REACH = 100  # a "word" longer than this is no word


@dataclass(frozen=True, slots=True)
class WideEdit:
    """An edit over some text, and the numbers of those it is made of."""

    edit: TextEdit
    members: range


def widen_edits(text: str, edits: Sequence[TextEdit]) -> list[WideEdit]:
    """The edits, in order, each over some text where there is any; applying them gives the same result."""
    widened: list[WideEdit] = []
    rest = deque(WideEdit(edit, range(number, number + 1)) for number, edit in enumerate(edits))
    while rest:
        one = rest.popleft()
        floor = widened[-1].edit.end if widened else 0
        ceiling = rest[0].edit.start if rest else len(text)
        edit = _widen(text, one.edit, floor, ceiling)
        one = replace(one, edit=edit)
        is_beside_left = bool(widened) and _is_gap(text, floor, edit.start)
        is_beside_right = bool(rest) and _is_gap(text, edit.end, ceiling)
        if _covers_words(text, edit) or not (is_beside_left or is_beside_right):
            widened.append(one)
        elif is_beside_right and (not is_beside_left or _ends_in_space(text, edit)):
            rest[0] = _join(text, one, rest[0])
        else:
            rest.appendleft(_join(text, widened.pop(), one))
    return widened


def _is_gap(text: str, start: int, end: int) -> bool:
    return _GAP.fullmatch(text, start, end) is not None


def _covers_words(text: str, edit: TextEdit) -> bool:
    return edit.start < edit.end and not text[edit.start].isspace() and not text[edit.end - 1].isspace()


def _ends_in_space(text: str, edit: TextEdit) -> bool:
    return edit.start < edit.end and text[edit.end - 1].isspace()


def _join(text: str, left: WideEdit, right: WideEdit) -> WideEdit:
    """Both as one, as sure as the less sure."""
    first, second = left.edit, right.edit
    sure = [edit.confidence for edit in (first, second) if edit.confidence is not None]
    made = first.replacement + text[first.end : second.start] + second.replacement
    joined = replace(first, end=second.end, replacement=made, confidence=min(sure, default=None))
    return WideEdit(joined, range(left.members.start, right.members.stop))


def _widen(text: str, edit: TextEdit, floor: int, ceiling: int) -> TextEdit:
    sides = (_to_the_left, _to_the_right)
    for widen in sides if _continues_left(text, edit) else reversed(sides):
        if not _is_underlinable(text, edit):
            edit = _tidy(text, widen(text, edit, floor, ceiling))
    return edit


def _is_underlinable(text: str, edit: TextEdit) -> bool:
    return _covers_words(text, edit) and bool(edit.replacement.strip())


def _continues_left(text: str, edit: TextEdit) -> bool:
    """Whether an edit belongs to the word before it: ` to` does, `The ` and `very ` belong to the next."""
    new = edit.replacement
    if new[:1].isspace():
        return True
    return text[edit.start].isspace() if edit.start < edit.end else not new[-1:].isspace()


def _to_the_left(text: str, edit: TextEdit, floor: int, ceiling: int) -> TextEdit:
    start = _reach_left(text, edit.start, floor)
    return replace(edit, start=start, replacement=text[start : edit.start] + edit.replacement)


def _to_the_right(text: str, edit: TextEdit, floor: int, ceiling: int) -> TextEdit:
    end = _reach_right(text, edit.end, ceiling)
    return replace(edit, end=end, replacement=edit.replacement + text[edit.end : end])


def _reach_left(text: str, position: int, floor: int) -> int:
    lowest = max(floor, position - REACH)
    match = _WORD_BEFORE.search(text[lowest:position])
    if match is None:
        return position
    if _HAN_OR_KANA.match(text[position - 1]) or (match.start() == 0 and lowest > floor):
        return position - 1
    return lowest + match.start()


def _reach_right(text: str, position: int, ceiling: int) -> int:
    highest = min(ceiling, position + REACH)
    match = _WORD_AFTER.match(text[position:highest])
    if match is None:
        return position
    if _HAN_OR_KANA.match(text[position]) or (match.end() == highest - position and highest < ceiling):
        return position + 1
    return position + match.end()


def _tidy(text: str, edit: TextEdit) -> TextEdit:
    """The edit without white space that both sides begin or end with."""
    new = edit.replacement
    most = min(edit.end - edit.start, len(new))
    head = next((n for n in range(most) if not _is_same_space(text[edit.start + n], new[n])), most)
    most -= head
    tail = next((n for n in range(most) if not _is_same_space(text[edit.end - 1 - n], new[-1 - n])), most)
    return replace(edit, start=edit.start + head, end=edit.end - tail, replacement=new[head : len(new) - tail])


def _is_same_space(old: str, new: str) -> bool:
    return old == new and old.isspace()
