"""Slips of notation in rule files are refused with their line, and not read as text."""

from __future__ import annotations

import re

import pytest

from errata.errors import DataError
from errata.rules import RuleBook
from errata.rules.book import read_rules, refuse_doubles

ENGLISH = "MODAL: should could\nrule test\nabout A slip.\nwrong a\nright b\n"
CHINESE = "language zh\nMAKES: 使 让\nrule test\nabout A slip.\nwrong 甲\nright 乙\n"


def read(text: str) -> RuleBook:
    return RuleBook(read_rules(text.splitlines(), "own.rules"))


def told(text: str) -> str:
    with pytest.raises(DataError) as fault:
        read(text)
    return str(fault.value)


@pytest.mark.parametrize(
    "pattern",
    ["[of||off > x]", "[of| > x]", "|should [of > x]", '"" [of > x]', "!|a [of > x]", "^ ... [of > x]", "^| [of > x]"],
)
def test_an_empty_english_word_is_refused(pattern: str) -> None:
    message = told(f"{ENGLISH}find {pattern}")
    assert message.startswith("own.rules:6: ") and "empty word" in message and "take it out" in message


@pytest.mark.parametrize(
    "pattern", ["[左右| > ]", "大|| [左右 > ]", "| [左右 > ]", "!| [左右 > ]", "...8!| [左右 > ]", '"" [左右 > ]']
)
def test_an_empty_chinese_word_is_refused(pattern: str) -> None:
    message = told(f"{CHINESE}find {pattern}")
    assert message.startswith("own.rules:7: ") and "empty word" in message


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("find should [of > have", "a bracket is not closed; mark what is replaced, once"),
        ("find should of > have]", "a bracket is not opened; mark what is replaced, once"),
        ("find [should] [of > have]", "mark what is replaced, once"),
        ("find [of have]", "[of have] lacks “ > ”"),
        ("find [of >have]", "[of >have] lacks “ > ”"),
        ("find [of > have > had]", "“ > ” stands once, in the brackets"),
        ("find [of > have] > x", "“ > ” stands once, in the brackets"),
        ("skip [of > have]", "skip has no “ > ”"),
        ("find MODALL [of > have]", "there is no class MODALL; did you mean MODAL?"),
        ("find Modal [of > have]", "there is no class Modal; did you mean MODAL?"),
        ("find NUMBR [of > have]", "there is no class NUMBR; did you mean NUMBER?"),
        ("find FOO [of > have]", "there is no class FOO; classes stand above the rules that use them"),
        ("find MODAL* [of > have]", "the class MODAL has a sign beside it that has no meaning there"),
        ("find a|!b [of > have]", "!b is no word: ! has no meaning there"),
        ("find a?|b [of > have]", "a? is no word: ? has no meaning there"),
        ("find a?? [of > have]", "a? is no word: ? has no meaning there"),
        ('find "a [of > have]', '"a is no word: " has no meaning there; quotes stand around one token'),
        ("find ^a [of > have]", "^a is no word: ^ has no meaning there"),
        ("find a$ [of > have]", "a$ is no word: $ has no meaning there"),
        ("find a*b [of > have]", "a*b is no word: * has no meaning there"),
        ("find ~2 [of > have]", "~2 is no word: ~ has no meaning there"),
        ("find ...8 [of > have]", "...8 is no word: “...” has no meaning there"),
        ("find -a [of > have]", "there are only exceptions here, and no word is left"),
        ("NONE: a -a", "there are only exceptions here, and no word is left"),
        ("find [ > ]", "the brackets are empty: MODAL [of > have] PARTICIPLE"),
        ("find (a|b) [of > have]", '(a is no word: put a space beside (, or " around all of it'),
        ("find a/b [of > have]", 'a/b is no word: put a space beside /, or " around all of it'),
        ("find “a” [of > have]", "“a” is no word: put a space beside “"),
        ("find [of > have,]", "have, is no word: put a space beside ,"),
        ("find a\u200b [of > have]", "'a\\u200b' has U+200B, which nobody sees: take it out"),
        ("find \u200b [of > have]", "'\\u200b' has U+200B, which nobody sees: take it out"),
        ('find "a\u00ad" [of > have]', "'a\\xad' has U+00AD, which nobody sees: take it out"),
        ("find 大约 [左右 > ]", "this is Chinese, in a file about English: let it begin with a line: language zh"),
        ("language zh", "the language stands once, at the beginning of the file"),
        ("find a｜b [of > have]", "a｜b has a wide ｜: write |"),
        ("find [of > have|had]", "have|had is no word: | has no meaning there"),
        ("find [of > MODAL]", "MODAL is a class: words stand behind “ > ”"),
        ("find [dont > do_n't]", "do_n't: behind “ > ”, spaces stand between tokens"),
        ("find [of > ~+]", "~+ is none of the 1 tokens in the brackets"),
        ("find [went> > *]", "went> is no pair: write went>gone"),
        ("find [dont>do__n't > *]", "dont>do__n't is no pair"),
        ("find [Went>gone > *]", "there is no class Went"),
        ("find " + "a? " * 9 + "[of > have]", "too many optional elements"),
        ("unless a|b", "a|b is no word: | has no meaning there; in a class, spaces stand between words"),
        ("unless", "there is nothing behind unless"),
        ("fnd [of > have]", "'fnd' is none of"),
        ("fnd [of > have]", "did you mean find?"),
        ("NEW : a b", "'NEW': a class is written NAME: word word"),
        ("new: a b", "'new:': a class is written NAME: word word"),
        ("NEW:", "there are no words in this line"),
        ("N-W: a", "the name of a class has capitals, digits and _, not 'N-W'"),
        ("NUMBER: one two", "NUMBER is known by its shape"),
        ("MODAL: may", "there is a class MODAL above already"),
        ("about Another.", "test has about in line 3 already"),
        ("wrong", "there is nothing behind wrong"),
        ("learnt words", "what is learnt is confusables, not 'words'"),
        ("rule two words", "name of a rule is one word of letters, digits and hyphens, not 'two words'"),
        ("rule", "name of a rule is one word of letters, digits and hyphens, not ''"),
        ("rule test", "there is a rule test in line 2 already"),
    ],
)
def test_mistyped_english_is_refused(line: str, message: str) -> None:
    found = told(f"{ENGLISH}{line}")
    assert found.startswith("own.rules:6: ") and message in found


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("find 大约 [左右 > ", "a bracket is not closed; mark what is replaced, once: 大约 ...10 [左右 > ]"),
        ("find 大约 [左右 ＞ ]", "[左右 ＞ ] lacks “ > ”"),
        ("find 大约 [左右]", "[左右] lacks “ > ”"),
        ("skip 大约 [左右 > ]", "skip has no “ > ”"),
        ("find MAKE [左右 > ]", "there is no class MAKE; did you mean MAKES?"),
        ("find Makes [左右 > ]", "there is no class Makes; did you mean MAKES?"),
        ("find HANN 大约 [左右 > ]", "there is no class HANN; did you mean HAN?"),
        (
            "find KTV [左右 > ]",
            "there is no class KTV; classes stand above the rules that use them; words are in small",
        ),
        ("find 大约｜约 [左右 > ]", "大约｜约 has a wide ｜: write |"),
        ("find ..8 大约 [左右 > ]", "..8 is no word: “...” has no meaning there"),
        ("find 大约 ...8! [左右 > ]", "...8 is no word: “...” has no meaning there"),
        ("find 大约 !用? [左右 > ]", "用? is no word: ? has no meaning there"),
        ("find ^大约 [左右 > ]", "^大约 is no word: ^ has no meaning there"),
        ("find NUMBER! 大约 [左右 > ]", "NUMBER!: words stand before !, not NUMBER and HAN"),
        ("find [甲 > *乙]", "*乙: * has no meaning behind “ > ”"),
        ("find [甲 > ~]", "~: ~ has no meaning behind “ > ”"),
        ("find [甲 > MAKES]", "MAKES is a class: words stand behind “ > ”"),
        ("find " + "...40 " * 4 + "[甲 > ]", "the gaps are too long together"),
        ("NONE: 使 -使", "there are only exceptions here, and no word is left"),
        ("find -大约 [左右 > ]", "-大约: exceptions stand in classes; in a pattern, write !大约"),
        ("find 大约 [ > ]", "the brackets are empty: 大约 ...10 [左右 > ]"),
        ("find 大约？ [左右 > ]", "大约？ has a wide ？: write ?, or put a space beside it"),
        ("find 大约 …8 [左右 > ]", "…8 has a wide …: write ..., or put a space beside it"),
        ("find 大约,约 [左右 > ]", '大约,约 is no word: put a space beside ,, or " around all of it'),
        ("find 大约\u200b [左右 > ]", "'大约\\u200b' has U+200B, which nobody sees: take it out"),
        ("language zh", "the language stands once, at the beginning of the file"),
        ("NEW: *的 地", "a class of Chinese words has words alone"),
        ("NEW: 甲>乙", "a class of Chinese words has words alone"),
        ("NEW: NUMBER 甲", "NUMBER stands in patterns, not in a class of Chinese words"),
        ("unless NUMBER", "NUMBER stands in patterns, not in a class of Chinese words"),
    ],
)
def test_mistyped_chinese_is_refused(line: str, message: str) -> None:
    found = told(f"{CHINESE}{line}")
    assert found.startswith("own.rules:7: ") and message in found


def test_marks_alone_and_words_in_quotes_are_words() -> None:
    book = read(f'{ENGLISH}find "?!"|!! [, > .] "a?b" |'.removesuffix(" |") + "\nunless ` = _ { } < > | ? !")
    assert len(book.propose(("?!", ",", "a?b"))) == 1
    assert book.propose(("?!", ",", "a?b", "|")) == []


@pytest.mark.parametrize(
    ("left_out", "message"),
    [
        ("about A slip.", "own.rules:2: test has no line about: say in it what is wrong"),
        ("find [a > b]", "own.rules:2: test has no line find: say in it where the slip stands"),
        ("right b", "own.rules:2: test has 1 wrong and 0 right sentences: it needs one pair or more"),
    ],
)
def test_a_rule_that_lacks_a_line_is_told_which(left_out: str, message: str) -> None:
    assert told(f"{ENGLISH}find [a > b]\n".replace(f"{left_out}\n", "")) == message


def test_skip_may_have_empty_brackets_where_find_puts_something_in() -> None:
    book = read(f"{CHINESE}find 甲 [ > 乙]\nskip 甲 [] 丙")
    assert [len(book.propose(tuple(one))) for one in ("甲丁", "甲丙")] == [1, 0]


def test_exceptions_and_capitals_count_in_classes_of_chinese_words() -> None:
    text = CHINESE.replace("rule test", 'BOTH: MAKES "KTV" -让\nrule test')
    book = read(f'{text}find BOTH|"App" [甲 > 乙]')
    assert [len(book.propose(tuple(one))) for one in ("使甲", "KTV甲", "App甲", "让甲", "ktv甲")] == [1, 1, 1, 0, 0]


@pytest.mark.parametrize("head", ["language zh", "\ufefflanguage zh", "\ufeff# Comment.\nlanguage zh"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_byte_order_mark_before_the_language_is_no_part_of_it(head: str, end: str) -> None:
    text = f"{head}\nrule test\nabout A slip.\nfind [甲 > 乙]\nwrong 甲\nright 乙\n".replace("\n", end)
    [rule] = read_rules(text.splitlines(keepends=True), "own.rules")
    assert rule.language == "zh"


def test_tabs_and_wide_spaces_separate_too() -> None:
    text = (
        "language\tzh\nrule\ttest\nabout\u3000A slip.\nfind\u3000大约\u3000[左右\u3000>\u3000]\nwrong\t甲\nright\t乙\n"
    )
    assert len(read(text).propose(tuple("大约左右"))) == 1


@pytest.mark.parametrize("text", ["", "\n\n", "# Nothing.\n", "MODAL: may\n", "language zh\n"])
def test_a_file_without_a_rule_is_refused(text: str) -> None:
    assert told(text) == "own.rules: there is no rule in it; a rule begins with a line such as: rule should-of"


def test_an_indented_first_line_is_refused() -> None:
    assert told(" rule test") == "own.rules:1: an indented line goes on with the one above, and there is none"


def test_a_nul_byte_is_refused() -> None:
    assert told("rule test\nabout \0") == "own.rules:2: this is no text: it has a NUL byte"


def test_two_files_have_no_rule_of_one_name() -> None:
    rules = [next(read_rules(f"{ENGLISH}find [of > have]".splitlines(), name)) for name in ("a.rules", "b.rules")]
    with pytest.raises(DataError, match=re.escape("b.rules:2: there is a rule test at a.rules:2 too")):
        refuse_doubles(rules)
