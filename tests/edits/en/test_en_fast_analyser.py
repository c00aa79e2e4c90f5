"""The fast analyser gives spaCy's answers, column by column."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.edits.en.analysis import Analysis
from errata.edits.en.spacy_analyser import SpacyAnalyser

pytest.importorskip("errata.edits.en._parse_c", reason="the compiled parser is not built: spaCy does its work")

from errata.edits.en.fast_analyser import FastAnalyser
from errata.edits.en.model_files import StringNumbers, Unsupported, read_model
from errata.edits.en.network import word_shape

SENTENCES = """
The cat sat on the mat .
Whom did you say that she thinks he will give the book to ?
There 's nothing in the box , is n't there ? No , there ai n't .
I 'm gonna go , and y' all gon na come ; let 's do it , c'm on !
What are you looking at ? The man I talked to yesterday has had his house painted .
MARK the case of NOUN and VERB : dep , punct , attr , prep and DATE are words here .
" Quoted ” text – with — dashes … and ‘ curly ’ quotes « here » ; 100 % of $ 5 or € 7,000.50 .
He does n't have any1 to do it for him but did have to .
a
.
mice men oxen better best worst further lying dying tied went gone
DementiaToday,2012 .Although http://example.com/a?b=c user@example.com #tag @name :-) C++ 中文 日本語 😀 naïve Straße
If I were you , I would have been being seen by them all , had they been there .
A hearing is scheduled on the issue today . Another one will follow , they said , that nobody wanted .
""".strip().splitlines()


@pytest.fixture(scope="module")
def fast() -> FastAnalyser:
    return FastAnalyser()


def differing(found: list[Analysis], expected: list[Analysis]) -> list[tuple[Analysis, Analysis]]:
    return [(a, b) for a, b in zip(found, expected, strict=True) if a != b]


def test_own_sentences(fast: FastAnalyser, spacy_analyser: SpacyAnalyser) -> None:
    sentences = [line.split() for line in SENTENCES]
    assert not differing(fast.analyse(sentences), spacy_analyser.analyse(sentences))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(" ".join(SENTENCES).split()), max_size=25))
def test_word_salad(fast: FastAnalyser, spacy_analyser: SpacyAnalyser, words: list[str]) -> None:
    assert not differing(fast.analyse([words]), spacy_analyser.analyse([words]))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=12).filter(lambda word: not any(map(str.isspace, word))), max_size=8))
def test_any_word(fast: FastAnalyser, spacy_analyser: SpacyAnalyser, words: list[str]) -> None:
    words = [word for word in words if word.isprintable()]
    assert not differing(fast.analyse([words]), spacy_analyser.analyse([words]))


def test_a_sentence_does_not_depend_on_its_neighbours(fast: FastAnalyser) -> None:
    sentences = [line.split() for line in SENTENCES]
    alone = [fast.analyse([sentence])[0] for sentence in sentences]
    assert fast.analyse(sentences) == alone


def test_empty(fast: FastAnalyser) -> None:
    assert fast.analyse([]) == []
    assert [len(one) for one in fast.analyse([[], ["a"], []])] == [0, 1, 0]


def test_string_numbers_are_spacys() -> None:
    from spacy.strings import get_string_id
    from spacy.symbols import IDS

    numbers = StringNumbers()
    for string in [*IDS, "cat", "Mitchell's", "ß" * 40, "a", "abcdefg", "abcdefgh", "中文"]:
        if string:
            assert numbers[string] == get_string_id(string), string


@pytest.mark.parametrize("word", ["Mitchell's", "ABCDEFG", "aB1", "11111", "x" * 100, "naïve", "中文", "....."])
def test_word_shape_is_spacys(word: str) -> None:
    from spacy.lang.lex_attrs import word_shape as spacys

    assert word_shape(word) == spacys(word)


def test_another_model_is_left_to_spacy() -> None:
    with pytest.raises(Unsupported):
        read_model("errata")


@pytest.mark.data
@pytest.mark.slow
def test_real_sentences(fast: FastAnalyser, spacy_analyser: SpacyAnalyser, oracles: Path) -> None:
    lines = (oracles / "errant" / "GPT-3.5.hyp.txt").read_text("utf-8").splitlines()[:500]
    sentences = [line.split() for line in lines]
    assert not differing(fast.analyse(sentences), spacy_analyser.analyse(sentences))
