"""Tokens as text and text as tokens, where files separate tokens by spaces or write Chinese without any.

One rule for text that nobody gave (`Sentence.text` is None): tokens are joined by a space, except that a sentence
over Chinese characters (every token one character or one of `MARKERS`, at least one of them a Chinese character) is
joined by nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from errata.model import Tokens

# Placeholders for "something is missing here" that count as one token in Chinese corpora.
MARKERS = ("[缺失成分]", "[MC]")
# What Chinese corpora write in the place of a correction.
NO_ERROR = "没有错误"
NOT_ANNOTATABLE = "无法标注"
# spaCy keeps superfluous spaces as tokens of their own, so that joined they make a run of three or more.
_SPACED_TOKENS = re.compile(r"\S+|(?<=\S ) +(?= \S)")
_CHARACTERS = re.compile(r"\[缺失成分\]|\[MC\]|\S")
_CHINESE = re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]")


def split_tokens(text: str) -> Tokens:
    """The tokens of a tokenised line; a run of n ≥ 3 spaces inside it holds a token of n − 2 spaces."""
    return tuple(_SPACED_TOKENS.findall(text)) if "   " in text else tuple(text.split())


def split_characters(text: str) -> Tokens:
    """The characters of a text without white space; `[缺失成分]` and `[MC]` are one token each."""
    return tuple(_CHARACTERS.findall(text))


def split_raw(text: str) -> Tokens:
    """The tokens of a text that may be segmented or not: characters where Chinese is written without any space."""
    if _CHINESE.search(text) and not any(map(str.isspace, text.strip())):
        return split_characters(text)
    return split_tokens(text)


def is_char_level(tokens: Sequence[str]) -> bool:
    """Whether the tokens are Chinese characters rather than words."""
    joined = "".join(tokens)
    if len(joined) != len(tokens) and not all(len(token) == 1 or token in MARKERS for token in tokens):
        return False
    return _CHINESE.search(joined) is not None


def join_tokens(tokens: Sequence[str], *, like: Sequence[str] | None = None) -> str:
    """The text of tokens; `like` gives the tokens that decide whether it is spaced (the source, for a target)."""
    return ("" if is_char_level(tokens if like is None else like) else " ").join(tokens)
