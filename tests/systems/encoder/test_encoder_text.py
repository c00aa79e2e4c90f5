"""From plain text to inputs: words by the longest match from the right, characters, paragraphs, blocks."""

from __future__ import annotations

import lzma
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.errors import DataError
from errata.networks.subwords import Subwords
from errata.networks.tokenizer import learn_characters, learn_wordpieces
from errata.systems.encoder.blocks import (
    code_points,
    count_characters,
    count_words,
    cut_blocks,
    read_chunks,
    stream_characters,
    stream_wordpieces,
)
from errata.systems.encoder.examples import hold_out
from errata.systems.encoder.words import WordList, read_words
from errata.text.tokens import split_characters

LISTED = ("图书", "图书馆", "书馆", "馆里", "我们", "中华人民", "人民", "甲乙丙丁戊", "甲乙丙丁戊己", "x光", "的")
WORDS = WordList(LISTED)


def cut(text: str, words: WordList = WORDS) -> list[str]:
    """The words of one line, as the arrays have them."""
    starts = [*np.flatnonzero(words.starts(code_points([text + "\n"]))), len(text) + 1]
    return [text[a:b] for a, b in pairwise(starts) if text[a:b]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ""),
        ("我", "我"),
        ("我们", "我们"),
        ("在图书馆里", "在 图书 馆里"),  # from the right
        ("在图书馆。", "在 图书馆 。"),
        ("甲乙丙丁戊己", "甲乙丙丁戊 己"),  # the word of six is longer than any that is looked for
        ("abc1的iPhone 15，我们", "abc1 的 iPhone 15 ， 我们"),
        ("我们\u3000们我", "我们 们 我"),
        ("𠀀𠀁我们", "𠀀 𠀁 我们"),
        ("！！？", "！ ！ ？"),
    ],
)
def test_words(text: str, words: str) -> None:
    assert [word for word in cut(text) if word.strip()] == words.split()


def from_the_right(text: str, listed: set[str]) -> list[str]:
    """The obvious version, for Chinese characters alone."""
    found: list[str] = []
    while text:
        length = next((n for n in range(min(5, len(text)), 1, -1) if text[-n:] in listed), 1)
        found.insert(0, text[-length:])
        text = text[:-length]
    return found


@given(
    st.lists(st.text("天地人你我", min_size=2, max_size=5), max_size=60),
    st.text("天地人你我", max_size=40),
)
def test_arrays_find_what_the_obvious_version_finds(listed: list[str], text: str) -> None:
    assert cut(text, WordList(listed)) == from_the_right(text, set(listed))


def test_jieba_has_the_words_by_default(tmp_path: Path) -> None:
    assert cut("支队领导严格按照有关规定处理", read_words(None)) == "支队 领导 严格 按照 有关 规定 处理".split()
    (tmp_path / "words.txt").write_text("格按 3 n\n\n支队\n", encoding="utf-8")
    assert cut("支队严格按照", read_words(tmp_path / "words.txt")) == "支队 严 格按 照".split()


def test_no_word_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("errata.systems.encoder.words.package_folders", lambda name: [])
    with pytest.raises(DataError, match=r"data\.words: a list of Chinese words is needed where jieba is not installed"):
        read_words(None)


def characters(text: str, size: int = 500, positions: int = 12) -> Subwords:
    return Subwords(learn_characters(count_characters([[text]]), size), positions)


def spelt(ids: np.ndarray, subwords: Subwords) -> str:
    return "".join(subwords.tokenizer.id_to_token(int(number)) for number in ids)


def test_paragraphs_are_joined_and_cut(tmp_path: Path) -> None:
    text = "\ufeff我们去图书馆。\r\n\n \u3000\n第二\t段 落，很长很长的。\n末"
    subwords = characters(text)
    (tmp_path / "b.txt").write_text(text, encoding="utf-8")
    (tmp_path / "a.txt.xz").write_bytes(lzma.compress("先读。".encode()))
    (tmp_path / "counts.json").write_text("{}", encoding="utf-8")
    packed = cut_blocks(stream_characters(read_chunks([tmp_path]), subwords, WORDS), subwords, 12)
    assert [spelt(row, subwords) for row in packed["ids"]] == [
        "[CLS][UNK][UNK]。[SEP]我们去图书馆[SEP]",
        "[CLS]。[SEP]第二段落，很长很[SEP]",
    ]
    bits = np.unpackbits(packed["starts"], axis=1, count=12)
    assert bits.tolist()[0] == [1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 0, 1]
    assert packed["ids"].dtype == np.uint16


@given(st.lists(st.text("我们图书馆。a1 \u3000\t😀\u0301", max_size=12), max_size=8))
def test_a_tagger_reads_the_same_subwords(lines: list[str]) -> None:
    subwords = characters("我们图书馆。a1")
    stream = stream_characters([[line + "\n" for line in lines]], subwords, WORDS)
    found = [int(number) for ids, _ in stream for number in ids]
    expected: list[int] = []
    for line in lines:
        if tokens := split_characters(line):
            expected += [*subwords.encode(tokens[:10]).ids[1:-1], *subwords.encode(tokens[10:]).ids[1:-1], subwords.end]
    assert found == expected


def test_english_words_are_whole() -> None:
    lines = ["Unbelievable schools, really.\n", "\n", "A second school\n"]
    subwords = Subwords(learn_wordpieces(count_words([lines]), 120), 12)
    ((ids, starts),) = stream_wordpieces([[*lines, "seconds\n"]], subwords)
    pieces = [subwords.tokenizer.id_to_token(int(number)) for number in ids]
    assert [not piece.startswith("##") for piece in pieces] == starts.tolist()
    assert "".join(pieces).replace("##", "") == "Unbelievableschools,really.[SEP]Asecondschool[SEP]seconds[SEP]"
    assert any(piece.startswith("##") for piece in pieces)


@pytest.mark.parametrize(("n_blocks", "n_dev", "held"), [(100, 5, 5), (100, 0, 0), (30, 50, 3), (5, 2, 0)])
def test_held_out_inputs_are_not_trained_on(n_blocks: int, n_dev: int, held: int) -> None:
    train, dev = hold_out(n_blocks, n_dev)
    assert len(dev) == held and sorted([*train, *dev]) == list(range(n_blocks))
