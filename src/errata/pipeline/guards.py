"""Edits that a model proposes and nobody wants: commas of style, words cut to a part, whole segments deleted."""

from __future__ import annotations

import re
from collections.abc import Sequence

from errata.model import TextEdit
from errata.systems.base import ProposedEdit
from errata.text.projection import trim_edit

# A series: a comma and a few words, then this.
_AND, _MEMBER = re.compile(r"\s{0,8}(?:and|or)\b"), re.compile(r",(?:\s+[^\s,.!?;:]+){1,4}\s*\Z")
SERIES = 60
_FOR_EXAMPLE = re.compile(r"\b(?:e\.g|i\.e)\.?\s*\Z", re.IGNORECASE)
# A tagger that meets the same characters again and again (测试测试测试…) takes them for a slip, and deletes nearly all.
# Of a segment that would lose so many tokens, and so large a share of them, no edit of the model is made. That changes
# 4 of 1,137 sentences of MuCGEC dev (F0.5 30.82 → 30.88) and none of NaCGEC dev.
MOST_DELETED, MOST_DELETED_SHARE = 8, 0.2


def leaves_too_little(proposed: Sequence[ProposedEdit], n_tokens: int) -> bool:
    """Whether the edits together leave too little of a segment."""
    lost = sum(max(0, one.edit.end - one.edit.start - len(one.edit.replacement)) for one in proposed)
    return lost >= MOST_DELETED and lost > MOST_DELETED_SHARE * n_tokens


def is_optional_comma(text: str, edit: TextEdit) -> bool:
    """Whether the edit is the comma after `b` in `a, b and c`, or the one after `e.g.` and `i.e.`.

    On W&I and CWEB dev, editors put in 1 of 21 of the first kind; on W&I train, none of 15 of the second.
    """
    change = trim_edit(text, edit)
    if change.replacement.strip() != "," or text[change.start : change.end].strip():
        return False
    before = text[max(0, change.start - SERIES) : change.start]
    if _FOR_EXAMPLE.search(before):
        return True
    return _AND.match(text, change.end) is not None and _MEMBER.search(before) is not None


def cuts_word(old: str, edit: TextEdit) -> bool:
    """Whether a "misspelt" word loses a part: rideshare → share. On W&I, FCE and CWEB dev none of these is right."""
    word, part = old.lower(), edit.replacement.lower()
    is_part = word.startswith(part) or word.endswith(part)
    return edit.type == "R:SPELL" and is_part and 0 < len(part) <= len(word) - 3
