"""What a corrector must leave alone: the user's words and terms, and whatever is not prose in plain text.

URLs, e-mail addresses, file paths, @handles, #tags and `code` come back as they were, whatever a model thinks of them.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence

from errata.model import TextEdit
from errata.text.han import HAN_CHARACTER
from errata.text.literals import literal_spans
from errata.text.projection import trim_edit
from errata.text.words import Span

# A letter or one of these beside a URL, path or tag becomes part of it.
_JOINS = frozenset("_-/\\@#%&=+~")


class Protection:
    """Decides which edits may stay, for one set of `words` (the user's dictionary) and `terms` (phrases).

    An entry protects every place where it stands as a whole word (in Chinese: wherever it stands); one in lower case
    protects its capitalised forms too.
    """

    def __init__(self, words: Collection[str] = (), terms: Collection[str] = (), *, literals: bool = True) -> None:
        """Without `literals`, URLs and the like are not protected."""
        self._has_literals = literals
        entries = {entry.strip() for entry in (*words, *terms)} - {""}
        self._entries = entries | {unicodedata.normalize(form, entry) for entry in entries for form in ("NFC", "NFD")}
        self._longest = max(map(len, self._entries), default=0)
        self._lengths: dict[str, set[int]] = {}  # of the entries that begin with a character
        for entry in self._entries:
            self._lengths.setdefault(entry[0], set()).add(len(entry))

    def keep(self, text: str, edits: Sequence[TextEdit]) -> list[TextEdit]:
        """The edits that change nothing protected."""
        literals = literal_spans(text) if edits and self._has_literals else []
        if not literals and not self._entries:
            return list(edits)
        return [edit for edit in edits if not self._forbids(text, trim_edit(text, edit), literals)]

    def _forbids(self, text: str, change: TextEdit, literals: Sequence[Span]) -> bool:
        if any(_spoils(text, change, span, _joins_literal) for span in _near(change, literals)):
            return True
        return any(_spoils(text, change, span, _joins_word) for span in self._entries_near(text, change))

    def _entries_near(self, text: str, change: TextEdit) -> Iterator[Span]:
        """The entries that stand in the text where the change is or right beside it."""
        for start in range(max(0, change.start - self._longest), min(change.end + 1, len(text))):
            first = text[start]
            if _joins_word(first, text[max(0, start - 1) : start]):
                continue  # in the middle of a word
            for length in self._lengths.get(first, set()) | self._lengths.get(first.lower()[:1], set()):
                end = start + length
                piece = text[start:end]
                is_near = change.start <= end <= len(text)
                if (
                    is_near
                    and (piece in self._entries or piece.lower() in self._entries)
                    and not _joins_word(text[end - 1], text[end : end + 1])
                ):
                    yield start, end


def _near(change: TextEdit, spans: Sequence[Span]) -> Iterator[Span]:
    """The spans (in order, apart) that the change overlaps or stands beside."""
    for number in range(bisect_left(spans, change.start, key=lambda one: one[1]), len(spans)):
        if spans[number][0] > change.end:
            return
        yield spans[number]


def _spoils(text: str, change: TextEdit, span: Span, joins: Callable[[str, str], bool]) -> bool:
    """Whether the change alters the span, or writes something onto it that becomes part of it."""
    start, end = span
    if change.start < end and start < change.end:
        return True
    if change.start == end:
        following = (change.replacement + text[change.end : change.end + 1])[:1]
        return joins(text[end - 1], following) and not joins(text[end - 1], text[end : end + 1])
    if change.end == start:
        before = (text[max(0, change.start - 1) : change.start] + change.replacement)[-1:]
        return joins(text[start], before) and not joins(text[start], text[max(0, start - 1) : start])
    return False


def _joins_literal(edge: str, beside: str) -> bool:
    return edge != "`" and (beside.isalnum() or beside in _JOINS)


def _joins_word(edge: str, beside: str) -> bool:
    """Whether two characters are letters of one word; Chinese words stand beside each other without becoming one."""
    return edge.isalnum() and beside.isalnum() and not HAN_CHARACTER.match(edge) and not HAN_CHARACTER.match(beside)
