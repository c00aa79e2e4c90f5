"""Texts under rules alone, without a model."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from errata.edits.apply import apply_text_edits
from errata.model import TextEdit
from errata.rules import RuleBook, load_rules
from errata.text.spacing import LAYOUTS

# A rule may have two edits of a sentence, and a corrected one may have another slip in it; that is all.
MAX_ROUNDS = 3
Find = Callable[..., list[TextEdit]]
Correct = Callable[..., str]


@pytest.fixture(scope="session")
def find() -> Find:
    """(text, language, book) → the edits of a text, where they stand in it."""

    def find(text: str, language: str, book: RuleBook | None = None) -> list[TextEdit]:
        layout = LAYOUTS[language]
        spans = layout.spans(text)
        within = (0, len(text)) if language == "zh" else None
        found = (book or load_rules(language)).propose(tuple(text[a:b] for a, b in spans))
        edits = [one.edit for one in found]
        return [TextEdit(*layout.place(text, spans, one.start, one.end, one.replacement, within)) for one in edits]

    return find


@pytest.fixture(scope="session")
def correct(find: Find) -> Correct:
    """(text, language, book) → the text when no rule has anything to say any more."""

    def correct(text: str, language: str, book: RuleBook | None = None) -> str:
        for _ in range(MAX_ROUNDS):
            edits = find(text, language, book)
            if not edits:
                return text
            text = apply_text_edits(text, edits)
        raise AssertionError(f"there is no end to it: {text}")

    return correct
