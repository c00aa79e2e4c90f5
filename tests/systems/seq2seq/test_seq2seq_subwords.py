"""Subwords: nothing is lost where nothing changed, and any text can be spelt."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.errors import DataError
from errata.networks.tokenizer import learn_characters, learn_wordpieces, whole_tokens
from errata.systems.seq2seq.subwords import TextSubwords, learn_bytes

WORDS = Counter("the cat sat on the mat and the dog sat too , he said .".split())
ENGLISH = TextSubwords(learn_bytes(WORDS, 300), "en", 64)
CHINESE = TextSubwords(learn_characters(Counter("我他喜欢吃苹果。"), 30), "zh", 64)
WORDPIECES = TextSubwords(learn_wordpieces(WORDS, 80, lowercase=True), "en", 64)

token = st.text(st.characters(exclude_categories=("Z", "C")), min_size=1, max_size=8)


@given(st.lists(token, max_size=12))
def test_byte_subwords_spell_any_text(tokens: list[str]) -> None:
    spelt = ENGLISH.spell(ENGLISH.body(tokens), [])
    assert spelt is not None
    assert spelt.tokens == tuple(tokens)
    assert len(spelt.ranges) == len(tokens)


@given(st.lists(token, max_size=12))
@pytest.mark.parametrize("subwords", [ENGLISH, WORDPIECES], ids=["bytes", "word pieces"])
def test_a_copy_gives_the_source_back(subwords: TextSubwords, tokens: list[str]) -> None:
    if any(len(list(subwords._units(subwords.unit(one)))) != 1 for one in tokens):
        return  # a token that word pieces cut in several words has no copy
    spelt = subwords.spell(subwords.body(tokens), tokens)
    assert spelt is not None and spelt.tokens == tuple(tokens)


@pytest.mark.parametrize("subwords", [ENGLISH, WORDPIECES, CHINESE])
def test_marks_that_somebody_writes_are_letters(subwords: TextSubwords) -> None:
    assert not {subwords.end, subwords.pad} & set(subwords.body(["[SEP]", "[PAD]"]))


def test_unknown_characters_are_copied_and_new_ones_refused() -> None:
    source = tuple("他喜欢鑫。")
    spelt = CHINESE.spell(CHINESE.body("我喜欢鑫。"), source)
    assert spelt is not None and spelt.tokens == tuple("我喜欢鑫。")
    assert CHINESE.spell(CHINESE.body("喜欢鑫"), tuple("喜欢")) is None


def test_case_that_the_tokenizer_forgets_is_copied() -> None:
    spelt = WORDPIECES.spell(WORDPIECES.body("the Dog sat".split()), "The dog sat".split())
    assert spelt is not None and spelt.tokens == ("The", "dog", "sat")


def test_learning_subwords_is_reproducible() -> None:
    again = learn_bytes(Counter(dict(reversed(WORDS.items()))), 300)
    assert again.to_str() == ENGLISH.tokenizer.to_str()


def test_a_tokenizer_without_an_end_mark_is_refused() -> None:
    from tokenizers import Tokenizer, models

    with pytest.raises(DataError, match="no end mark"):
        TextSubwords(Tokenizer(models.WordLevel({"a": 0, "[PAD]": 1, "[UNK]": 2}, unk_token="[UNK]")), "en", 64)


@pytest.mark.parametrize(
    ("source", "answer", "wanted"),
    [
        ("The dog sat .", "the cat sat .", "The cat sat ."),  # a word for a word
        ("Teh dog sat .", "the dog sat .", "The dog sat ."),  # the capital of the word that is replaced
        ("TEH DOG sat .", "the dog sat .", "THE DOG sat ."),
        ("Dog sat on mat .", "the dog sat on the mat .", "The Dog sat on the mat ."),  # Dog may be a name
        ("The cat and dog sat .", "the cat and the dog sat .", "The cat and the dog sat ."),  # not The
        ("And the dog sat .", "the dog sat .", "The dog sat ."),  # what comes first now
        ("I sat .", "he sat .", "He sat ."),
        ("too I sat .", "too he sat .", "too he sat ."),  # I has its capital from nowhere
        ("the cat , sat .", "the cat sat .", "the cat sat ."),
    ],
)
def test_new_words_get_the_case_of_those_they_replace(source: str, answer: str, wanted: str) -> None:
    spelt = WORDPIECES.spell(WORDPIECES.body(answer.split()), source.split())
    assert spelt is not None and " ".join(spelt.tokens) == wanted


@given(st.lists(st.sampled_from(sorted(WORDS)), max_size=8), st.lists(st.sampled_from(sorted(WORDS)), max_size=8))
def test_an_answer_is_spelt_as_it_is_but_for_case(source: list[str], answer: list[str]) -> None:
    cased = [word.capitalize() if place % 3 == 0 else word for place, word in enumerate(source)]
    spelt = WORDPIECES.spell(WORDPIECES.body(answer), cased)
    assert spelt is not None and [token.lower() for token in spelt.tokens] == answer


WHOLE = TextSubwords(whole_tokens(learn_wordpieces(WORDS, 80, lowercase=True)), "en", 64)
UNKNOWN = "王小明"


@pytest.mark.parametrize(
    ("source", "answer", "wanted"),
    [
        ("the 王小明 sat .", "the 王小明 sat too .", "the 王小明 sat too ."),
        ("the 王小明 and 李雷 sat .", "the 王小明 and 李雷 sat too .", "the 王小明 and 李雷 sat too ."),
        ("the 王小明 and 李雷 sat .", "the and 李雷 sat .", None),  # which of the two?
        ("the 王小明 sat .", "the 王小明 and 王小明 sat .", None),
        ("the cat sat .", "the 王小明 sat .", None),
        ("the ##s sat .", "the ##s sat too .", "the ##s sat too ."),
    ],
)
def test_words_that_nobody_knows_are_copied_or_the_answer_is_none(source: str, answer: str, wanted: str | None) -> None:
    spelt = WHOLE.spell(WHOLE.body(answer.split()), source.split())
    assert (spelt and " ".join(spelt.tokens)) == wanted


@given(st.lists(st.sampled_from([*sorted(WORDS), UNKNOWN, "##s", "n't", "李雷"]), max_size=8), st.data())
def test_unknown_words_are_never_exchanged(source: list[str], data: st.DataObject) -> None:
    answer = data.draw(st.permutations(source))
    spelt = WHOLE.spell(WHOLE.body(answer), source)
    strange = [token for token in source if token in (UNKNOWN, "李雷", "##s")]
    assert spelt is None or [token for token in spelt.tokens if token in (UNKNOWN, "李雷", "##s")] == strange
