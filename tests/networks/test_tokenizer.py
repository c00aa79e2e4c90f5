"""Tokenizers with fewer subwords, and such as cut no token at its signs."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, processors

from errata.errors import DataError
from errata.networks.tokenizer import MARKS, encode_word, keep_pieces, learn_characters, learn_wordpieces, whole_tokens

WORDS = Counter("the cat sat on the mat and the other cats sat there too , he does n't say so .".split())
LEARNT = learn_wordpieces(WORDS, 120, lowercase=True)
LETTERS = set("abcdefghijklmnopqrstuvwxyz")


def pieces(tokenizer: Tokenizer, word: str) -> list[str]:
    return [tokenizer.id_to_token(number) for number in encode_word(tokenizer, word, "test")]


def test_a_token_is_cut_into_pieces_of_one_word() -> None:
    assert "'" in pieces(LEARNT, "n't")
    assert pieces(whole_tokens(LEARNT), "n't") == ["n", "##'", "##t"]
    assert "'" in pieces(LEARNT, "n't")  # the tokenizer that was given stays as it is


def test_the_most_frequent_pieces_are_kept() -> None:
    fewer = keep_pieces(LEARNT, WORDS, 70)
    assert fewer.get_vocab_size() <= 70
    assert pieces(fewer, "the") == ["the"]
    assert "".join(pieces(fewer, "others")).replace("##", "") == "others"


@given(st.text(sorted(LETTERS & set("".join(WORDS))), min_size=1, max_size=12))
def test_any_word_can_still_be_written(word: str) -> None:
    fewer = keep_pieces(LEARNT, WORDS, 1)
    assert "".join(pieces(fewer, word)).replace("##", "") == word


@pytest.mark.parametrize("marks", ["template", "bert"])
def test_marks_get_their_new_numbers(marks: str) -> None:
    tokenizer = Tokenizer.from_str(LEARNT.to_str())
    if marks == "bert":
        ends = [(mark, tokenizer.token_to_id(mark)) for mark in ("[SEP]", "[CLS]")]
        tokenizer.post_processor = processors.BertProcessing(*ends)
    described = json.loads(tokenizer.to_str())
    order = [text for text in described["model"]["vocab"] if text not in MARKS]
    described["model"]["vocab"] = {text: number for number, text in enumerate([*order, *MARKS])}
    ends = {text: described["model"]["vocab"][text] for text in ("[CLS]", "[SEP]")}
    step = described["post_processor"]
    if marks == "bert":
        step |= {"sep": ["[SEP]", ends["[SEP]"]], "cls": ["[CLS]", ends["[CLS]"]]}
    else:
        step["special_tokens"] = {
            text: {"id": text, "ids": [number], "tokens": [text]} for text, number in ends.items()
        }
    described["added_tokens"] = []
    tokenizer = Tokenizer.from_str(json.dumps(described))
    fewer = keep_pieces(tokenizer, WORDS, 60)
    encoded = fewer.encode("the")
    assert encoded.tokens[0] == "[CLS]" and encoded.tokens[-1] == "[SEP]"
    assert [fewer.id_to_token(number) for number in encoded.ids] == encoded.tokens


def test_a_tokenizer_of_another_kind_is_refused() -> None:
    with pytest.raises(DataError, match="kind WordLevel cannot do with fewer subwords"):
        keep_pieces(learn_characters(Counter("我他"), 10), Counter(), 5)
