"""Words and their parts of speech: the segmenter behind word level, and the types it adds to edits.

Our own definition, not ChERRANT's (which needs a segmenter that is not on PyPI): jieba cuts and tags, its tags are
mapped to the inventory below.
"""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from errata.model import Tokens
from errata.text.tokens import MARKERS

OTHER = "OTHER"
PUNCTUATION = "PUNCT"
SPELLING = "SPELL"

# jieba's tags by their longest listed beginning.
PARTS_OF_SPEECH = {
    "a": "ADJ", "ad": "ADV", "an": "NOUN", "b": "ADJ", "c": "CONJ", "d": "ADV", "e": "PART", "eng": OTHER, "f": "NOUN",
    "g": "NOUN", "h": OTHER, "i": OTHER, "j": "NOUN", "k": "PART", "l": OTHER, "m": "NUM", "n": "NOUN", "o": OTHER,
    "p": "PREP", "q": "QUANT", "r": "PRON", "s": "NOUN", "t": "NOUN", "u": "PART", "v": "VERB", "vd": "ADV",
    "vn": "NOUN", "w": PUNCTUATION, "x": OTHER, "y": "PART", "z": "ADJ",
}  # fmt: skip

_MARKER = re.compile(f"({'|'.join(map(re.escape, MARKERS))})")


class Words(NamedTuple):
    """The words of a text and the part of speech of each."""

    tokens: Tokens
    tags: tuple[str, ...]


@cache
def _load_jieba() -> Any:
    """jieba's tagger. Its import is noisy on a current Python (old escapes, pkg_resources), which is not our users'
    business; nothing else is silenced."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.filterwarnings("ignore", message=".*pkg_resources", category=UserWarning)
        import jieba
        import jieba.posseg

        jieba.setLogLevel("WARNING")
        return jieba.posseg.POSTokenizer(jieba.Tokenizer())


def segment(text: str) -> Words:
    """The words of a text without spaces: `segment("他去学校。").tokens` is `("他", "去", "学校", "。")`."""
    return _words(_cut(text))


def tag(tokens: Sequence[str]) -> Words:
    """Words that are given already, each with the tag it has by itself (of its last part, where jieba knows parts)."""
    return _words((token, list(_cut(token))[-1][1]) for token in tokens)


def _words(pairs: Iterator[tuple[str, str]]) -> Words:
    words = list(pairs)
    return Words(tuple(word for word, _ in words), tuple(part_of_speech(*pair) for pair in words))


def _cut(text: str) -> Iterator[tuple[str, str]]:
    for piece in _MARKER.split(text):
        if piece in MARKERS:
            yield piece, "x"
        elif piece:
            yield from map(tuple, _load_jieba().cut(piece))


def part_of_speech(word: str, tag: str) -> str:
    """Our part of speech for a word and jieba's tag of it."""
    if all(unicodedata.category(character)[0] in "PS" for character in word):
        return PUNCTUATION
    for end in range(len(tag), 0, -1):
        if tag[:end] in PARTS_OF_SPEECH:
            return PARTS_OF_SPEECH[tag[:end]]
    return OTHER


def word_type(
    operation: str,
    deleted: Sequence[str],
    inserted: Sequence[str],
    tags: Sequence[str],
    is_alike: Callable[[str, str], bool],
) -> str:
    """The type of a word-level edit: `W`, `S:SPELL`, or the operation with the part of speech its words share.

    `tags` are those of the words put in, or of the words taken out where none are put in. Words of several parts of
    speech make `OTHER`.
    """
    if operation == "W":
        return operation
    if operation == "S" and is_spelling("".join(deleted), "".join(inserted), is_alike):
        return f"{operation}:{SPELLING}"
    return f"{operation}:{tags[0] if len(set(tags)) == 1 else OTHER}"


def is_spelling(deleted: str, inserted: str, is_alike: Callable[[str, str], bool]) -> bool:
    """Whether the texts are equally long and differ only in characters that sound or look alike."""
    return len(deleted) == len(inserted) and all(
        a == b or is_alike(a, b) for a, b in zip(deleted, inserted, strict=True)
    )
