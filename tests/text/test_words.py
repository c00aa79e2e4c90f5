from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.text.words import character_spans, piece_spans, tokenise_words, word_spans


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ""),
        ("I don't know, isn't it?", "I do n't know , is n't it ?"),
        ("It's Mr. Smith's car.", "It 's Mr. Smith 's car ."),
        ("can't cannot won’t", "ca n't can not wo n’t"),
        ("a well-known U.S. firm", "a well - known U.S. firm"),
        ("$1,000.50 at 10:30, the 3rd", "$ 1,000.50 at 10:30 , the 3rd"),
        ("see http://a.b/c). Or www.x.org!", "see http://a.b/c ) . Or www.x.org !"),
        ("me@x.org snake_case O'Brien", "me@x.org snake_case O'Brien"),
        ("wait... no -- yes!!!", "wait ... no -- yes !!!"),
        ("He said: “it’s 🙂”", "He said : “ it ’s 🙂 ”"),
        ("在Microsoft工作。", "在 Microsoft 工 作 。"),
        ("Hello,world;x=1", "Hello , world ; x = 1"),
        ("I said no. See no. 5, Fig. 2.", "I said no . See no. 5 , Fig. 2 ."),
        ("a cafe\u0301, nai\u0308ve", "a cafe\u0301 , nai\u0308ve"),
        ("ok 👍🏽 👩\u200d👧!", "ok 👍🏽 👩\u200d👧 !"),
    ],
)
def test_words(text: str, words: str) -> None:
    assert " ".join(tokenise_words(text)) == words


@given(st.text())
def test_every_visible_character_is_in_exactly_one_token(text: str) -> None:
    visible = "".join(text.split())
    for spans in (word_spans(text), character_spans(text), piece_spans(text)):
        assert "".join("".join(text[a:b].split()) for a, b in spans) == visible
        assert all(a < b for a, b in spans)
        assert all(left[1] <= right[0] for left, right in itertools.pairwise(spans))


@pytest.mark.parametrize("piece", ["1.", "a.", "a@", "a'", "-", "x.y@", "(", "a", "_", "1,1x", "http://"])
def test_a_megabyte_on_one_line_is_quick(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    start = time.perf_counter()
    word_spans(text)
    assert time.perf_counter() - start < 10
