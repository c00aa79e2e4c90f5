"""Edits to tags: the passes that lead from a source to its target, and how much a vocabulary can say.

A slot takes one tag a pass, so `alot → a lot of` is `replace a`, then `append lot`, then `append of`. Every pass is
made from what the tags of the pass before really produce; decoding the tags therefore gives the target again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

from errata.edits.pairing import Chunk, align
from errata.model import Edit, Tokens
from errata.systems.tagger.factored import WORD_OPS
from errata.systems.tagger.inventory import Inventory
from errata.systems.tagger.tags import IGNORED, KEEP, Tag, TagVocabulary

# What one changed slot turned into: the tag (None: the vocabulary has none) and the tokens it makes.
Change = tuple[Tag | None, Tokens]


@dataclass(frozen=True, slots=True)
class TaggedPass:
    """The tokens before a pass and a tag for each slot; None where the vocabulary has no tag."""

    tokens: Tokens
    tags: tuple[Tag | None, ...]

    def labels(self, vocabulary: TagVocabulary) -> list[int]:
        """The tags' numbers, `IGNORED` where there is none."""
        number = vocabulary.index
        # Nearly all slots are kept, and hashing a tag costs as much as the rest of the look-up.
        return [0 if tag is KEEP else IGNORED if tag is None else number[tag] for tag in self.tags]


def encode(
    tokens: Sequence[str],
    edits: Sequence[Edit],
    inventory: Inventory,
    vocabulary: Container[Tag] | None = None,
    passes: int = 1,
) -> list[TaggedPass]:
    """The first `passes` passes that do something, at least one; without a vocabulary every tag is allowed."""
    done: list[TaggedPass] = []
    current, left = tuple(tokens), tuple(edits)
    while True:
        tagged, after, left = encode_pass(current, left, inventory, vocabulary)
        done.append(tagged)
        if len(done) >= passes or not left or after == current:
            return done
        current = after


def encode_pass(
    tokens: Tokens, edits: Sequence[Edit], inventory: Inventory, vocabulary: Container[Tag] | None = None
) -> tuple[TaggedPass, Tokens, tuple[Edit, ...]]:
    """One pass: its tags, the tokens they produce, and the edits that still lead from those to the target."""
    chunks = _changed_chunks(tokens, edits, inventory)
    tags: list[Tag | None] = [KEEP] * (len(tokens) + 1)
    after: list[str] = []
    left: list[Edit] = []
    position = 0
    for slot in sorted(chunks):
        width, words = chunks[slot]
        start = max(slot - 1, 0)
        after.extend(tokens[position:start])
        position = start + width
        tags[slot], made = _choose(tokens[start:position], words, inventory, vocabulary)
        if made != words:
            left.append(Edit(len(after), len(after) + len(made), words))
        after.extend(made)
    after.extend(tokens[position:])
    return TaggedPass(tokens, tuple(tags)), tuple(after), tuple(left)


def _changed_chunks(tokens: Tokens, edits: Sequence[Edit], inventory: Inventory) -> dict[int, Chunk]:
    """Slot → what its token should become, for the slots that change."""
    inflections = inventory.lexicon.inflections
    related = inflections.are_related if inflections else None
    chunks: dict[int, Chunk] = {}
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        source = tokens[edit.start : edit.end]
        head, aligned = align(source, edit.replacement, related=related, merges=inventory.merges)
        if head:
            # Inserted words go with the token before, even when that belongs to another edit (or ends a merge).
            slot = edit.start - 1 if chunks.get(edit.start - 1, (1, ()))[0] == 2 else edit.start
            width, words = chunks.get(slot, (1 if slot else 0, tokens[max(slot - 1, 0) : slot]))
            chunks[slot] = width, words + head
        slot = edit.start + 1
        for width, words in aligned:
            if words != tokens[slot - 1 : slot - 1 + width]:
                chunks[slot] = width, words
            slot += width
    return chunks


def _choose(token: Tokens, words: Tokens, inventory: Inventory, vocabulary: Container[Tag] | None) -> Change:
    for tag in inventory.candidates(token, words):
        if vocabulary is None or tag in vocabulary:
            word, following = (*token, None, None)[:2]
            made = inventory.realise(tag, word, following)
            if made is not None and made != token:
                return tag, made
    return None, token


@dataclass(slots=True)
class Coverage:
    """How much of the data a vocabulary expresses: changed slots in all and without a tag, sentences likewise."""

    slots: int = 0
    slots_missed: int = 0
    sentences: int = 0
    sentences_missed: int = 0

    def add(self, passes: Sequence[TaggedPass]) -> None:
        missed = passes[-1].tags.count(None)
        self.slots += sum(len(tagged.tags) - tagged.tags.count(KEEP) for tagged in passes) - sum(
            tagged.tags.count(None) for tagged in passes[:-1]
        )
        self.slots_missed += missed
        self.sentences += 1
        self.sentences_missed += missed > 0

    @property
    def share(self) -> float:
        """The share of single changes that have a tag; 1 when nothing changes."""
        return 1 - self.slots_missed / self.slots if self.slots else 1.0

    def __str__(self) -> str:
        whole = self.sentences - self.sentences_missed
        return f"{100 * self.share:.2f} % of {self.slots} changes, {whole} of {self.sentences} sentences whole"


@dataclass(frozen=True, slots=True)
class Phrases:
    """All tags with at most so many words."""

    longest: int

    def __contains__(self, tag: object) -> bool:
        return isinstance(tag, Tag) and (tag.op not in WORD_OPS or len(tag.words) <= self.longest)


def count_tags(
    examples: Iterable[tuple[Tokens, Sequence[Edit]]],
    inventory: Inventory,
    passes: int,
    allowed: Container[Tag] | None = None,
) -> Iterator[Counter[Tag]]:
    """The tags each example needs when all that are `allowed`, or all there are, can be had."""
    for tokens, edits in examples:
        counts: Counter[Tag] = Counter()
        for tagged in encode(tokens, edits, inventory, allowed, passes):
            counts.update(tag for tag in tagged.tags if tag is not None and tag is not KEEP)
        yield counts
