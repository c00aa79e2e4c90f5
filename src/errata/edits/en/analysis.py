"""What the English rules know about a sentence: words, lemmas, tags and dependencies, free of spaCy objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(slots=True)
class Analysis:
    """One analysed sentence, column by column; `heads` are token indices (a root is its own head).

    `spaces` says after which words there was white space in raw text; None: tokenised text, after every word.
    """

    words: list[str]
    tags: list[str]
    pos: list[str]
    lemmas: list[str]
    deps: list[str]
    heads: list[int]
    lowers: list[str]
    spaces: list[bool] | None = None

    def __len__(self) -> int:
        return len(self.words)

    def tokens(self, start: int, end: int) -> list[Token]:
        """Tokens [start, end) as records, for rules that look at few of them closely."""
        return [Token(self, i) for i in range(start, end)]

    def text(self, start: int, end: int) -> str:
        """The text of tokens [start, end) as it was written."""
        if self.spaces is None:
            return " ".join(self.words[start:end])
        pieces = zip(self.words[start:end], self.spaces[start:end], strict=True)
        return "".join(word + " " * space for word, space in pieces).rstrip(" ")


class Token:
    """One token of an analysis; attributes are copied because the rules read each of them many times."""

    __slots__ = ("dep", "index", "lemma", "lower", "pos", "sentence", "tag", "text")

    def __init__(self, sentence: Analysis, index: int) -> None:
        self.sentence, self.index = sentence, index
        self.text, self.lower = sentence.words[index], sentence.lowers[index]
        self.lemma, self.pos, self.tag = sentence.lemmas[index], sentence.pos[index], sentence.tags[index]
        self.dep = sentence.deps[index]

    @property
    def head(self) -> Token:
        return Token(self.sentence, self.sentence.heads[self.index])

    @property
    def children(self) -> Iterator[Token]:
        """Direct dependents from left to right."""
        for index, head in enumerate(self.sentence.heads):
            if head == self.index and index != self.index:
                yield Token(self.sentence, index)


class Analyser(Protocol):
    """Tags, lemmatises and parses sentences."""

    @property
    def signature(self) -> str:
        """What the answers depend on: `spacy:3.8.18|model:…`; also the key of the cache."""
        ...

    def analyse(self, sentences: Sequence[Sequence[str]]) -> list[Analysis]:
        """One analysis per tokenised sentence."""
        ...

    def analyse_texts(self, texts: Sequence[str]) -> list[Analysis]:
        """One analysis per raw text, tokenised on the way."""
        ...

    def tokenise(self, texts: Sequence[str]) -> list[list[str]]:
        """The words of each raw text."""
        ...
