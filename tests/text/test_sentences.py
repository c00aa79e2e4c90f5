from __future__ import annotations

import random
import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.text.language import identify_language
from errata.text.sentences import (
    BLOCK,
    CLAUSE_TOKENS,
    LONGEST_MARKS,
    LONGEST_RUN,
    LONGEST_SENTENCE,
    clause_spans,
    cut_long,
    prose_spans,
    sentence_spans,
)

# Phrases as people write them who use no marks; the prose is as long as a whole number of blocks.
PHRASES = (
    *("今天早上下了一场大雨", "我和弟弟没有带伞", "所以我们跑到车站的时候", "衣服全都湿透了", "后来公共汽车来了"),
    *("司机看见我们冷得发抖", "就把暖气开得很大", "车上的老奶奶还给了我们两块糖", "回到家里妈妈已经做好晚饭"),
    *(
        "她听完这件事笑着说",
        "世界上还是好人多",
        "从那以后我每次出门",
        "都会先看一看天气预报",
        "2023年冬天我又遇见那位司机",
    ),
)
HAN_PROSE = "".join(PHRASES)[:BLOCK]


@pytest.mark.parametrize(
    ("language", "text", "sentences"),
    [
        ("en", "", []),
        ("en", "  \n ", []),
        ("en", "Mr. Smith left. He ran!", ["Mr. Smith left.", "He ran!"]),
        ("en", "J. K. Rowling wrote it.", ["J. K. Rowling wrote it."]),
        ("en", 'He said "Hi!" Then left.', ['He said "Hi!"', "Then left."]),
        ("en", "It cost 3.5 dollars. 10 of us paid.", ["It cost 3.5 dollars.", "10 of us paid."]),
        ("en", "one\r\ntwo", ["one", "two"]),
        ("zh", "你好。“他来了！”我说……好吧", ["你好。", "“他来了！”", "我说……", "好吧"]),
    ],
)
def test_sentences(language: str, text: str, sentences: list[str]) -> None:
    assert [text[a:b] for a, b in sentence_spans(text, language)] == sentences


@given(st.text(alphabet="aA.!?。！\n \"'“”"), st.sampled_from(["en", "zh"]))
def test_sentences_hold_everything_visible(text: str, language: str) -> None:
    spans = sentence_spans(text, language)
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())


@pytest.mark.parametrize("piece", [".", "! ", "。", "A. ", "…"])
def test_a_megabyte_of_punctuation_is_quick(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    start = time.perf_counter()
    sentence_spans(text, "en")
    sentence_spans(text, "zh")
    assert time.perf_counter() - start < 15


@pytest.mark.parametrize(
    ("language", "text", "prose"),
    [
        ("en", "She go home.", ["She go home."]),
        ("en", "a-" * LONGEST_RUN, []),
        ("en", f"She go {'a' * LONGEST_RUN} home.", ["She go ", " home."]),
        ("en", f"She go {'a' * (LONGEST_RUN - 1)} home.", [f"She go {'a' * (LONGEST_RUN - 1)} home."]),
        ("zh", "我在学校，" * LONGEST_RUN, ["我在学校，" * LONGEST_RUN]),
        ("zh", "中" * LONGEST_RUN, []),
        ("zh", "中" * (LONGEST_RUN + 99), []),
        ("zh", "大中小" * LONGEST_RUN, []),
        ("zh", "中a" * LONGEST_RUN, []),
        ("zh", "中" * (LONGEST_RUN - 1), ["中" * (LONGEST_RUN - 1)]),
        ("zh", f"{'a' * LONGEST_RUN}{'中' * LONGEST_RUN}我在学校，", ["，"]),
        ("zh", HAN_PROSE * 20, [HAN_PROSE * 20]),
        ("zh", f"{'中' * LONGEST_RUN}{HAN_PROSE * 20}", [HAN_PROSE * 20]),
        ("zh", f"我在{'a' * LONGEST_RUN}学校", ["我在", "学校"]),
        ("zh", f"我在{'б' * LONGEST_RUN}学校", ["我在", "学校"]),
        ("zh", f"我在{'，' * LONGEST_MARKS}学校", ["我在", "学校"]),
        ("zh", f"我在{'a-' * LONGEST_RUN}学校", ["我在", "学校"]),
        ("en", " " * 5000, []),
    ],
)
def test_what_goes_on_without_a_space_is_no_prose(language: str, text: str, prose: list[str]) -> None:
    assert [text[a:b] for a, b in prose_spans(text, (0, len(text)), language)] == prose


@given(st.lists(st.sampled_from(["a", ","]), max_size=60), st.integers(1, 9))
def test_long_token_lists_are_cut_without_loss(tokens: list[str], limit: int) -> None:
    ranges = cut_long(tokens, limit, lambda token: token == ",")
    assert [token for a, b in ranges for token in tokens[a:b]] == tokens
    assert all(b - a <= limit for a, b in ranges)


@given(
    st.lists(st.sampled_from(["a", "and", "我", "的，", ",", "x" * 1200]), max_size=900), st.sampled_from(["en", "zh"])
)
def test_clauses_hold_all_prose(words: list[str], language: str) -> None:
    text = " ".join(words)
    clauses = clause_spans(text, (0, len(text)), language)
    prose = prose_spans(text, (0, len(text)), language) if len(text) > LONGEST_SENTENCE else []
    assert _letters(text, clauses) == _letters(text, prose or [(0, len(text))])
    assert sorted(clauses) == clauses


@given(st.lists(st.permutations(PHRASES), min_size=4, max_size=40), st.integers(0, 120))
def test_nothing_of_han_text_without_marks_is_left_unread(texts: list[list[str]], n_dropped: int) -> None:
    text = "".join("".join(phrases) for phrases in texts)[n_dropped:]
    assert prose_spans(text, (0, len(text)), "zh") == [(0, len(text))]
    clauses = clause_spans(text, (0, len(text)), "zh")
    assert "".join(text[a:b] for a, b in clauses) == text
    assert len(text) <= LONGEST_SENTENCE or all(b - a <= 5 * CLAUSE_TOKENS["zh"] for a, b in clauses)


@pytest.mark.parametrize("unit", ["中", "中国", "中a", f"{'中' * 99}国", "天地玄黄宇宙洪荒", HAN_PROSE])
def test_a_megabyte_of_han_without_marks_is_quick(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    start = time.process_time()
    clause_spans(text, (0, len(text)), "zh")
    assert time.process_time() - start < 15


def _letters(text: str, spans: list[tuple[int, int]]) -> str:
    return "".join("".join(text[a:b].split()) for a, b in spans)


def test_a_long_sentence_is_cut_into_clauses() -> None:
    text = "we saw that the dog and the cat go home " * 100
    whole = 0, len(text)
    assert clause_spans(text[:LONGEST_SENTENCE], (0, LONGEST_SENTENCE), "en") == [(0, LONGEST_SENTENCE)]
    clauses = [text[a:b] for a, b in clause_spans(text, whole, "en")]
    assert " ".join(clauses) == text.strip()
    assert all(len(clause.split()) <= CLAUSE_TOKENS["en"] for clause in clauses)
    assert {clause.split()[0] for clause in clauses[1:]} <= {"that", "and"}
    which = text.replace("that", "which")
    assert {which[a:b].split()[0] for a, b in clause_spans(which, (0, len(which)), "en")[1:]} == {"which"}


@pytest.mark.parametrize(("language", "marks"), [("en", ""), ("en", ","), ("zh", "，")])
def test_after_a_change_most_clauses_are_the_same(language: str, marks: str) -> None:
    rng = random.Random(7)
    letters = string.ascii_lowercase if language == "en" else "的一是不了人我在有他这为之大来以个中上们"
    words = ["".join(rng.choices(letters, k=rng.randint(2, 6))) + marks * (rng.random() < 0.05) for _ in range(5000)]
    joined = " " if language == "en" else ""

    def clauses(words: list[str]) -> set[str]:
        text = joined.join(words)
        return {text[a:b] for a, b in clause_spans(text, (0, len(text)), language)}

    before = clauses(words)
    for place in (0, 10, 2500, 4999):
        after = clauses([*words[:place], "了new" if language == "zh" else "new", *words[place:]])
        assert len(before & after) > 0.9 * len(before)


@pytest.mark.parametrize(
    ("text", "language"),
    [("Hello there", "en"), ("我在 Google 工作", "zh"), ("123 🙂", "en"), ("The word 好 means good", "en")],
)
def test_language(text: str, language: str) -> None:
    assert identify_language(text) == language
