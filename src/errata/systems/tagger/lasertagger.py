"""LaserTagger's inventory (Malmi et al., 2019): keep or delete each token, with a phrase from a learnt vocabulary.

Keep with a phrase is `append`, delete with a phrase is `replace`. The phrase stands after its slot, not before the
next token as in the paper, so a phrase can also end the sentence. Everything happens in one pass, so a phrase must be
in the vocabulary as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from errata.model import Tokens
from errata.systems.tagger.inventory import Lexicon, realise
from errata.systems.tagger.tags import DELETE, KEEP, Op, Tag


class LaserTagger:
    """Keep and delete, each with a phrase."""

    name: ClassVar[str] = "lasertagger"
    passes: ClassVar[int] = 1
    merges: ClassVar[bool] = False
    has_detection: ClassVar[bool] = False

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon

    def candidates(self, token: Tokens, words: Tokens) -> Iterator[Tag]:
        """The one tag that says it all."""
        if words[: len(token)] == token:
            yield Tag(Op.APPEND, words[len(token) :]) if len(words) > len(token) else KEEP
        else:
            yield Tag(Op.REPLACE, words) if words else DELETE

    def realise(self, tag: Tag, word: str | None, following: str | None) -> Tokens | None:
        return realise(tag, word, following, self.lexicon, keeps_case=False)
