"""The Chinese rules that come with errata: odd sentences, and that they touch nothing else."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.rules import load_rules
from errata.text.spacing import LAYOUTS

BOOK = load_rules("zh")


def test_rules_have_words_of_their_own() -> None:
    assert len({rule.about for rule in BOOK.rules}) == len(BOOK.rules)


@pytest.mark.parametrize(
    ("text", "corrected"),
    [
        pytest.param("", "", id="empty"),
        pytest.param("约", "约", id="one-character"),
        pytest.param("😀大约300米左右。😀", "😀大约300米。😀", id="emoji"),
        pytest.param("👨‍👩‍👧‍👦大约300米左右", "👨‍👩‍👧‍👦大约300米", id="characters-of-several-signs"),
        pytest.param("iPhone 大约 300 米 左右。", "iPhone 大约 300 米 。", id="spaces-stay"),
        pytest.param("通过这次活动,使我们明白了.", "通过这次活动,我们明白了.", id="ascii-marks"),
        pytest.param("大约３００米左右", "大约３００米", id="full-width-digits"),
        pytest.param("大约三百米。左右为难。", "大约三百米。左右为难。", id="over-a-full-stop"),
        pytest.param("大约三百米，左右都行。", "大约三百米，左右都行。", id="over-a-comma"),
        pytest.param("It is about 300 m long.", "It is about 300 m long.", id="english"),
        pytest.param("大约300米左右，超过500人以上。", "大约300米，超过500人。", id="two-slips"),
        pytest.param("我门走把！", "我们走吧！", id="learner-slips"),
        pytest.param("妈妈说“你去吧。”", "妈妈说：“你去吧。”", id="speech"),
        pytest.param("妈妈说“去”。你去吧。", "妈妈说“去”。你去吧。", id="speech-ends-before-the-stop"),
    ],
)
def test_odd_sentences(text: str, corrected: str, correct) -> None:
    assert correct(text, "zh") == corrected


PIECES = sorted(
    {piece for rule in BOOK.rules for example in rule.examples for piece in example.wrong.replace("，", " ").split()}
)
TEXTS = st.lists(
    st.sampled_from([*PIECES, *"，。！？；,.!?大约左右使不的以上近 \n", "😀", "ab", "300", "👨‍👩‍👧"]), max_size=8
).map("".join)


@given(TEXTS)
def test_edits_are_in_order_and_apart(find, text: str) -> None:
    end = 0
    for edit in find(text, "zh"):
        assert end <= edit.start <= edit.end <= len(text)
        assert text[edit.start : edit.end] != edit.replacement
        end = edit.end


@given(TEXTS)
def test_every_edit_stands_where_its_rule_found_it(text: str) -> None:
    tokens = tuple(text[a:b] for a, b in LAYOUTS["zh"].spans(text))
    for one in BOOK.propose(tokens):
        assert one.around is not None
        first, last = one.around
        assert first <= one.edit.start <= one.edit.end <= last
        # A pattern may end with the mark at the end of a sentence, but goes no further.
        assert not set("。！？；!?;") & set("".join(tokens[first : last - 1]))


@pytest.mark.parametrize(
    "text", ["大约" * 40_000, "通过，" * 30_000, "是由于" * 30_000, "从这里，给了" * 20_000, "近3" * 50_000]
)
def test_long_texts_take_little_time(text: str) -> None:
    begun = time.perf_counter()
    BOOK.propose(tuple(text))
    assert time.perf_counter() - begun < 20
