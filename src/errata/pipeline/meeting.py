"""Where an edit of a model and one of a rule meet: both cannot be made, or one was made for the slip of the other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from errata.model import Edit, TextEdit


def meet(edit: Edit, rule: Edit) -> bool:
    """Whether an edit changes a token that a rule changes, inserts something there, or deletes what is beside it."""
    if edit.replacement and edit.start < edit.end:
        return edit.start < rule.end and rule.start < edit.end
    if edit.replacement and edit.start == rule.end and rule.replacement[-len(edit.replacement) :] == edit.replacement:
        return True  # the rule puts it in as well
    reach = int(not edit.replacement)
    return edit.start < rule.end + reach and rule.start - reach < edit.end


def touch(edit: Edit, other: Edit) -> bool:
    """Whether two edits stand side by side."""
    return edit.start == other.end or edit.end == other.start


def first_clash(edits: Sequence[TextEdit]) -> int | None:
    """The number of the first edit, in order, that the next one overlaps."""
    return next((number for number, (one, other) in enumerate(pairwise(edits)) if other.start < one.end), None)
