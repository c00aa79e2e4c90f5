"""Small lexicons for the tagger's tests."""

from __future__ import annotations

import pytest

from errata.systems.tagger.inventory import Lexicon
from errata.systems.tagger.morphology import Inflections
from errata.systems.tagger.spelling import Speller

LEXEMES = (
    ("V", "go", "goes", "going", "went", "gone"),
    ("V", "walk", "walks", "walking", "walked", "walked"),
    ("V", "watch", "watches", "watching", "watched", "watched"),
    ("N", "watch", "watches"),
    ("N", "child", "children"),
    ("A", "big", "bigger", "biggest"),
)
WORDS = ("the", "because", "school", "yesterday", "friend", "receive", "children", "walked", "school's")


@pytest.fixture(scope="session")
def lexicon() -> Lexicon:
    return Lexicon(Inflections(LEXEMES), Speller(WORDS))
