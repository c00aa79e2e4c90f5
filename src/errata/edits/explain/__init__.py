"""What an edit is about, for people: a type, a stable rule id, and a message in English or Chinese.

`explain` is what the command line, the server and the page show; `list_rules` is everything it can say. The texts are
in `rules.toml`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from errata.edits.explain.chinese import classify_chinese
from errata.edits.explain.english import classify_english, is_misspelling
from errata.model import TextEdit
from errata.text.projection import trim_edit

# A text is quoted in a message up to this length.
MAX_QUOTE = 60
_OPERATIONS = {
    "en": {"M": "missing", "U": "unnecessary", "R": "replacement"},
    "zh": {"M": "missing", "R": "unnecessary", "S": "replacement", "W": "replacement"},
}
# What is asked after the words of a rule (`TextEdit.about`).
_QUESTIONS = {
    "missing": "Add “{new}”?",
    "unnecessary": "Remove “{old}”?",
    "replacement": "Did you mean “{new}”?",
}
# Types of edits that keep all letters: `dont` → `don't` is no misspelling.
_ABOUT_MARKS = ("R:CONTR", "R:ORTH", "R:NOUN:POSS", "R:PUNCT")


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of error: LanguageTool's `rule`, and its texts in one language.

    The name of the category is in the language of the text, as LanguageTool has it, whatever the messages are in.
    """

    id: str
    category: str
    category_name: str
    issue_type: str
    title: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """What one edit is about."""

    type: str
    rule: Rule
    message: str


def explain(text: str, edit: TextEdit, language: str, *, messages: str = "auto") -> Explanation:
    """The type, rule and message of an edit of `text`; `messages` is their language, `auto` the text's own.

    >>> found = explain("She go home.", TextEdit(4, 6, "goes"), "en")
    >>> found.type, found.rule.id, found.message
    ('R:VERB:SVA', 'ERRATA_AGREEMENT', 'The verb may not agree with its subject. Did you mean “goes”?')
    """
    told = language if messages == "auto" else messages
    type_ = shown_type(text, edit, language)
    operation, _, category = type_.partition(":")
    step = _OPERATIONS[language][operation]
    key = _special(text, edit, language, type_) or ("ORDER" if operation == "W" else category)
    return Explanation(type_, _rule(language, key, step, told), _message(text, edit, language, key, step, told))


def shown_type(text: str, edit: TextEdit, language: str) -> str:
    """The type that people are shown: what `classify` says, unless a word in no dictionary is replaced by one like it.

    The confidences of a model are calibrated by `classify`, so it keeps calling `teh` → `the` a determiner.
    """
    type_ = classify(text, edit, language)
    is_about_words = language == "en" and type_.startswith("R:") and not type_.startswith(_ABOUT_MARKS)
    return "R:SPELL" if is_about_words and is_misspelling(text, edit) else type_


def classify(text: str, edit: TextEdit, language: str) -> str:
    """The type of an edit: ERRANT's words for English, ChERRANT's for Chinese; a system's own if it is one."""
    operation, colon, category = edit.type.partition(":")
    if colon and operation in _OPERATIONS[language] and category in _texts()["rules"][language]:
        return edit.type
    return (classify_chinese if language == "zh" else classify_english)(text, edit)


def list_rules(language: str, messages: str | None = None) -> Iterator[Rule]:
    """Every rule of a language."""
    for key in _texts()["rules"][language]:
        for step in dict.fromkeys(_OPERATIONS[language].values()):
            yield _rule(language, key, step, messages or language)


def _special(text: str, edit: TextEdit, language: str, type_: str) -> str | None:
    """Rules finer than the type: `a` for `an`, and real words taken for others."""
    if language != "en":
        return None
    old, new = text[edit.start : edit.end].strip(), edit.replacement.strip()
    if type_ == "R:DET" and {old.lower(), new.lower()} == {"a", "an"}:
        return "ARTICLE"
    if type_ == "R:SPELL" and old.isalpha():
        from errata.edits.en.lexicon import word_list

        return "CONFUSION" if old.lower() in word_list() else None
    return None


@cache
def _texts() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("rules.toml").read_text(encoding="utf-8"))


@cache
def _rule(language: str, key: str, step: str, told: str) -> Rule:
    texts = _texts()
    rule, operation = texts["rules"][language][key], texts["operations"][step]
    prefix = "ERRATA_" if language == "en" else f"ERRATA_{language.upper()}_"
    category = rule["category"]
    name = rule["name"] if step == "replacement" else rule.get("bare_name", rule["name"])
    return Rule(
        id=prefix + operation["id"] + name,
        category=category,
        category_name=texts["categories"][category][language],
        issue_type=rule["issue"],
        title=_fill(operation["title"][told], rule[told]),
    )


def _message(text: str, edit: TextEdit, language: str, key: str, step: str, told: str) -> str:
    texts = _texts()
    change = trim_edit(text, edit) if step != "replacement" else edit
    old, new = text[change.start : change.end], change.replacement
    if edit.about and told == "en":
        return f"{edit.about} {_QUESTIONS[step].format(old=_quote(old), new=_quote(new))}".strip()
    if step == "replacement" and not new.strip():
        about: str = texts["rules"][language][key][told]["about"]
        return about
    return _fill(texts["operations"][step]["message"][told], texts["rules"][language][key][told], old, new)


def _fill(template: str, rule: dict[str, str], old: str = "", new: str = "") -> str:
    title = rule["title"]
    capital = title[:1].upper() + title[1:]
    return template.format(title=title, Title=capital, about=rule["about"], old=_quote(old), new=_quote(new))


def _quote(text: str) -> str:
    bare = " ".join(text.split())
    return bare if len(bare) <= MAX_QUOTE else f"{bare[: MAX_QUOTE - 1]}…"
