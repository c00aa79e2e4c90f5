"""Copies and near duplicates are found by both kernels, and are what the definition says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.datasets import _similar_py, similar
from errata.datasets._similar_py import EXACT, SHORT, count_edits, split_units
from errata.datasets.letters import letter_table

KERNELS = ["python", "compiled"]
OPTIONS = {"edit_per": 5, "words": 8, "characters": 10, "window": 1000}
SENTENCE = "The committee will decide about the new school on Monday morning ."
CHINESE = "我每天早上都在公园里跑步，因为这样对身体很好。"


@pytest.fixture(params=KERNELS)
def make(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Makes an index of texts in one of the kernels."""
    if request.param == "compiled":
        kernel: Any = pytest.importorskip("errata.datasets._similar_c", reason="the kernel was not built")
    else:
        kernel = _similar_py
    return lambda texts, **options: kernel.Index(texts, letter_table(), **(OPTIONS | options))


@pytest.mark.parametrize(
    ("text", "edits"),
    [
        pytest.param("the committee WILL decide about the new school on monday morning", EXACT, id="case"),
        pytest.param("The committee , will decide about the new school on Monday morning !", EXACT, id="punctuation"),
        pytest.param("The committee will decide about the new school on Monday evening .", 1, id="replaced"),
        pytest.param("The committee will soon decide about the new school on Monday morning .", 1, id="inserted"),
        pytest.param("The committee will decide about the school on Monday morning .", 1, id="deleted"),
        pytest.param("The committe will decides about the new school on Monday morning .", 2, id="two edits in eleven"),
        pytest.param("The committe will decides about new school at Monday morning .", None, id="four edits"),
        pytest.param("Yesterday they said : " + SENTENCE, 0, id="inside another"),
        pytest.param("will decide about the new school on Monday", 0, id="a part"),
        pytest.param("will decide about the new school", None, id="too short a part"),
        pytest.param("morning Monday on school new the about decide will committee The .", None, id="backwards"),
        pytest.param("Thank you !", SHORT, id="formula"),
        pytest.param("Thank you very much .", None, id="longer formula"),
        pytest.param("I don't know it.", SHORT, id="clitic"),
        pytest.param("“I don’t know it ,”", SHORT, id="curly"),
        pytest.param("?!", None, id="no letters"),
        pytest.param("", None, id="empty"),
        pytest.param("我 每天 早上 都 在 公園 裡 跑步 ， 因為 這樣 對 身體 很 好", EXACT, id="segmented, traditional"),
        pytest.param("我每天早上都去公园里跑步，因为这样对身体好。", 2, id="chinese"),
        pytest.param("每天早上都在公园里跑步", 0, id="chinese part"),
        pytest.param("早上在公园", None, id="chinese, too short a part"),
        pytest.param("ｉｔ’ｓ　１　ｏ’ｃｌｏｃｋ", SHORT, id="wide letters"),
    ],
)
def test_find(make: Callable[..., Any], text: str, edits: int | None) -> None:
    index = make([SENTENCE, "Thank you .", "I do n't know it .", "...", CHINESE, "It 's 1 o'clock"])
    assert [found for _, found in index.find(text)] == ([] if edits is None else [edits])


def test_every_text_that_fits_is_named(make: Callable[..., Any]) -> None:
    index = make([SENTENCE, "another", SENTENCE.lower(), SENTENCE.replace("Monday", "Friday")])
    assert index.find(SENTENCE) == [(0, EXACT), (2, EXACT), (3, 1)]


def test_a_sentence_in_a_long_text_is_found_wherever_it_stands(make: Callable[..., Any]) -> None:
    index = make([SENTENCE], window=40)
    words = [f"word{number}" for number in range(150)]
    for place in range(0, 150, 7):
        assert index.find(" ".join([*words[:place], SENTENCE, *words[place:]])) == [(0, 0)]


def test_an_empty_index_finds_nothing(make: Callable[..., Any]) -> None:
    assert make([]).find(SENTENCE) == []


@pytest.mark.parametrize(
    "text", ["a\ud800b", "\U0010ffff" * 12, "a" * 10_000, "a " * 10_000, "的" * 10_000, "a b " * 500]
)
def test_odd_texts_do_no_harm(make: Callable[..., Any], text: str) -> None:
    index = make([text, SENTENCE], window=100)
    found = index.find(text)
    assert found == ([] if not split_units(text, letter_table()) else [(0, found[0][1])])
    assert index.find(f"x {SENTENCE}") == [(1, 0)]


words = st.sampled_from(["a", "b", "c", "d", "我", "们", "去", "n't", "it 's", "B", "-", "’", "'", "of"])
texts = st.lists(words, max_size=24).map(" ".join)


@given(st.lists(texts, max_size=6), st.lists(texts, max_size=4), st.sampled_from([16, 1000]))
def test_the_kernels_agree(known: list[str], asked: list[str], window: int) -> None:
    compiled = pytest.importorskip("errata.datasets._similar_c", reason="the kernel was not built")
    options = OPTIONS | {"window": window}
    fast, obvious = (kernel.Index(known, letter_table(), **options) for kernel in (compiled, _similar_py))
    for text in (*asked, *known):
        assert fast.find(text) == obvious.find(text)


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, str]:
    """A text of words and the same with some of them changed, which may stand in another text."""
    words = draw(st.lists(st.sampled_from("abcdefgh"), min_size=4, max_size=30))
    other = list(words)
    for _ in range(draw(st.integers(0, 6))):
        place = draw(st.integers(0, len(other)))
        other[place : place + draw(st.integers(0, 1))] = draw(st.lists(st.sampled_from("abcdefghx"), max_size=1))
    around = st.lists(st.sampled_from("abcxyz"), max_size=10)
    return " ".join(words), " ".join([*draw(around), *other, *draw(around)])


@given(edited())
def test_no_near_duplicate_is_missed_and_nothing_else_found(pair: tuple[str, str]) -> None:
    """Counting shared runs before comparing changes nothing."""
    known, asked = pair
    # Of two as long, what is asked about counts as the part.
    shorter, longer = sorted((split_units(text, letter_table()) for text in (asked, known)), key=len)
    limit = len(shorter) // similar.EDIT_PER
    edits = count_edits(shorter, longer, limit)
    is_near = len(shorter) >= similar.SHORTEST_WORDS and edits <= limit
    found = [one for one in similar.Collection([known]).find(asked) if one[1] >= 0]
    assert found == ([(0, edits)] if is_near and "".join(known.split()) != "".join(asked.split()) else [])


@given(st.lists(st.sampled_from("abc"), max_size=8), st.lists(st.sampled_from("abc"), max_size=8))
def test_edits_are_those_to_the_nearest_stretch(pattern: list[str], text: list[str]) -> None:
    from rapidfuzz.distance import Levenshtein

    stretches = [text[i:j] for i in range(len(text) + 1) for j in range(i, len(text) + 1)]
    assert count_edits(pattern, text, 99) == min(Levenshtein.distance(pattern, one) for one in stretches)


@given(st.lists(st.sampled_from(["She", "goes", "home", "don't", "-", "我们"]), min_size=1, max_size=20), st.data())
def test_disguise_does_not_hide_a_copy(tokens: list[str], data: st.DataObject) -> None:
    text = " ".join(tokens)
    gap = data.draw(st.sampled_from([" ", " , ", "  "]))
    disguised = text.upper().replace(" ", gap) + data.draw(st.sampled_from([" !", "。", ""]))
    found = similar.Collection([text]).find(disguised)
    assert [edits < 0 for _, edits in found] == ([True] if any(map(str.isalnum, text)) else [])


def test_accents_may_be_composed_or_not() -> None:
    assert similar.Collection(["Café"]).find("Cafe\u0301") == [(0, SHORT)]
