"""A corrector that knows a table of words: quick to make, and everybody can see what it must answer."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from errata.model import Edit, Tokens
from errata.pipeline.presets import Preset
from errata.pipeline.sentences import Candidate, Segment, SentenceCorrector
from errata.systems.base import ProposedEdit, TokenCorrector

TABLES = {
    "en": {
        "go": "goes",
        "freind": "friend",
        "very": "",
        "school": "the school",
        "i": "I",
        "boom": "bang",
        "dash": "-",
        "dog": "dogs .",
        "an": "a",
        "quite": "quiet",
    },
    "zh": {"做": "作", "的": "得", "很": ""},
}


class TableModel(TokenCorrector):
    """A token model that replaces words by its table ("" deletes); 0.9 sure of each, 0.4 of deletions."""

    kind = "table"

    def __init__(self, language: str) -> None:
        self.language, self.max_tokens = language, 60

    def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
        table = TABLES[self.language]
        return [
            [
                ProposedEdit(Edit(i, i + 1, new), 0.9 if new else 0.4)
                for i, token in enumerate(tokens)
                if token in table and not _stands(tokens, i, new := tuple(table[token].split()))
            ]
            for tokens in sentences
        ]


def _stands(tokens: Tokens, at: int, words: Tokens) -> bool:
    """Whether the words stand there already, up to this token: "the school" needs no other "the"."""
    return bool(words) and words == tokens[at + 1 - len(words) : at + 1]


def load_table(name: str) -> SentenceCorrector:
    """The corrector of a language, by its name."""
    return SentenceCorrector(TableModel(name), name=f"table-{name}")


def load_with_presets(name: str) -> SentenceCorrector:
    """The same, whose presets want to be differently sure: deletions are for the eager."""
    presets = {"careful": Preset(min_confidence=0.95), "balanced": Preset(min_confidence=0.5), "eager": Preset()}
    return SentenceCorrector(TableModel(name), name=f"table-{name}", presets=presets)


class SlowCorrector(SentenceCorrector):
    """A corrector that waits until it is let go, and notes what it was asked together."""

    def __init__(self) -> None:
        super().__init__(TableModel("en"), name="slow")
        self.gate = threading.Event()
        self.asked: list[list[str]] = []

    def look(self, pieces: Sequence[tuple[str, Segment | None]]) -> list[tuple[Candidate, ...]]:
        sentences = [sentence for sentence, _ in pieces]
        self.asked.append(sentences)
        if "Poison." in sentences:
            raise RuntimeError("a sentence no model can take")
        assert self.gate.wait(30)
        return super().look(pieces)
