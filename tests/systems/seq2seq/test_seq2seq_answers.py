"""Answers: which are corrections, what they change, how sure they are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.edits.apply import apply_edits
from errata.systems.seq2seq.answers import find_fault, longest_loop, propose_edits, split_sentences
from errata.systems.seq2seq.subwords import Spelt

words = st.lists(st.sampled_from("a b c the cat cats Cat , .".split()), max_size=12).map(tuple)


def spelt(tokens: tuple[str, ...]) -> Spelt:
    return Spelt(tokens, tuple((n, n + 1) for n in range(len(tokens))))


@given(words, words)
def test_the_edits_make_the_answer(source: tuple[str, ...], answer: tuple[str, ...]) -> None:
    chances = np.log(np.linspace(0.1, 0.9, len(answer) + 1))
    proposed = propose_edits(source, spelt(answer), chances)
    assert apply_edits(source, [one.edit for one in proposed]) == answer
    assert all(0 < one.confidence <= 1 for one in proposed)


@pytest.mark.parametrize(
    ("source", "answer", "confidence"),
    [
        ("he go home", "he goes home", 0.5),
        ("he he goes", "he goes", 0.5),  # the subword after the deletion
        ("he goes too", "he goes", 0.125),  # the end mark after it
        ("he goes", "he goes home now", 0.177),  # geometric mean of 0.25 and 0.125
    ],
    ids=["replace", "delete", "delete at the end", "insert"],
)
def test_confidence_comes_from_the_subwords_involved(source: str, answer: str, confidence: float) -> None:
    chances = np.log([1.0, 0.5, 0.25, 0.125, 1.0])
    if answer == "he goes":
        chances = np.log([1.0, 0.5, 0.125])
    (proposed,) = propose_edits(tuple(source.split()), spelt(tuple(answer.split())), chances)
    assert proposed.confidence == pytest.approx(confidence, abs=1e-3)


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ("a cat sat", None),
        ("", "empty"),
        ("a cat cat cat cat sat", "repeated"),
        ("a b a b a b a b", "repeated"),
        ("ha ha ha ha ha", None),  # the source says so too
        (None, "unreadable"),
    ],
)
def test_degenerate_answers(answer: str | None, fault: str | None) -> None:
    source = tuple("ha ha ha ha ha cat".split())
    if answer == "a cat cat cat cat sat":
        source = ("a", "cat", "sat")
    assert find_fault(None if answer is None else spelt(tuple(answer.split())), source) == fault


@pytest.mark.parametrize(
    ("tokens", "width", "loops"), [("", 1, 0), ("a b c", 1, 1), ("a a b", 1, 2), ("a b a b a b", 2, 3), ("a b a", 2, 1)]
)
def test_longest_loop(tokens: str, width: int, loops: int) -> None:
    assert longest_loop(tokens.split(), width) == loops


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        ("我来了", ["我来了"]),
        ("我来了。他走了！", ["我来了。", "他走了！"]),
        ("他说：“好。”我走了", ["他说：“好。”", "我走了"]),
        ("真的吗？！是的……好", ["真的吗？！", "是的……", "好"]),
        ("（注）我来了。", ["（注）我来了。"]),
    ],
)
def test_chinese_is_split_after_sentences(text: str, parts: list[str]) -> None:
    assert [text[a:b] for a, b in split_sentences(text)] == parts
