"""What the training files of bundled models take from unchecked corpora."""

from __future__ import annotations

import pytest
from benchmarks.models.pairs import Moderation, no_shown_corrections, only_corrections, plain_quotes, small_changes


def pair(source: str, target: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(source.split()), tuple(target.split())


@pytest.mark.parametrize(
    ("source", "target", "is_kept"),
    [
        pytest.param("It is a SSH server .", "It is an SSH server .", True, id="article"),
        pytest.param("If it ends we stop .", "If it ends , we stop .", True, id="comma"),
        pytest.param("We recieve it .", "We receive it .", True, id="spelling"),
        pytest.param("You have have to .", "You have to .", True, id="twice"),
        pytest.param("When you setup it .", "When you set up it .", True, id="two words"),
        pytest.param("Each of them are new .", "Each of them is new .", True, id="agreement"),
        pytest.param("Simply click on it .", "Click on it .", False, id="rewording"),
        pytest.param("Creates a shift .", "Create a shift .", False, id="mood of documentation"),
        pytest.param("It will return it .", "It returns it .", False, id="tense"),
        pytest.param("Open Vscode .", "Open VsCode .", False, id="product"),
        pytest.param('Name it " x " .', "Name it x .", False, id="quotes"),
    ],
)
def test_corrections_and_style(source, target, is_kept):
    assert (only_corrections(pair(source, target)) is None) == is_kept


@pytest.mark.parametrize(
    ("source", "target", "is_kept"),
    [
        ("It was hard to making it .", "It was hard to making make it .", False),
        ("a ceremony of our school", "a ceremony of at our school", False),
        ("This is good .", "This is was good .", False),
        ("I like dog .", "I like a dog .", True),
        ("He go home .", "He goes home .", True),
    ],
)
def test_corrections_that_were_only_shown(source, target, is_kept):
    assert (no_shown_corrections(pair(source, target)) is None) == is_kept


def test_amounts():
    assert small_changes(pair("a b c d", "a b c d"), share=0.5) == "nothing changes"
    assert small_changes(pair("a b c d e", "v w x y e"), share=1.0) == "a long change"
    assert small_changes(pair("a b c d e f", "a x c y e z"), share=0.4) == "many changes"
    assert small_changes(pair("a b c d e f", "a x c d e f"), share=0.4) is None
    often = Moderation(2)
    assert [often(pair("an Foo here", "an Bar here")) for _ in range(3)] == [None, None, "a change seen often"]
    assert plain_quotes("it’s “so”\u200b") == 'it\'s "so"'
