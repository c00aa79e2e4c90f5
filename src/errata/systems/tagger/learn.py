"""Learning a tagger's vocabulary from data: word knowledge first, since tags are made with it, then the tags."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from errata.edits.apply import apply_edits
from errata.systems.tagger.encode import Coverage, Phrases, count_tags, encode
from errata.systems.tagger.inventory import Inventory, Lexicon, get_inventory
from errata.systems.tagger.spelling import Speller
from errata.systems.tagger.tags import Tag, TagVocabulary
from errata.text.morphology import Inflections
from errata.training.pairs import Example

log = logging.getLogger(__name__)

# Passes that are looked at when tags are counted: long insertions come in one word a pass.
PASSES = 8


@dataclass(frozen=True, slots=True)
class WordCounts:
    """How often words occur in sources and in targets."""

    source: Counter[str]
    target: Counter[str]

    @classmethod
    def of(cls, examples: Iterable[Example]) -> WordCounts:
        counts = cls(Counter(), Counter())
        for tokens, edits in examples:
            counts.source.update(tokens)
            counts.target.update(apply_edits(tokens, edits))
        return counts

    @property
    def both(self) -> Counter[str]:
        return self.source + self.target


def learn_lexicon(counts: WordCounts, known: Iterable[str], *, inflections: bool, spelling: int) -> Lexicon:
    """Forms of all words met (and of `known`, the tokenizer's words); the `spelling` most frequent correct words."""
    words = {*counts.source, *counts.target, *known}
    return Lexicon(
        Inflections.of_words(words) if inflections else None,
        Speller.learn(counts.target, spelling) if spelling else None,
    )


def learn_tags(
    examples: Sequence[Example], inventory: str, lexicon: Lexicon, *, size: int, min_count: int, phrases: int = 1
) -> tuple[TagVocabulary, Inventory]:
    """The most useful tags, of GECToR's at most `phrases` words each; logs what share of the changes they express."""
    tags = get_inventory(inventory, lexicon)
    counts: Counter[Tag] = Counter()
    for found in count_tags(examples, tags, PASSES, Phrases(phrases) if inventory == "gector" else None):
        counts.update(found)
    vocabulary = TagVocabulary.learn(counts, size, min_count)
    coverage = Coverage()
    for tokens, edits in examples:
        coverage.add(encode(tokens, edits, tags, vocabulary, PASSES))
    log.info("%d tags of %d met; they express %s", len(vocabulary), len(counts) + 1, coverage)
    return vocabulary, tags
