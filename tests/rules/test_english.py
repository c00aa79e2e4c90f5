"""The rules that come with errata: their own examples, what they agree on, and what their lists hold."""

from __future__ import annotations

import pytest

from errata.edits.apply import apply_text_edits
from errata.edits.en.lexicon import load_words
from errata.model import TextEdit
from errata.rules import RuleBook, load_rules
from errata.text.spacing import LAYOUTS

BOOK = load_rules()
# A corrected sentence may have another slip in it, and that is all.
MAX_ROUNDS = 3


def correct(text: str, book: RuleBook = BOOK) -> str:
    """The text when no rule has anything to say any more."""
    layout = LAYOUTS["en"]
    for _ in range(MAX_ROUNDS):
        spans = layout.spans(text)
        found = [one.edit for one in book.propose(tuple(text[a:b] for a, b in spans))]
        if not found:
            return text
        places = [layout.place(text, spans, edit.start, edit.end, edit.replacement, None) for edit in found]
        text = apply_text_edits(text, [TextEdit(*place) for place in places])
    raise AssertionError(f"there is no end to it: {text}")


@pytest.mark.parametrize(
    ("rule", "wrong", "right"),
    [(rule.name, example.wrong, example.right) for rule in BOOK.rules for example in rule.examples],
)
def test_examples_are_corrected(rule: str, wrong: str, right: str) -> None:
    assert correct(wrong) == right
    assert wrong != right


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        *((rule.name, text) for rule in BOOK.rules for text in rule.kept),
        *((rule.name, example.right) for rule in BOOK.rules for example in rule.examples),
    ],
)
def test_right_sentences_are_left_alone(rule: str, text: str) -> None:
    assert correct(text) == text


@pytest.mark.parametrize("rule", BOOK.rules, ids=lambda rule: rule.name)
def test_each_rule_is_needed_for_its_examples(rule: object) -> None:
    """An example that another rule corrects proves nothing; the learnt one has a say in many."""
    own = RuleBook([rule])  # type: ignore[list-item]
    others = BOOK.without({rule.name, "confusable"})  # type: ignore[attr-defined]
    for example in rule.examples:  # type: ignore[attr-defined]
        assert correct(example.wrong, own) != example.wrong
        assert correct(example.wrong, others) != example.right


def test_rules_have_names_of_their_own() -> None:
    names = [rule.name for rule in BOOK.rules]
    assert len(set(names)) == len(names)
    assert all(rule.kept for rule in BOOK.rules), "every rule says what it leaves alone"


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
def test_odd_sentences(text: str, corrected: str) -> None:
    assert correct(text) == corrected
