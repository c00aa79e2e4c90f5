"""Whatever touches a user's text takes linear time: every regular expression, and every function over texts."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from benchmarks.linear.functions import FUNCTIONS
from benchmarks.linear.growth import find_growth
from benchmarks.linear.inputs import Recipe, recipes
from benchmarks.linear.patterns import KnownPattern, find_patterns, hidden_calls
from hypothesis import given
from hypothesis import strategies as st

from errata.rules import Rule, RuleBook, load_rules
from errata.rules.characters import cut_pieces
from errata.text import language
from errata.web.languagetool import widen

# Patterns that come as data: spaCy's model brings some, files of rules others, which have a test below.
BROUGHT = {"errata.edits.en.attributes", "errata.rules.characters"}
# These correct the whole text several times over; `python -m benchmarks.linear.search` tries them.
SEARCHED = {name for name in FUNCTIONS if name.startswith(("correct ", "Markup.", "explain every"))}
PATTERNS = list(find_patterns())


def test_no_pattern_hides_in_a_function():
    hidden = [str(call) for call in hidden_calls() if call.module not in BROUGHT]
    assert not hidden, "compile these at the top of their modules, where they are tested: " + "; ".join(hidden)


def test_the_list_is_whole():
    places = {known.place for known in PATTERNS}
    assert {
        "errata.text.language:_ADDRESS",
        "errata.text.variants:_PATTERNS[0][0]",
        "errata.text.words:_WORD",
    } <= places
    assert len(places) > 100


@pytest.mark.parametrize("known", PATTERNS, ids=lambda known: known.place)
def test_every_pattern_takes_linear_time(known: KnownPattern):
    growths = (find_growth(run, recipe) for run in known.runs() for recipe in recipes())
    slow = next((growth for growth in growths if growth and not (growth.is_linear and growth.is_cheap)), None)
    assert slow is None, f"{known.pattern.pattern!r} on {slow}"


@pytest.mark.parametrize("rule", load_rules("zh").rules, ids=lambda rule: rule.name)
def test_every_chinese_rule_takes_linear_time(rule: Rule):
    book = RuleBook([rule])
    begun = {piece for piece in cut_pieces(rule.examples[0].wrong) if len(piece) == 2}
    growths = (
        find_growth(lambda text: book.propose(tuple(text)), Recipe(repeat))
        for repeat in (rule.examples[0].wrong.rstrip("。"), *sorted(begun)[:4])
    )
    slow = next((growth for growth in growths if growth and not growth.is_linear), None)
    assert slow is None, str(slow)


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name not in SEARCHED])
@pytest.mark.parametrize("repeat", ["a", "a_b ", "ab, cd. ", "- a\n"])
def test_functions_take_linear_time(name: str, repeat: str):
    growth = find_growth(FUNCTIONS[name], Recipe(repeat))
    assert growth is None or growth.is_linear, str(growth)


def spans(pattern: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    return [match.span() for match in pattern.finditer(text)]


def words_left(pattern: re.Pattern[str], text: str) -> list[str]:
    return re.findall(r"[a-zé]+", pattern.sub(" ", text))


@pytest.mark.parametrize(
    ("quick", "plain", "signs", "read"),
    [
        (language._ADDRESS, r"\S+@\S+|\S+://\S+|\b[\w-]+(?:\.[\w-]+)+", "ab.@-:/ _é", words_left),
        (widen._WORD_BEFORE, r"(?:[\w'’-]+|[^\s\w])[^\S\r\n]*\Z", "a'-!. \n", spans),
    ],
    ids=["address", "word before"],
)
@given(data=st.data())
def test_quick_patterns_read_as_the_plain_ones_do(
    quick: re.Pattern[str],
    plain: str,
    signs: str,
    read: Callable[[re.Pattern[str], str], object],
    data: st.DataObject,
):
    text = data.draw(st.text(st.sampled_from(signs), max_size=20))
    assert read(quick, text) == read(re.compile(plain), text)
