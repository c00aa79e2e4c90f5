"""The English rules that come with errata: odd sentences, and what their lists hold."""

from __future__ import annotations

import pytest

from errata.edits.en.lexicon import load_words
from errata.rules import load_rules

BOOK = load_rules()


def test_misspelt_words_are_no_words() -> None:
    [rule] = [rule for rule in BOOK.rules if rule.name == "misspelt"]
    known = load_words()
    for wrong, right in rule.patterns[0].elements[0].words.pairs.items():
        assert wrong not in known
        assert right[0] in known or right[0].lower() in known


@pytest.mark.parametrize(
    ("text", "corrected"),
    [
        pytest.param("I don’t know, your the best.", "I don’t know, you’re the best.", id="apostrophes-as-written"),
        pytest.param("DONT GO", "DON'T GO", id="capitals"),
        pytest.param("“Your welcome,” he said.", "“You're welcome,” he said.", id="inside-quotes"),
        pytest.param("", "", id="empty"),
        pytest.param("alot", "a lot", id="one-token"),
        pytest.param("😀 dont 的", "😀 don't 的", id="emoji"),
        pytest.param("I could care less.", "I could care less.", id="idiom"),
        pytest.param("There are less people.", "There are less people.", id="style"),
    ],
)
def test_odd_sentences(text: str, corrected: str, correct) -> None:
    assert correct(text, "en") == corrected
