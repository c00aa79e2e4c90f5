"""The languages errata scores, and what it uses for each unless something else is asked for.

This is the one table of them. Values are names that the registries of other packages know.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """`name` in messages, the `extractor` of edits, the `metric` over them, and the `format` they are written in.

    `level` is what the tokens of edits are by default: "word" or "char".
    """

    name: str
    extractor: str
    metric: str
    format: str
    level: str


LANGUAGES: dict[str, Language] = {
    "en": Language("English", "errata.edits.en:EnglishExtractor", "errant", "m2", "word"),
    "zh": Language("Chinese", "errata.edits.zh:ChineseExtractor", "cherrant", "cherrant", "char"),
}


def other_language(language: str) -> str:
    """The language that text is in when it is not in this one: there are two."""
    return next(code for code in LANGUAGES if code != language)
