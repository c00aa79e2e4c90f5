"""Small lexicons for the tagger's tests."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from tiny_taggers import RECIPES, run

from errata.systems.tagger.inventory import Lexicon
from errata.systems.tagger.spelling import Speller
from errata.text.morphology import Inflections

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


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Language → the folder of a tagger that knows its fifty sentences; trained once."""

    @cache
    def train_tiny(language: str) -> Path:
        name = "tagger-tiny.yaml" if language == "en" else f"tagger-tiny-{language}.yaml"
        settings = ["model.early_exit=1"] if language == "en" else []
        return run(RECIPES / name, tmp_path_factory.mktemp(f"tagger-{language}"), *settings)

    return train_tiny
