"""The examples of rules as tests of them: what is corrected, what is left alone, and that each rule is needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from errata.edits.apply import apply_text_edits
from errata.model import TextEdit
from errata.rules.book import Rule, RuleBook
from errata.text.spacing import LAYOUTS

# A rule may have two edits of a sentence, and a corrected one may have another slip in it; that is all.
MAX_ROUNDS = 3


def find_edits(text: str, language: str, book: RuleBook) -> list[TextEdit]:
    """The edits of a sentence under rules alone, where they stand in it."""
    layout = LAYOUTS[language]
    spans = layout.spans(text)
    within = (0, len(text)) if language == "zh" else None
    edits = [one.edit for one in book.propose(tuple(text[a:b] for a, b in spans))]
    return [TextEdit(*layout.place(text, spans, one.start, one.end, one.replacement, within)) for one in edits]


def correct_by_rules(text: str, language: str, book: RuleBook) -> str | None:
    """The sentence when no rule has anything to say any more; None where there is no end to it."""
    for _ in range(MAX_ROUNDS):
        edits = find_edits(text, language, book)
        if not edits:
            return text
        text = apply_text_edits(text, edits)
    return None


class Fault(NamedTuple):
    """A sentence of a rule that the rules do not treat as it says: its file and line, and what they do instead."""

    rule: Rule
    where: str
    problem: str


def check_examples(rules: Sequence[Rule]) -> Iterator[Fault]:
    """The examples that fail; rules are tried together, as they are used."""
    books = {rule.language: RuleBook(one for one in rules if one.language == rule.language) for rule in rules}
    for rule in rules:
        book, own = books[rule.language], RuleBook([rule])
        for example in rule.examples:
            where = rule.lines.get(example.wrong, rule.where)
            if example.wrong == example.right:
                yield Fault(rule, where, f"wrong and right are the same: {example.wrong}")
            elif not find_edits(example.wrong, rule.language, own):
                yield Fault(rule, where, f"finds nothing in: {_cut(example.wrong, rule.language)}")
            elif (made := correct_by_rules(example.wrong, rule.language, book)) != example.right:
                yield Fault(rule, where, f"makes {_told(made)} of “{example.wrong}”, not “{example.right}”")
        for text in (*rule.kept, *(example.right for example in rule.examples if example.wrong != example.right)):
            if (made := correct_by_rules(text, rule.language, book)) != text:
                yield Fault(rule, rule.lines.get(text, rule.where), f"makes {_told(made)} of “{text}”, which is right")


def _cut(text: str, language: str) -> str:
    """The sentence; where patterns are over words, with spaces between the words as the rule sees them."""
    return text if language == "zh" else " ".join(text[a:b] for a, b in LAYOUTS[language].spans(text))


def _told(made: str | None) -> str:
    return "something new again and again" if made is None else f"“{made}”"
