"""The classes of characters that ChERRANT's costs and rules depend on."""

from __future__ import annotations

import re
import string

_HANZI = re.compile("[\u4e00-\u9fff]+")

# ChERRANT's two punctuation lists, kept for parity: they differ, and 。 and 《 are in neither.
_PUNCTUATION_IN_COSTS = (
    "！？｡＂＃＄％＆＇（）＊＋，－／：；＜＝＞＠［＼］＾＿｀｛｜｝～"
    "｟｠｢｣､、〃》「」『』【】〔〕〖〗〘〙〚〛〜〝〞〟〰〾〿–—‘'‛“”„‟…‧﹏"
)
_PUNCTUATION_IN_MERGING = (
    "！？｡＂＃＄％＆＇（）＊＋，－／：；＜＝＞＠［＼］＾＿｀｛｜｝～"
    "｟｠｢｣､、〃》「」『』【】〔〕〖〗〘〙〚〛〜〝〞〟–—‘'‛“”„‟…‧."
)
PUNCTUATION = frozenset(_PUNCTUATION_IN_COSTS + string.punctuation)
# One string, not a set: merging asks whether the moved text is a *substring* of it.
UNMOVABLE = string.punctuation + _PUNCTUATION_IN_MERGING


def is_hanzi(token: str) -> bool:
    """Whether every character is in the basic block of Han characters (U+4E00–U+9FFF)."""
    return _HANZI.fullmatch(token) is not None


def strip_spaces(text: str) -> str:
    """`text` without any white space: spaces mean nothing in Chinese and are never tokens."""
    return "".join(text.split())
