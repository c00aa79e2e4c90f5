"""Chinese edits that cut a prohibition in two, or take a double negation apart.

`edits.negation` counts negations. It does not see that 不许吸烟 → 不吸烟 allows what was forbidden, nor that 不能没有 →
不都没有 turns a must into something else.
"""

from __future__ import annotations

import re

from errata.model import TextEdit
from errata.text.projection import trim_edit

# Words that forbid. 不准确 forbids nothing.
_FORBIDDING = re.compile("禁止|严禁|不许|不准(?![确备时])|请勿|切勿|切忌")
# Words that may stand for one of them, themselves included.
_FORBIDDING_OR_LIKE = re.compile(f"{_FORBIDDING.pattern}|不能|不可|不得|不要|不该|不应|别|勿")
# A negation of a negation, or of a prohibition: 不能没有, 不禁止.
_DOUBLE = re.compile(
    "[不没未无非](?:可以|应该|应当|能够|[能会可得应该敢肯要许准])(?:不|没有|没|无)|[不没未](?:禁止|严禁|阻止|防止)"
)
# A phrase of this many characters is not said twice in a row; shorter ones are (研究研究, 一个一个).
_TWICE = re.compile("([\u4e00-\u9fff]{3,8})\\1")
# Characters around an edit that are read.
REACH = 16
# 不的 is 不得 misspelt. Without its second character it forbids nothing.
_NOT, _MISSPELT_DE = "不", ("的", "得")


def keeps_prohibition(text: str, edit: TextEdit) -> bool:
    """Whether what is forbidden stays forbidden, and a double negation stays one.

    >>> keeps_prohibition("不许吸烟", TextEdit(1, 2, "")), keeps_prohibition("不许吸烟", TextEdit(1, 2, "准"))
    (False, True)
    """
    change = trim_edit(text, edit)
    first, last = max(0, change.start - REACH), change.end + REACH
    start, end = change.start - first, change.end - first
    before = text[first:last]
    after = before[:start] + change.replacement + before[end:]
    return (
        _keeps_forbidding(before, after, start, end)
        and (_covers(_DOUBLE, before, start, end) or _count(_DOUBLE, before) == _count(_DOUBLE, after))
        and not (before[start:end] in _MISSPELT_DE and not change.replacement and before[:start].endswith(_NOT))
        and _count(_TWICE, after) <= _count(_TWICE, before)
    )


def _keeps_forbidding(before: str, after: str, start: int, end: int) -> bool:
    if _count(_FORBIDDING, before) == _count(_FORBIDDING, after):
        return True
    n_before, n_after = _count(_FORBIDDING_OR_LIKE, before), _count(_FORBIDDING_OR_LIKE, after)
    is_one_too_many = _covers(_FORBIDDING, before, start, end) and 0 < n_after < n_before  # 禁止不许 → 不许
    return n_before == n_after or is_one_too_many


def _count(pattern: re.Pattern[str], text: str) -> int:
    return sum(1 for _ in pattern.finditer(text))


def _covers(pattern: re.Pattern[str], text: str, start: int, end: int) -> bool:
    """Whether characters [start, end) hold all of one match of a pattern at least."""
    return any(start <= match.start() and match.end() <= end for match in pattern.finditer(text))
