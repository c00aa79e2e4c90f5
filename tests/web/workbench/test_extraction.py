"""Edits for people: tokens, spans of characters, [MC] as one token, the same edits as the scorers'."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.edits.base import get_extractor
from errata.web.workbench.extraction import Extraction, ShownEdit, edits_json

EXTRACTION = Extraction()
WORDS = st.sampled_from("He go goes home the a [MC] . , don't 😀 café 我 [缺失成分]".split())
SPACES = st.sampled_from(["", " ", " ", " ", "  ", "\u00a0"])


@st.composite
def texts(draw: st.DrawFn) -> str:
    pairs = draw(st.lists(st.tuples(WORDS, SPACES), max_size=8))
    return "".join(word + space for word, space in pairs).strip()


@pytest.mark.parametrize(
    ("language", "source", "target", "is_tokenised", "expected"),
    [
        ("en", "He go home.", "He goes home.", False, [(3, 5, "go", "goes", "R:VERB:SVA")]),
        ("en", "He go home .", "He goes home .", True, [(3, 5, "go", "goes", "R:VERB:SVA")]),
        ("en", "I saw in it.", "I saw [MC] in it.", False, [(6, 6, "", "[MC]", "M:OTHER")]),
        ("en", "He sleep.", "He sleep.", False, []),
        ("en", "He  sleep.", "He sleep.", False, []),
        ("zh", "我的爸爸经常我。", "我的爸爸经常[MC]我。", False, [(6, 6, "", "[MC]", "M")]),
        ("zh", "我爱 你门。", "我爱你们。", False, [(4, 5, "门", "们", "S")]),
        ("zh", "他很的高。", "他很高。", False, [(2, 3, "的", "", "R")]),
    ],
)
def test_edits(language: str, source: str, target: str, is_tokenised: bool, expected: list[tuple[object, ...]]) -> None:
    found = EXTRACTION.show(language, source, target, is_tokenised=is_tokenised)
    assert [(e.start, e.end, e.original, e.replacement, e.type) for e in found] == expected
    assert all(edit.description for edit in found)


def test_descriptions_are_in_the_language_of_the_page() -> None:
    [edit] = EXTRACTION.show("en", "He go home.", "He goes home.", is_tokenised=False, messages="zh")
    assert edit.description == "主谓一致"


@settings(max_examples=60, deadline=None)
@given(texts(), texts(), st.sampled_from(["en", "zh"]), st.booleans())
def test_edits_make_the_source_the_target(source: str, target: str, language: str, is_tokenised: bool) -> None:
    """Between the edits both texts have the same tokens, and each edit covers what it says in both."""
    found = EXTRACTION.show(language, source, target, is_tokenised=is_tokenised)
    place = target_place = 0
    for edit in [*found, ShownEdit(len(source), len(source), len(target), len(target), "", "", "", "")]:
        between, target_between = source[place : edit.start], target[target_place : edit.target_start]
        assert "".join(between.split()) == "".join(target_between.split())
        assert source[edit.start : edit.end] == edit.original
        assert target[edit.target_start : edit.target_end] == edit.replacement
        place, target_place = edit.end, edit.target_end
    assert len(edits_json(source, target, found)) == len(found)


@settings(max_examples=30, deadline=None)
@given(texts(), texts())
def test_tokenised_text_has_the_edits_of_the_scorer(source: str, target: str) -> None:
    [expected] = get_extractor("en", cache=False).annotate([(source, [target])])
    found = EXTRACTION.annotate("en", source, [target], is_tokenised=True)
    assert found.sentence.tokens == expected.sentence.tokens
    assert found.annotations[0].edits == expected.annotations[0].edits


def test_threads_find_the_same() -> None:
    pairs = [("en", f"He go to {n} home.", f"He goes to {n} homes.") for n in range(20)]
    pairs += [("zh", f"他很的{n}高。", f"他很{n}高。") for n in range(20)]

    def show(pair: tuple[str, str, str]) -> list[ShownEdit]:
        return EXTRACTION.show(*pair, is_tokenised=False)

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(show, pairs * 3))
    assert found == 3 * [Extraction().show(*pair, is_tokenised=False) for pair in pairs]
