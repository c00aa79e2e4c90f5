"""Texts under rules alone, without a model."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from errata.model import TextEdit
from errata.rules import RuleBook, load_rules
from errata.rules.examples import correct_by_rules, find_edits

Find = Callable[..., list[TextEdit]]
Correct = Callable[..., str]


@pytest.fixture(scope="session")
def find() -> Find:
    """(text, language, book) → the edits of a text, where they stand in it."""

    def find(text: str, language: str, book: RuleBook | None = None) -> list[TextEdit]:
        return find_edits(text, language, book or load_rules(language))

    return find


@pytest.fixture(scope="session")
def correct() -> Correct:
    """(text, language, book) → the text when no rule has anything to say any more."""

    def correct(text: str, language: str, book: RuleBook | None = None) -> str:
        made = correct_by_rules(text, language, book or load_rules(language))
        assert made is not None, f"there is no end to it: {text}"
        return made

    return correct
