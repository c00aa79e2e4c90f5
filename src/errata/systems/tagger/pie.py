"""PIE's inventory (Awasthi et al., 2019): copy, delete, append, replace, and suffix transformations, refined in passes.

Appended and replacing phrases have one or two words, as in the paper. Suffix transformations (cut one suffix, add
another) are learnt from the data like all other tags.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from errata.model import Tokens
from errata.systems.tagger.inventory import Lexicon, realise
from errata.systems.tagger.tags import DELETE, KEEP, Op, Tag

MAX_PHRASE = 2
MIN_STEM = 2
MAX_SUFFIX = 3


class Pie:
    """Parallel iterative edits."""

    name: ClassVar[str] = "pie"
    passes: ClassVar[int] = 4
    merges: ClassVar[bool] = False
    has_detection: ClassVar[bool] = False

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon

    def candidates(self, token: Tokens, words: Tokens) -> Iterator[Tag]:
        """A suffix transformation where one does it, else the longest phrase that fits."""
        if token and not words:
            yield DELETE
            return
        kept = len(token) if words[: len(token)] == token else 0
        if kept == len(token):
            missing = words[kept:]
            if not missing:
                yield KEEP
            for length in range(min(MAX_PHRASE, len(missing)), 0, -1):
                yield Tag(Op.APPEND, missing[:length])
            return
        if suffixes := suffix_change(token[0], words[0]):
            yield Tag(Op.SUFFIX, suffixes)
        for length in range(min(MAX_PHRASE, len(words)), 0, -1):
            yield Tag(Op.REPLACE, words[:length])

    def realise(self, tag: Tag, word: str | None, following: str | None) -> Tokens | None:
        return realise(tag, word, following, self.lexicon, keeps_case=False)


def suffix_change(word: str, target: str) -> tuple[str, str] | None:
    """The suffix to cut and the one to add: `suffix_change("tries", "try")` is `("ies", "y")`; None if unlike."""
    pairs = enumerate(zip(word, target, strict=False))
    stem = next((i for i, (a, b) in pairs if a != b), min(len(word), len(target)))
    cut, added = word[stem:], target[stem:]
    is_short = stem >= MIN_STEM and max(len(cut), len(added)) <= MAX_SUFFIX
    return (cut, added) if is_short and (cut + added).isalpha() else None
