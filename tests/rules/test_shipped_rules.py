"""The rules of every language that come with errata, by their own examples."""

from __future__ import annotations

import pytest

from errata.rules import Rule, RuleBook, load_rules
from errata.rules.book import BOOKS

RULES = [pytest.param(rule, id=rule.name) for language in BOOKS for rule in load_rules(language).rules]


@pytest.mark.parametrize("rule", RULES)
def test_examples_are_corrected(rule: Rule, correct) -> None:
    for example in rule.examples:
        assert correct(example.wrong, rule.language) == example.right
        assert example.wrong != example.right


@pytest.mark.parametrize("rule", RULES)
def test_right_sentences_are_left_alone(rule: Rule, correct) -> None:
    for text in (*rule.kept, *(example.right for example in rule.examples)):
        assert correct(text, rule.language) == text


@pytest.mark.parametrize("rule", RULES)
def test_each_rule_is_needed_for_its_examples(rule: Rule, correct) -> None:
    """An example that another rule corrects proves nothing; the learnt one of English has a say in many."""
    own = RuleBook([rule])
    book = load_rules(rule.language)
    others = book.without({rule.name, *(one.name for one in book.rules if one.is_learnt)})
    for example in rule.examples:
        assert correct(example.wrong, rule.language, own) != example.wrong
        assert correct(example.wrong, rule.language, others) != example.right


def test_rules_have_names_of_their_own() -> None:
    names = [rule.name for language in BOOKS for rule in load_rules(language).rules]
    assert len(set(names)) == len(names)
    for language in BOOKS:
        assert all(rule.kept for rule in load_rules(language).rules), "every rule says what it leaves alone"
        assert {rule.language for rule in load_rules(language).rules} == {language}
