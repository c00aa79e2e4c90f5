"""Patterns over characters: how they are read and matched, and what is said of faults."""

from __future__ import annotations

import pytest

from errata.edits.apply import apply_edits
from errata.errors import DataError
from errata.rules import RuleBook
from errata.rules.book import read_rules

HEAD = "rule test\nabout A slip.\nwrong 甲\nright 乙\nkeep 丙\n"


def book_of(*lines: str) -> RuleBook:
    text = "language zh\nWORDS: 春天 秋天\n" + HEAD + "\n".join(lines)
    return RuleBook(read_rules(text.splitlines(), "own.rules"))


@pytest.mark.parametrize(
    ("line", "source", "target"),
    [
        pytest.param("find [甲 > 乙]", "在甲处", "在乙处", id="word"),
        pytest.param("find [甲 > 乙]", "甲甲", "乙乙", id="every-time"),
        pytest.param("find 大|小 [甲 > ]", "小甲中甲", "小中甲", id="alternatives"),
        pytest.param("find WORDS [甲 > ]", "春天甲", "春天", id="class"),
        pytest.param("find 约 NUMBER 米 [左右 > ]", "约3.5万米左右", "约3.5万米", id="number"),
        pytest.param("find 约 很? [甲 > ]", "约甲约很甲", "约约很", id="optional"),
        pytest.param("find 约 ...3 [甲 > ]", "约一二三甲", "约一二三", id="gap"),
        pytest.param("find 约 ...3 [甲 > ]", "约一二三四甲", "约一二三四甲", id="gap-is-too-long"),
        pytest.param("find 约 ... [甲 > ]", "约一，甲", "约一，甲", id="gap-in-a-clause"),
        pytest.param("find 约 ,... [甲 > ]", "约一，甲", "约一，", id="gap-over-a-comma"),
        pytest.param("find 约 ,... [甲 > ]", "约一。甲", "约一。甲", id="gap-in-a-sentence"),
        pytest.param("find 约 ...9!不|没 [甲 > ]", "约不甲", "约不甲", id="gap-without-words"),
        pytest.param("find 使 !用 [甲 > ]", "使甲", "使", id="not-followed"),
        pytest.param("find [使 > ] !用|得", "使用使得使", "使用使得", id="not-followed-by-any"),
        pytest.param("find 大|即! [使 > ]", "大使即使使", "大使即使", id="not-preceded"),
        pytest.param("find ^ [甲 > ]", "甲，甲", "，甲", id="beginning"),
        pytest.param("find ^, [甲 > ]", "甲，甲乙甲", "，乙甲", id="beginning-of-a-clause"),
        pytest.param("find [甲 > ] $", "甲乙甲，甲", "甲乙，", id="end-of-a-clause"),
        pytest.param("find [甲 > ] $.", "甲，甲。”", "甲，。”", id="end"),
        pytest.param("find 甲 [ > 不] 在", "甲在", "甲不在", id="insertion"),
        pytest.param("find [甲 和|、 乙 > ~3~2~1]", "甲和乙，甲、乙", "乙和甲，乙、甲", id="copies"),
        pytest.param("find 甲 ， [乙 > ]", "甲,乙", "甲,", id="both-widths"),
    ],
)
def test_patterns(line: str, source: str, target: str) -> None:
    tokens = tuple(source)
    edits = [one.edit for one in book_of(line).propose(tokens)]
    assert "".join(apply_edits(tokens, edits)) == target


def test_exceptions_and_sentences_that_are_left_alone() -> None:
    book = book_of("find [甲 > 乙]", "skip 大 [甲]", "unless 丁 戊")
    assert [one.edit.start for one in book.propose(tuple("大甲小甲"))] == [3]
    assert book.propose(tuple("小甲丁")) == []


def test_edits_begin_and_end_with_tokens() -> None:
    book = book_of("find [甲 > 乙]")
    assert book.propose(("大甲", "小")) == []
    [found] = book.propose(("ab", "甲"))
    assert (found.edit.start, found.edit.end, found.around) == (1, 2, (1, 2))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("language fr", "own.rules:1: there are no rules about 'fr': choose en, zh"),
        ("A: b\nlanguage zh", "own.rules:2: the language stands once, at the beginning of the file"),
        ("language zh\n" + HEAD + "find 甲 > 乙", "own.rules:7: mark what is replaced, once"),
        ("language zh\n" + HEAD + "find [UNHEARD > 乙]", "own.rules:7: there is no class UNHEARD"),
        ("language zh\n" + HEAD + "find [甲 > ~2]", "own.rules:7: ~2 copies an element that is not in the brackets"),
        ("language zh\n" + HEAD + "find [NUMBER > 乙]", "own.rules:7: a pattern needs a word that must be there"),
        ("language zh\n" + HEAD + "find 甲 ...99 [乙 > ]", "own.rules:7: a gap has at most 80 characters"),
    ],
)
def test_faults_name_the_line(text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        RuleBook(read_rules(text.splitlines(), "own.rules"))
