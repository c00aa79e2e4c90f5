"""Two rounds of edits as one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from errata.edits.apply import apply_text_edits
from errata.model import TextEdit
from errata.text.words import Span


@dataclass(frozen=True, slots=True)
class _Made:
    """An edit of the first round, and where its replacement stands after it."""

    edit: TextEdit
    start: int
    end: int


def made_spans(edits: Iterable[TextEdit]) -> list[Span]:
    """Where the replacements of edits, which are in order, stand in the text they make."""
    return [(one.start, one.end) for one in _made(edits)]


def compose(text: str, first: Sequence[TextEdit], second: Sequence[TextEdit]) -> list[TextEdit]:
    """The edits of `text` that do what `first` does to it and then `second` to what that makes; both are in order.

    Edits that touch each other become one, of no type and as sure as the least sure of them. One that changes nothing
    in the end is left out.

    >>> compose("He go home", [TextEdit(3, 5, "goes")], [TextEdit(7, 7, " back"), TextEdit(8, 12, "house")])
    [TextEdit(start=3, end=5, replacement='goes back', type='UNK', confidence=None), \
TextEdit(start=6, end=10, replacement='house', type='UNK', confidence=None)]
    """
    if not first or not second:
        return list(first or second)
    between = apply_text_edits(text, first)
    found: list[TextEdit] = []
    made, late = list(_made(first)), list(second)
    shift = 0  # what is to be taken from a place in `between`, outside of all replacements, to have it in `text`
    i = j = 0
    while i < len(made) or j < len(late):
        if j == len(late) or (i < len(made) and not _touch(made[i], late[j]) and made[i].start <= late[j].start):
            found.append(made[i].edit)
            shift = made[i].end - made[i].edit.end
            i += 1
        elif i == len(made) or not _touch(made[i], late[j]):
            found.append(replace(late[j], start=late[j].start - shift, end=late[j].end - shift))
            j += 1
        else:
            i, j, joined = _join(text, between, made, late, i, j, shift)
            shift = made[i - 1].end - made[i - 1].edit.end
            if text[joined.start : joined.end] != joined.replacement:
                found.append(joined)
    return found


def _join(
    text: str, between: str, made: Sequence[_Made], late: Sequence[TextEdit], i: int, j: int, shift: int
) -> tuple[int, int, TextEdit]:
    """All edits of both rounds that touch each other from numbers `i` and `j` on, as one; the numbers after them."""
    first_made, first_late = i, j
    start, end = min(made[i].start, late[j].start), max(made[i].end, late[j].end)
    i, j = i + 1, j + 1
    while True:
        if i < len(made) and _touch(made[i], late[j - 1]):
            end = max(end, made[i].end)
            i += 1
        elif j < len(late) and _touch(made[i - 1], late[j]):
            end = max(end, late[j].end)
            j += 1
        else:
            break
    own, more = made[first_made:i], late[first_late:j]
    old_start = own[0].edit.start if start == own[0].start else start - shift
    old_end = end - (own[-1].end - own[-1].edit.end)
    moved = [replace(edit, start=edit.start - start, end=edit.end - start) for edit in more]
    confidences = [edit.confidence for edit in (*(one.edit for one in own), *more) if edit.confidence is not None]
    replacement = apply_text_edits(between[start:end], moved)
    return i, j, TextEdit(old_start, old_end, replacement, confidence=min(confidences, default=None))


def source_span(edits: Sequence[TextEdit], span: Span) -> Span:
    """The part of a text that a span of what its edits, which are in order, make of it stands for.

    >>> source_span([TextEdit(3, 5, "goes")], (8, 12)), source_span([TextEdit(3, 5, "goes")], (5, 8))
    ((6, 10), (3, 6))
    """
    start, end = span
    first, last = start, end
    for made in _made(edits):
        if made.start < start:
            first = made.edit.start if start < made.end else start - made.end + made.edit.end
        if made.start < end:
            last = made.edit.end if end < made.end else end - made.end + made.edit.end
    return first, max(first, last)


def _made(edits: Iterable[TextEdit]) -> Iterable[_Made]:
    shift = 0
    for edit in edits:
        start = edit.start + shift
        yield _Made(edit, start, start + len(edit.replacement))
        shift += len(edit.replacement) - (edit.end - edit.start)


def _touch(made: _Made, edit: TextEdit) -> bool:
    return touches((made.start, made.end), edit)


def touches(span: Span, edit: TextEdit) -> bool:
    """Whether an edit changes something in a span, or stands right beside one of which nothing is left."""
    start, end = span
    if start == end or edit.start == edit.end:
        return edit.start <= end and start <= edit.end
    return edit.start < end and start < edit.end
