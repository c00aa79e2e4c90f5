"""Part of speech and lemma from word, tag and dependency: the model's attribute rules and rule lemmatiser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any, NamedTuple

from errata.edits.en.model_files import ModelFiles, StringNumbers, Unsupported

Attributes = dict[str, str]

POS = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SPACE SYM VERB X".split()


class Key(NamedTuple):
    """What the rules can see of a word."""

    TAG: str
    LOWER: str
    DEP: str


class _Rule(NamedTuple):
    order: int
    pattern: list[dict[str, Callable[[str], bool]]]
    attributes: Attributes
    position: int  # of the word they are for, within the pattern


class AttributeRules:
    """Fills in part of speech, morphology and some lemmas; later rules override earlier ones.

    All rules look at the words as the tagger and parser left them, so what they say about one word depends on its
    `Key` alone, except for a few rules on two words.
    """

    def __init__(self, files: ModelFiles) -> None:
        rules = [
            _Rule(order, [_conditions(token) for token in pattern], entry["attrs"], entry["index"])
            for order, entry in enumerate(files.ruler)
            for pattern in entry["patterns"]
            if not any(token.get("IS_SPACE") for token in pattern)  # tokenised text has no white-space tokens
        ]
        self._singles = [rule for rule in rules if len(rule.pattern) == 1]
        self._pairs = [rule for rule in rules if len(rule.pattern) == 2]
        if len(self._singles) + len(self._pairs) != len(rules):
            raise Unsupported("attribute rules over more than two words")
        tests = [token["LOWER"] for entry in files.ruler for p in entry["patterns"] for token in p if "LOWER" in token]
        words = [test for test in tests if isinstance(test, str)]
        words += [word for test in tests if isinstance(test, dict) for word in test.get("IN", ())]
        others = [_condition(test) for test in tests if isinstance(test, dict) and "IN" not in test]
        self._names_word: list[Callable[[str], bool]] = [frozenset(words).__contains__, *others]
        self._by_tag: dict[str, list[_Rule]] = {}
        self._answers: dict[Key, tuple[Attributes, bool]] = {}

    def of_word(self, key: Key) -> tuple[Attributes, bool]:
        """POS, MORPH and perhaps LEMMA by the rules on one word; and whether a rule on two words may begin with it."""
        if not any(names(key.LOWER) for names in self._names_word):
            key = key._replace(LOWER="")  # no rule asks for this word: all such words share an answer
        if key not in self._answers:
            attributes = _combine(rule for rule in self._rules_for(key.TAG) if _fits(rule.pattern[0], key))
            self._answers[key] = attributes, any(_fits(rule.pattern[0], key) for rule in self._pairs)
        return self._answers[key]

    def _rules_for(self, tag: str) -> list[_Rule]:
        """Rules on one word that this tag does not rule out."""
        if tag not in self._by_tag:
            self._by_tag[tag] = [r for r in self._singles if "TAG" not in r.pattern[0] or r.pattern[0]["TAG"](tag)]
        return self._by_tag[tag]

    def of_pairs(self, keys: list[Key]) -> dict[int, Attributes]:
        """The attributes of those words of a sentence that rules on two words touch, by position."""
        extra: dict[int, list[_Rule]] = {}
        for i, (first, second) in enumerate(pairwise(keys)):
            for rule in self._pairs:
                if _fits(rule.pattern[0], first) and _fits(rule.pattern[1], second):
                    extra.setdefault(i + rule.position, []).append(rule)
        singles = {i: [rule for rule in self._singles if _fits(rule.pattern[0], keys[i])] for i in extra}
        return {i: _combine([*singles[i], *rules]) for i, rules in extra.items()}


def _combine(rules: Iterable[_Rule]) -> Attributes:
    attributes: Attributes = {}
    for rule in sorted(rules, key=lambda rule: rule.order):
        attributes |= rule.attributes
    return attributes


def _conditions(token: dict[str, Any]) -> dict[str, Callable[[str], bool]]:
    """A test for each attribute that a token pattern names; `IS_SPACE: False` always holds."""
    return {name: _condition(wanted) for name, wanted in token.items() if name != "IS_SPACE"}


def _condition(wanted: str | dict[str, Any]) -> Callable[[str], bool]:
    if isinstance(wanted, str):
        return wanted.__eq__
    [(operator, operand)] = wanted.items()
    if operator == "IN":
        return frozenset(operand).__contains__
    if operator == "NOT_IN":
        return lambda value: value not in operand
    if operator == "REGEX":
        return lambda value: re.search(operand, value) is not None
    raise Unsupported(f"attribute rule with {operator}")


def _fits(conditions: dict[str, Callable[[str], bool]], key: Key) -> bool:
    return all(holds(getattr(key, name)) for name, holds in conditions.items())


class Lemmatiser:
    """spaCy's rule lemmatiser for English: exceptions, then suffix rules whose result is a known word."""

    def __init__(self, files: ModelFiles) -> None:
        self._rules, self._exceptions, self._index = (
            files.lemma_tables[name] for name in ("lemma_rules", "lemma_exc", "lemma_index")
        )
        self._index = {pos: frozenset(words) for pos, words in self._index.items()}
        numbers = StringNumbers()
        self._numbers = {pos: numbers[pos.lower()] for pos in POS}

    def lemma(self, word: str, pos: str, morphology: str) -> str:
        """The lemma: `lemma("mice", "NOUN", "Number=Plur")` is `"mouse"`."""
        lower = word.lower()
        number = self._numbers[pos]
        rules, exceptions = self._rules.get(number, ()), self._exceptions.get(number, {})
        index = self._index.get(number, frozenset())
        if _is_base_form(pos, morphology):
            return lower
        if not (rules or exceptions or index):
            return word if pos == "PROPN" else lower
        forms, unknown = _suffix_forms(lower, rules, index)
        for form in exceptions.get(lower, ()):
            if form not in forms:
                forms.insert(0, form)
        return next(iter(forms or unknown), word)


def _suffix_forms(word: str, rules: Iterable[tuple[str, str]], index: frozenset[str]) -> tuple[list[str], list[str]]:
    """Candidates with the most trusted first: the last known word, then forms that are no plain words; and the rest."""
    forms: list[str] = []
    unknown: list[str] = []
    for old, new in rules:
        form = word[: len(word) - len(old)] + new
        if not word.endswith(old) or not form:
            continue
        if form in index:
            forms.insert(0, form)
        elif not form.isalpha():
            forms.append(form)
        else:
            unknown.append(form)
    return list(dict.fromkeys(forms)), unknown


def _is_base_form(pos: str, morphology: str) -> bool:
    features = dict(feature.split("=") for feature in morphology.split("|") if "=" in feature)
    verb_form = features.get("VerbForm")
    return (
        (pos == "NOUN" and features.get("Number") == "Sing")
        or (pos == "VERB" and verb_form == "Fin" and features.get("Tense") == "Pres" and "Number" not in features)
        or verb_form in {"Inf", "None"}
        or features.get("Degree") == "Pos"
    )
