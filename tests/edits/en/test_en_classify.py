"""Types of real corrections: a row for every rule of ERRANT's classifier that a short sentence can reach."""

from __future__ import annotations

import pytest
from english_cases import CASES

from errata.edits.en import EnglishExtractor
from errata.edits.en.lexicon import WordList, is_known, load_words
from errata.edits.en.stem import stem


@pytest.mark.parametrize(("source", "target", "expected"), CASES, ids=[f"{c[2]} {c[1]}" for c in CASES])
def test_type(extractor: EnglishExtractor, source: str, target: str, expected: str) -> None:
    [annotated] = extractor.annotate([(source, [target])])
    [annotation] = annotated.annotations
    assert expected in [edit.type for edit in annotation.edits]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("maximum", "maxim"),
        ("presumably", "presum"),
        ("multiply", "multiply"),
        ("provision", "provid"),
        ("owed", "ow"),
        ("ear", "ear"),
        ("saying", "say"),
        ("crying", "cry"),
        ("string", "string"),
        ("cement", "cem"),
        ("Happiness", "happy"),
        ("don't", "don't"),
        ("42", "42"),
        ("", ""),
        ("élan", "élan"),
    ],
)
def test_stem(word: str, expected: str) -> None:
    assert stem(word) == expected


def test_word_list() -> None:
    words = load_words()
    assert {"cat", "colour", "organise", "organize", "Paris"} <= words
    assert not {"Cat", "recieve", ""} & words


def test_word_list_searched_as_text() -> None:
    seldom, often = WordList(), WordList()
    often._searches_left = 0
    asked = ["cat", "colour", "Paris", "A", "étui", "Cat", "recieve", "", "catx", "ca", "at", "A's", "zzz\ncat"]
    assert (
        [word in seldom for word in asked]
        == [word in often for word in asked]
        == [word in load_words() for word in asked]
    )


@pytest.mark.parametrize(
    ("word", "expected"),
    [("cat", True), ("Cat", True), ("CAT", True), ("Paris", True), ("paris", False), ("recieve", False), ("", False)],
)
def test_a_word_is_known_with_and_without_its_capitals(word: str, expected: bool) -> None:
    assert is_known(word) is expected
