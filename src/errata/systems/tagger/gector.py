"""GECToR's inventory (Omelianchuk et al., 2020): basic tags and transformations, applied over several passes.

Differences from the paper, all of which make the vocabulary smaller for the same corrections: verb forms and noun
number are named by the Penn tag to reach (`inflect VBZ`), not by pairs of tags; a lower-case replacement takes over
the capital of the word it replaces; misspelt words have a tag of their own when a dictionary is given. Chinese uses
the basic tags over characters, as MuCGEC's Seq2Edit does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from errata.model import Tokens
from errata.systems.tagger.inventory import CASES, Lexicon, change_case, realise
from errata.systems.tagger.tags import DELETE, KEEP, Op, Tag


class Gector:
    """Keep, delete, append, replace, and case, merge, split, inflection and spelling transformations."""

    name: ClassVar[str] = "gector"
    passes: ClassVar[int] = 4
    merges: ClassVar[bool] = True
    has_detection: ClassVar[bool] = True

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon

    def candidates(self, token: Tokens, words: Tokens) -> Iterator[Tag]:
        """A transformation where one does it, else the words; where there is no tag for all of them, the first.

        Words still missing come in later passes.
        """
        if not token:
            yield from self._appends(words)
        elif len(token) == 2:
            if words:
                yield Tag(Op.MERGE, (words[0][len(token[0]) : len(words[0]) - len(token[1])],))
        elif not words:
            yield DELETE
        elif words[0] == token[0]:
            yield from self._appends(words[1:])
        else:
            yield from self._rewrites(token[0], words)

    def _appends(self, words: Tokens) -> Iterator[Tag]:
        if len(words) > 1:
            yield Tag(Op.APPEND, words)
        yield Tag(Op.APPEND, words[:1]) if words else KEEP

    def _rewrites(self, word: str, words: Tokens) -> Iterator[Tag]:
        target = words[0]
        if "-" in word and (parts := tuple(word.split("-"))) == words[: len(parts)]:
            yield Tag(Op.SPLIT)
        if len(words) > 1:
            yield from self._replaces(word, words)
        if word.lower() == target.lower():
            yield from (Tag(Op.CASE, (case,)) for case in CASES if change_case(word, case) == target)
        if self.lexicon.inflections:
            yield from (Tag(Op.INFLECT, (penn,)) for penn in self.lexicon.inflections.tags_between(word, target))
        if self.lexicon.speller and self.lexicon.speller.correct(word) == target:
            yield Tag(Op.SPELL)
        yield from self._replaces(word, words[:1])

    def _replaces(self, word: str, words: Tokens) -> Iterator[Tag]:
        lowered = Tag(Op.REPLACE, (words[0].lower(), *words[1:]))
        if self.realise(lowered, word, None) == words:
            yield lowered
        else:
            yield Tag(Op.REPLACE, words)
            if words[0][:1].isupper() and lowered.words != (word,):
                yield lowered  # the capital follows in the next pass

    def realise(self, tag: Tag, word: str | None, following: str | None) -> Tokens | None:
        return realise(tag, word, following, self.lexicon, keeps_case=True)
