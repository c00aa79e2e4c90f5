"""Alignment: the compiled twin equals the plain one, and both do what ERRANT does in the known traps."""

from __future__ import annotations

import pytest
from english_cases import make_analysis
from hypothesis import given
from hypothesis import strategies as st

from errata.edits.en import align as module
from errata.edits.en.align import align_plain
from errata.edits.en.analysis import Analysis

WORDS = ["a", "A", "b", "cat", "Cat", "cats", "cast", "the", "The", ",", ".", "'s", "wäre", "中", "😀", "running"]
POS = ["NOUN", "VERB", "ADJ", "DET", "AUX"]

ALIGNERS = [align_plain]
if hasattr(module, "align_steps"):
    ALIGNERS.append(module.align_compiled)


def ops(source: str, target: str, aligner: object, **options: bool) -> str:
    steps = aligner(make_analysis(source.split()), make_analysis(target.split()), **options)  # type: ignore[operator]
    return " ".join(step.op for step in steps)


@pytest.mark.parametrize("aligner", ALIGNERS)
@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("", "", ""),
        ("", "a b", "I I"),
        ("a b", "", "D D"),
        ("a", "a", "M"),
        ("a b c", "a c", "M D M"),
        ("a c", "a b c", "M I M"),
        ("cat sat", "Cat sat", "S M"),
        ("a b", "b a", "T2"),
        ("a b c", "c a b", "T3"),
        ("A b", "b a", "T2"),
        pytest.param("a a c", "a d", "D M S", id="equal beginnings need not match"),
        ("x b a y", "x a b y", "M T2 M"),
    ],
)
def test_steps(aligner: object, source: str, target: str, expected: str) -> None:
    assert ops(source, target, aligner) == expected


@pytest.mark.parametrize("aligner", ALIGNERS)
def test_levenshtein_knows_no_reordering(aligner: object) -> None:
    assert ops("a b", "b a", aligner, levenshtein=True) == "S S"


@pytest.mark.parametrize("aligner", ALIGNERS)
def test_a_lemma_is_nearer_than_similar_letters(aligner: object) -> None:
    source = make_analysis(["went"], "VERB", "go")
    target = make_analysis(["gone", "wine"], "VERB VERB", "go wine")
    steps = aligner(source, target)  # type: ignore[operator]
    assert [step.op for step in steps] == ["S", "I"]


@st.composite
def analyses(draw: st.DrawFn) -> Analysis:
    words = draw(st.lists(st.sampled_from(WORDS), max_size=9))
    pos = [draw(st.sampled_from(POS)) for _ in words]
    lemmas = [draw(st.sampled_from([word.lower(), word[0]])) for word in words]
    return make_analysis(words, " ".join(pos), " ".join(lemmas))


@pytest.mark.skipif(len(ALIGNERS) == 1, reason="the compiled aligner is not built, or ERRATA_PURE is set")
@given(analyses(), analyses(), st.booleans())
def test_compiled_equals_plain(source: Analysis, target: Analysis, levenshtein: bool) -> None:
    expected = align_plain(source, target, levenshtein=levenshtein)
    assert module.align_compiled(source, target, levenshtein=levenshtein) == expected


@given(analyses(), st.randoms(use_true_random=False))
def test_steps_cover_both_sides(source: Analysis, random: object) -> None:
    words = list(source.words)
    random.shuffle(words)  # type: ignore[attr-defined]
    target = make_analysis(words)
    steps = module.align(source, target)
    assert [i for step in steps for i in range(step.start, step.end)] == list(range(len(source)))
    assert [i for step in steps for i in range(step.target_start, step.target_end)] == list(range(len(target)))
