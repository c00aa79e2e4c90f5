"""Which edits of a text with markup have evidence in the text, and not only in what stands in for the markup.

A model reads "code" or "item" in the place of a code span. That such a noun wants an article, or a verb in the
singular, says nothing about the span.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from errata.edits.explain import shown_type
from errata.model import TextEdit
from errata.text.han import HAN_CHARACTER
from errata.text.projection import Projection, trim_edit
from errata.text.words import Span

# A word and a stand-in are neighbours also when spaces, brackets or quotation marks are between them.
_BETWEEN = frozenset(" \t\u00a0()[]\"'“”‘’")
_COMMAS = (",", "，")
_COLON = re.compile(r"[ \t]{0,8}[:–—-][ \t]{1,8}")
_CONJUNCTION, _WORD = re.compile(r"[ \t]{0,8}(?:and|or|nor)[ \t]{1,8}"), re.compile(r"[ \t]{0,8}[^\W\d_]")


def has_evidence(view: Projection, edit: TextEdit) -> bool:
    """Whether a reader of the original has a reason for this edit of what is read.

    Three kinds of edits beside a stand-in have one: the spelling of a word, the form of a verb whose subject is not the
    stand-in, and a comma. In 2.9 million characters of Markdown, mostly READMEs, about 80 of 89 such commas were right,
    and 20 of 200 other edits: articles, prepositions, numbers, deletions, capitals.
    """
    change = trim_edit(view.text, edit)
    before, after = _stand_in_before(view, change), _stand_in_after(view, change)
    if before is None and after is None:
        return not _begins_description(view, change) or shown_type(view.text, edit, "en") == "R:SPELL"
    old, new = view.text[change.start : change.end].strip(), change.replacement.strip()
    if new in _COMMAS and not old:
        return _is_between_clauses(view, change, before, after)
    if HAN_CHARACTER.search(old) and HAN_CHARACTER.search(new):
        return True  # a character for another
    kind = shown_type(view.text, edit, "en")
    return kind == "R:SPELL" or (before is None and kind.startswith("R:VERB"))


def _begins_description(view: Projection, change: TextEdit) -> bool:
    """Whether the words that change begin what is said of code: `` `size()`: Return the size``.

    Such a verb may be an imperative. A model takes the code for its subject. A hyphen has nothing to do with that.
    """
    if not any(char.isalpha() for char in view.text[change.start : change.end] + change.replacement):
        return False
    start = change.start
    while start and _is_letter(view.text[start - 1]):
        start -= 1
    at = bisect_left(view.stand_ins, start, key=lambda span: span[0]) - 1
    colon = _COLON.match(view.text, view.stand_ins[at][1]) if at >= 0 else None
    return colon is not None and colon.end() == start


def _is_between_clauses(view: Projection, comma: TextEdit, before: Span | None, after: Span | None) -> bool:
    """Whether a comma beside a stand-in is more than a comma between names."""
    if after is not None:  # In this case, `x` is …
        return before is None and _WORD.match(view.text, after[1]) is not None
    conjunction = _CONJUNCTION.match(view.text, comma.end)  # With `x`, it is …; but not: `x`, `y` and `z`
    return conjunction is None or not any(start == conjunction.end() for start, _ in view.stand_ins)


def _stand_in_before(view: Projection, change: TextEdit) -> Span | None:
    """The stand-in that is the neighbour on the left of the words that change."""
    at = bisect_left(view.stand_ins, change.start, key=lambda span: span[0]) - 1
    if at < 0:
        return None
    span, start = view.stand_ins[at], change.start
    if view.text[change.start : change.end][:1].isalnum() or change.replacement[:1].isalnum():
        while start > span[1] and _is_letter(view.text[start - 1]):
            start -= 1
    while start > span[1] and view.text[start - 1] in _BETWEEN:
        start -= 1
    return span if start <= span[1] else None


def _stand_in_after(view: Projection, change: TextEdit) -> Span | None:
    """The stand-in that is the neighbour on the right of the words that change."""
    at = bisect_right(view.stand_ins, change.end, key=lambda span: span[1])
    if at == len(view.stand_ins):
        return None
    span, end = view.stand_ins[at], change.end
    if view.text[change.start : change.end][-1:].isalnum() or change.replacement[-1:].isalnum():
        while end < span[0] and _is_letter(view.text[end]):
            end += 1
    while end < span[0] and view.text[end] in _BETWEEN:
        end += 1
    return span if end >= span[0] else None


def _is_letter(char: str) -> bool:
    """Whether a word goes on over this character; Chinese is written without spaces."""
    return char.isalnum() and not HAN_CHARACTER.match(char)
