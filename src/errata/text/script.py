"""Chinese in Traditional characters, read in Simplified ones character by character."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from errata.model import TextEdit

# Characters that are written in one of the two places.
_HONG_KONG, _TAIWAN = re.compile("[着裏羣]"), re.compile("[著裡群]")


def simplify_traditional(text: str) -> str:
    """A Traditional text in Simplified characters, of the same length; any other text as it is.

    >>> simplify_traditional("這個問題很簡單。"), simplify_traditional("这個问题很简单。")
    ('这个问题很简单。', '这個问题很简单。')
    """
    if text.isascii():
        return text
    simplified = _convert(text, "t2s")
    if simplified == text or len(simplified) != len(text):
        return text
    n_traditional = _count_changes(text, simplified)
    return simplified if n_traditional > _count_changes(text, _convert(text, "s2t")) else text


def write_traditional(text: str, edits: Iterable[TextEdit]) -> list[TextEdit]:
    """The edits of a Traditional text that was read in Simplified characters, in the Traditional ones it is in."""
    some = list(edits)
    if not some:
        return []
    how = "s2hk" if _HONG_KONG.search(text) and not _TAIWAN.search(text) else "s2tw"
    own = {_convert(character, "t2s"): character for character in set(text)}
    written = (replace(edit, replacement=_in_context(text, edit, how, own)) for edit in some)
    return [edit for edit in written if text[edit.start : edit.end] != edit.replacement]


def _in_context(text: str, edit: TextEdit, how: str, own: Mapping[str, str]) -> str:
    """The replacement in Traditional characters: those that were there, else by the words around it, else `own`."""
    before, after = text[max(0, edit.start - 4) : edit.start], text[edit.end : edit.end + 4]
    whole = _convert(before + edit.replacement + after, how)
    if len(whole) != len(before) + len(edit.replacement) + len(after):
        return _convert(edit.replacement, how)
    old = {_convert(character, "t2s"): character for character in text[edit.start : edit.end]}
    made = whole[len(before) : len(before) + len(edit.replacement)]
    return "".join(
        old.get(plain) or (own.get(plain, character) if character != plain else character)
        for plain, character in zip(edit.replacement, made, strict=True)
    )


def _count_changes(text: str, other: str) -> int:
    return sum(a != b for a, b in zip(text, other, strict=False))


def _convert(text: str, how: str) -> str:
    converted: str = _converter(how).convert(text)
    return converted


@cache
def _converter(how: str) -> Any:
    import opencc

    return opencc.OpenCC(how)
