"""How tokens become text and text becomes tokens in files that separate tokens by spaces.

One rule for text that nobody gave (`Sentence.text` is None): tokens are joined by a space, except that a sentence
over Chinese characters (every token one character or one of `MARKERS`, at least one of them a Chinese character) is
joined by nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from errata.edits.apply import apply_edits
from errata.errors import DataError
from errata.model import Annotation, Sentence, Tokens, correction

# Placeholders for "something is missing here" that count as one token in Chinese corpora.
MARKERS = ("[缺失成分]", "[MC]")
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


def source_text(sentence: Sentence) -> str:
    """The text as it was given, else the tokens joined."""
    return join_tokens(sentence.tokens) if sentence.text is None else sentence.text


def target_text(sentence: Sentence, annotation: Annotation) -> str:
    """The corrected text: as it was given, else the edits applied to the tokens and joined like the source.

    An annotation that says nothing is wrong has the source as its target. An edit that repeats another one is applied
    once, unless it inserts. `DataError` when edits overlap or reach beyond the sentence, or when the correction is
    known as operations only.
    """
    if annotation.target is not None:
        return annotation.target
    if annotation.operations is not None:
        raise DataError("the correction is known as operations only, they have to be applied first")
    if not annotation.edits:
        return source_text(sentence)
    seen: set[tuple[int, int, Tokens]] = set()
    edits = []
    for edit in annotation.edits:
        if edit.start == edit.end or correction(edit) not in seen:
            edits.append(edit)
            seen.add(correction(edit))
    return join_tokens(apply_edits(sentence.tokens, edits), like=sentence.tokens)
