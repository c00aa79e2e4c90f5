"""Names that a document has in its code and addresses: where an address ends with /thinc, Thinc is no misspelt "think".

A word of the prose that is in no dictionary, and stands in code or an address of the same document, is a name. So is a
word with a hyphen, such as annotated-types, that is a part of an address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from errata.edits.en.lexicon import is_known
from errata.model import TextEdit
from errata.text.literals import literal_spans
from errata.text.projection import Projection, trim_edit

_NAME = re.compile(r"/?[A-Za-z][\w+]*(?:-\w+)*")
# The place in a page that an address ends with is made of words of its headings.
_ANCHOR = re.compile(r"#[\w-]+")
# No name is longer than this many characters.
LONGEST = 60
_BEFORE, _AFTER = re.compile(rf"[\w-]{{0,{LONGEST}}}\Z"), re.compile(rf"[\w-]{{0,{LONGEST}}}")


class Names:
    """The names in the code and the addresses of a document."""

    def __init__(self, view: Projection) -> None:
        self._view = view

    @cached_property
    def _names(self) -> frozenset[str]:
        """In small letters, those in addresses with the stroke before them too."""
        pieces = (_ANCHOR.sub("", piece) for piece in _pieces(self._view))
        found = {name.lower() for piece in pieces for name in _NAME.findall(piece)}
        return frozenset({*found, *(name.removeprefix("/") for name in found)})

    def keep(self, text: str, edits: Sequence[TextEdit]) -> list[TextEdit]:
        """The edits that change no name; what a rule says stays."""
        return [edit for edit in edits if edit.about or not self._changes_name(text, trim_edit(text, edit))]

    def _changes_name(self, text: str, change: TextEdit) -> bool:
        before = _BEFORE.search(text[max(0, change.start - LONGEST) : change.start])
        after = _AFTER.match(text, change.end)
        head, tail = before[0] if before else "", after[0] if after else ""
        word = head + text[change.start : change.end] + tail
        if not _NAME.fullmatch(word) or word.lower() not in self._names:
            return False
        if change.start == change.end and not (head and tail):
            joined = change.replacement[:1] if head else change.replacement[-1:]
            if not joined.isalnum():  # beside the word
                return False
        return f"/{word.lower()}" in self._names if "-" in word else not is_known(word)


def _pieces(view: Projection) -> Iterator[str]:
    """The code, the addresses and the other markup of a document."""
    place = 0
    for start, end in view.prose_spans:
        yield view.original[place:start]
        yield from (view.original[start + a : start + b] for a, b in literal_spans(view.original[start:end]))
        place = end
    yield view.original[place:]
