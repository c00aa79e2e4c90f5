"""A word that is in no dictionary is another one only where there is evidence of a slip."""

from __future__ import annotations

import pytest

from errata.edits.rare_words import mistakes_rare_word
from errata.model import TextEdit


@pytest.mark.parametrize(
    ("word", "other"),
    [("anyio", "any"), ("acquis", "acquire"), ("Kubectl", "Subject"), ("numpy", "nutty")],
)
def test_rare_words_stay(word: str, other: str) -> None:
    assert mistakes_rare_word(f"Use {word} now.", TextEdit(4, 4 + len(word), other))


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("recieve", "receive"),
        ("teh", "the"),
        ("gramamtical", "grammatical"),
        ("ecklessly", "recklessly"),
        ("Wensday", "Wednesday"),
        ("tommorow", "tomorrow"),
        ("definatly", "definitely"),
        ("probly", "probably"),
        ("dependancies", "dependencies"),
        ("childs", "children"),
        ("runned", "ran"),
        ("house", "home"),
        ("alot", "a lot"),
    ],
)
def test_misspellings_are_corrected(word: str, other: str) -> None:
    assert not mistakes_rare_word(f"Use {word} now.", TextEdit(4, 4 + len(word), other))


def test_parts_of_words_are_not_judged() -> None:
    assert not mistakes_rare_word("un-anyios", TextEdit(3, 8, "any"))
