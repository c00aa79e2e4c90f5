"""Offsets in UTF-16 code units, as JavaScript, Java and LanguageTool's API count them."""

from __future__ import annotations

import re
from bisect import bisect_left

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Utf16Offsets:
    """Code point offsets of one text as UTF-16 offsets.

    >>> Utf16Offsets("a😀b")[2]
    3
    """

    def __init__(self, text: str) -> None:
        self._wide = [] if text.isascii() else [match.start() for match in _ASTRAL.finditer(text)]

    def __getitem__(self, position: int) -> int:
        return position + bisect_left(self._wide, position)


def replace_lone_surrogates(text: str) -> str:
    """The text with U+FFFD for what is half a character, which no encoding can write; every offset stays."""
    return _SURROGATE.sub("\ufffd", text)
