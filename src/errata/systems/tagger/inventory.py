"""What a tag inventory is, and what the three of them share.

An inventory says which tags could lead a token to the words it should become (`candidates`), and what a tag makes of
a token (`realise`). Learning a vocabulary, encoding and decoding know nothing else about it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Protocol

from errata.model import Tokens
from errata.registry import lookup
from errata.systems.tagger.spelling import Speller
from errata.systems.tagger.tags import Op, Tag
from errata.text.morphology import Inflections, follow_case

CASES = ("capital", "lower", "upper", "capital-1")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The word knowledge that transformations draw on; without it they are not used."""

    inflections: Inflections | None = None
    speller: Speller | None = None


class Inventory(Protocol):
    """One set of tags.

    `passes` is how often decoding runs by default, `merges` whether two tokens may become one, `has_detection`
    whether the model has a second head that says where errors are.
    """

    name: ClassVar[str]
    passes: ClassVar[int]
    merges: ClassVar[bool]
    has_detection: ClassVar[bool]
    lexicon: Lexicon

    def candidates(self, token: Tokens, words: Tokens) -> Iterator[Tag]:
        """Tags that lead from `token` (one token, two to merge, none: the start slot) towards `words`, best first."""
        ...

    def realise(self, tag: Tag, word: str | None, following: str | None) -> Tokens | None:
        """What the tag makes of the word (with the following one for a merge); None when it does not apply."""
        ...


INVENTORIES: dict[str, str] = {
    "gector": "errata.systems.tagger.gector:Gector",
    "pie": "errata.systems.tagger.pie:Pie",
    "lasertagger": "errata.systems.tagger.lasertagger:LaserTagger",
}


def get_inventory(name: str, lexicon: Lexicon | None = None) -> Inventory:
    """The inventory registered as `name`."""
    inventory: Inventory = lookup("tag inventory", INVENTORIES, name)(lexicon or Lexicon())
    return inventory


def change_case(word: str, case: str) -> str:
    """`change_case("ipad", "capital-1")` is `"iPad"`."""
    if case == "capital":
        return word[:1].upper() + word[1:].lower()
    if case == "capital-1":
        return word[:1] + word[1:2].upper() + word[2:]
    return word.lower() if case == "lower" else word.upper()


def cut_suffix(word: str, cut: str, added: str) -> str | None:
    """`cut_suffix("tries", "ies", "y")` is `"try"`; None when the word does not end so."""
    return word[: len(word) - len(cut)] + added if word.endswith(cut) and len(word) > len(cut) else None


def realise(tag: Tag, word: str | None, following: str | None, lexicon: Lexicon, *, keeps_case: bool) -> Tokens | None:
    """What any tag makes of a token; `keeps_case` lets a replacement take over the token's capital."""
    if tag.op is Op.KEEP:
        return () if word is None else (word,)
    if tag.op is Op.APPEND:
        return tag.words if word is None else (word, *tag.words)
    if word is None:
        return None
    if tag.op is Op.MERGE:
        return None if following is None else (word + tag.words[0] + following,)
    made = _rewrite(tag, word, lexicon, keeps_case)
    return None if made is None or made == (word,) else made


def _rewrite(tag: Tag, word: str, lexicon: Lexicon, keeps_case: bool) -> Tokens | None:
    match tag.op:
        case Op.DELETE:
            return ()
        case Op.REPLACE:
            first, *others = tag.words
            return (follow_case(word, first) if keeps_case and first.islower() else first, *others)
        case Op.CASE:
            return (change_case(word, tag.words[0]),)
        case Op.SPLIT:
            parts = tuple(word.split("-"))
            return parts if len(parts) > 1 and all(parts) else None
        case Op.INFLECT:
            form = lexicon.inflections.inflect(word, tag.words[0]) if lexicon.inflections else None
        case Op.SUFFIX:
            form = cut_suffix(word, tag.words[0], tag.words[1])
        case Op.SPELL:
            form = lexicon.speller.correct(word) if lexicon.speller else None
        case _:
            return None
    return None if form is None else (form,)
