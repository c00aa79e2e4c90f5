"""Files of rules: how patterns are read and matched, and what is said of faults."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.edits.apply import apply_edits
from errata.errors import DataError, UnknownName
from errata.rules import RuleBook, load_rules
from errata.rules.book import read_rules

HEAD = "rule test\nabout A slip.\nwrong a\nright b\nkeep c\n"


def book_of(*lines: str, classes: str = "") -> RuleBook:
    text = classes + "\n" + HEAD + "\n".join(lines)
    return RuleBook(read_rules(text.splitlines(), "own.rules"))


@pytest.mark.parametrize(
    ("line", "source", "target"),
    [
        pytest.param("find [teh > the]", "teh end", "the end", id="word"),
        pytest.param("find [teh > the]", "Teh end", "The end", id="capital"),
        pytest.param("find [teh > the]", "TEH END", "THE END", id="capitals"),
        pytest.param("find should|could [of > have]", "we could of", "we could have", id="alternatives"),
        pytest.param("find should|could [of > have]", "we would of", "we would of", id="no-alternative"),
        pytest.param("find should not? [of > have]", "we should not of", "we should not have", id="optional"),
        pytest.param("find !the [of > have]", "the of", "the of", id="but-not"),
        pytest.param("find !the [of > have]", "of it", "have it", id="nothing-is-not-the"),
        pytest.param("find the [= > ]", "the the cat", "the cat", id="same"),
        pytest.param("find ^ [lets > let 's]", "he lets go", "he lets go", id="not-at-the-start"),
        pytest.param("find ^ [lets > let 's]", '" Lets go', "\" Let 's go", id="start-in-quotes"),
        pytest.param("find ^|and [lets > let 's]", "and lets go", "and let 's go", id="start-or-word"),
        pytest.param("find be [quite > quiet] $", "be quite , please", "be quiet , please", id="clause-end"),
        pytest.param("find be [quite > quiet] $", "be quite", "be quiet", id="sentence-end"),
        pytest.param("find be [quite > quiet] $", "be quite late", "be quite late", id="no-end"),
        pytest.param("find ^ we WORD... [, > ;] he", "we go home , he stays", "we go home ; he stays", id="any-number"),
        pytest.param("find ^ we WORD... [, > ;] he", "we , he", "we ; he", id="or-none"),
        pytest.param("find ^ we WORD... [, > ;] he", "so we go , he stays", "so we go , he stays", id="from-the-start"),
        pytest.param("find ^ we WORD... [, > ;] he", "we go , too , he", "we go , too , he", id="words-alone"),
        pytest.param("find [, > ;] he WORD... so WORD... x", ", he so so x .", "; he so so x .", id="to-the-end"),
        pytest.param("find [, > ;] he WORD...", ", he stays , we go .", ", he stays , we go .", id="no-further"),
        pytest.param("find [PAST > *]", "he went", "he gone", id="pair"),
        pytest.param("find [a lot of > many]", "a lot of dogs", "many dogs", id="phrase"),
        pytest.param('find ["i" > I] am', "i am", "I am", id="as-written"),
        pytest.param("find very|so [very > ~ , ~]", "very very good", "very very , very good", id="itself"),
        pytest.param("find [me and him|her > ~3 and ~1]", "Me and her", "Her and Me", id="numbered"),
        pytest.param("find the [SHORT > x]", "the cat", "the x", id="class"),
        pytest.param("find the [SHORT > x]", "the cow", "the cow", id="exception"),
        pytest.param("find the [SHORT|cow > x]", "the cow", "the x", id="exceptions-of-a-class-are-its-own"),
    ],
)
def test_patterns(line: str, source: str, target: str) -> None:
    book = book_of(line, classes="PAST: went>gone\nSHORT: c* -cow")
    tokens = tuple(source.split())
    edits = [one.edit for one in book.propose(tokens)]
    assert " ".join(apply_edits(tokens, edits)) == target


def test_exceptions_are_looked_for_around_the_marked_words() -> None:
    book = book_of("find could [of > have]", "skip [of] course")
    assert book.propose(("could", "of", "course")) == []
    assert len(book.propose(("could", "of", "come"))) == 1


def test_a_sentence_with_certain_words_is_left_alone() -> None:
    book = book_of("find [seen > saw]", "unless QUOTE *in'", classes='QUOTE: " “')
    assert len(book.propose(tuple("I seen him".split()))) == 1
    assert book.propose(tuple('" I seen him'.split())) == []
    assert book.propose(tuple("I seen him runnin'".split())) == []


def test_of_two_edits_that_overlap_the_surer_one_stays() -> None:
    text = HEAD + "find [a lot > much]\nsure 0.5\n" + HEAD.replace("test", "other") + "find [lot > bit]\nsure 0.9\n"
    book = RuleBook(read_rules(text.splitlines(), "own.rules"))
    assert [one.rule.name for one in book.propose(("a", "lot"))] == ["other"]


def test_a_rule_can_be_left_out() -> None:
    book = load_rules().without(["alot"])
    assert book.propose(("alot",)) == []
    with pytest.raises(UnknownName, match="unknown rule 'allot'; did you mean 'alot'"):
        load_rules().without(["allot"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("find [a > b]", "own.rules:1: find stands before the first rule"),
        (HEAD + "find a > b", r"own.rules:6: mark what is replaced, once: MODAL \[of > have\]"),
        (HEAD + "find [UNHEARD > b]", "own.rules:6: there is no class UNHEARD"),
        (HEAD + "find [!a > b]", "own.rules:6: a pattern needs a word, or a class whose words are listed"),
        (HEAD + "find a ^ [b > c]", "own.rules:6: ^ comes first"),
        (HEAD + "seek [a > b]", "own.rules:6: 'seek' is none of about, find, skip, unless, sure, wrong, right, keep"),
        (HEAD + "find [a > b]\nsure often", "own.rules:7: sure is a number between 0 and 1, not 'often'"),
        (HEAD + "find [a > b]\nsure 2", "own.rules:7: sure is a number between 0 and 1, not '2'"),
        ("rule x\nabout y\nfind [a > b]", "own.rules:1: x has 0 wrong and 0 right sentences"),
        ("rule x\nfind [a > b]\nwrong a\nright b", "own.rules:1: x has no line about: say in it what is wrong"),
        (HEAD + "find [a b > ~3]", "own.rules:6: ~3 is none of the 2 tokens in the brackets"),
        (HEAD + "find [a > ~x]", "own.rules:6: ~x is none of the 1 tokens in the brackets"),
        (HEAD + "find [a > *]", "own.rules:6: no word in the brackets has a pair for *"),
    ],
)
def test_faults_name_the_line(text: str, message: str) -> None:
    with pytest.raises(DataError, match=message.replace("^ comes", r"\^ comes").replace("for *", r"for \*")):
        RuleBook(read_rules(text.splitlines(), "own.rules"))


WORDS = st.sampled_from(
    "I i you your its it 's a an the The of should could have went there their to too then n't . , ’s".split()
)


@given(st.lists(WORDS | st.text(min_size=1, max_size=4), max_size=12))
def test_edits_are_in_order_and_apart(tokens: list[str]) -> None:
    edits = [one.edit for one in load_rules().propose(tuple(tokens))]
    end = 0
    for edit in edits:
        assert end <= edit.start < edit.end <= len(tokens)
        assert tuple(tokens[edit.start : edit.end]) != edit.replacement
        end = edit.end
