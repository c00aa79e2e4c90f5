"""A sentence as perturbation sees it: its tokens, and the words over them with their grammar."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from errata.edits.carrying import DELETE, INSERT, SUBSTITUTE, Change
from errata.model import Edit, Tokens

ACTIONS = (SUBSTITUTE, INSERT, DELETE)
# What leads from the perturbed text back to the text.
REVERSE = {SUBSTITUTE: SUBSTITUTE, INSERT: DELETE, DELETE: INSERT}


@dataclass(frozen=True, slots=True)
class Word:
    """Tokens [start, end) of a text; `head` is the number of the word it depends on (its own for a root).

    Where the language has no parser, `dep` and `lemma` are empty and every word is its own head.
    """

    start: int
    end: int
    text: str
    tag: str
    pos: str
    lemma: str
    dep: str
    head: int


@dataclass(frozen=True)
class Text:
    """An analysed sentence; `analysis` is what the extractor of the language takes."""

    tokens: Tokens
    words: tuple[Word, ...]
    analysis: Any = field(repr=False, compare=False)

    @cached_property
    def children(self) -> list[list[int]]:
        """The numbers of the words that depend on each word."""
        found: list[list[int]] = [[] for _ in self.words]
        for number, word in enumerate(self.words):
            if word.head != number:
                found[word.head].append(number)
        return found

    def child_deps(self, number: int) -> set[str]:
        """The relations of the words that depend on a word."""
        return {self.words[child].dep for child in self.children[number]}


def is_repeated(text: Text, number: int) -> bool:
    """Whether a word comes more than once: a text would no longer speak of one thing if it were replaced once."""
    lemma = text.words[number].lemma.lower()
    return sum(word.lemma.lower() == lemma for word in text.words) > 1


@dataclass(frozen=True, slots=True)
class Site:
    """A place in a text that may be perturbed: words [first, last), which are tokens [start, end).

    `tag` is the tag that a new word must get, `kind` the group of words that may stand there (`groups.toml`). Of an
    insertion, `first == last`, and `head` is the word that the new one belongs to.
    """

    action: str
    start: int
    end: int
    first: int
    last: int
    tag: str = ""
    kind: str = ""
    head: int = -1


@dataclass(frozen=True, slots=True)
class Perturbation:
    """Tokens [start, end) of a text become `words`."""

    action: str
    start: int
    end: int
    words: Tokens

    def apply(self, tokens: Tokens) -> Tokens:
        return (*tokens[: self.start], *self.words, *tokens[self.end :])

    def carry(self, edits: Iterable[Edit]) -> Perturbation:
        """The same perturbation of what edits make of the text; none of them touches it."""
        shift = sum(len(edit.replacement) - (edit.end - edit.start) for edit in edits if edit.end <= self.start)
        return Perturbation(self.action, self.start + shift, self.end + shift, self.words)

    @property
    def change(self) -> Change:
        return Change(self.start, self.end, self.start, self.start + len(self.words))


@dataclass(frozen=True, slots=True)
class Proposal:
    """Tokens that may stand at a site, and how probable the proposer finds them."""

    words: Tokens
    weight: float


class Tongue(Protocol):
    """What perturbation knows of a language."""

    language: str

    def split(self, text: str) -> Tokens:
        """The tokens of a text, which spaces separate in English."""
        ...

    def split_raw(self, text: str) -> Tokens:
        """The tokens of a text as people write it."""
        ...

    def analyse(self, sentences: Sequence[Tokens]) -> list[Text]:
        """The sentences, analysed together."""
        ...

    def edits(self, source: Text, target: Text) -> tuple[Edit, ...]:
        """The typed edits from one text to the other."""
        ...

    def find_related(self, target: Text, edited: Sequence[int], types: Collection[str]) -> set[int]:
        """The numbers of the words that errors may depend on; `edited` are the words that corrections put in."""
        ...

    def find_sites(self, text: Text, related: set[int]) -> list[Site]:
        """The places that may be perturbed, as far as the text tells; edits are kept clear of elsewhere."""
        ...

    def is_fit(self, text: Text, site: Site, words: Tokens) -> bool:
        """Whether new words fit by their form alone, before anything is parsed or scored."""
        ...

    def is_faultless(self, text: Text, variant: Text) -> bool:
        """Whether no fault that rules know came with the perturbation."""
        ...
