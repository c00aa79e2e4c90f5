"""The kinds of edits, by table; that every edit has one, by property."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.edits.explain import classify, explain, list_rules, shown_type
from errata.model import TextEdit


def edit_of(marked: str) -> tuple[str, TextEdit]:
    """`"She [go|goes] home"` as a text and its edit."""
    before, old, new, after = re.fullmatch(r"(.*)\[(.*)\|(.*)\](.*)", marked, re.S).groups()  # type: ignore[union-attr]
    return before + old + after, TextEdit(len(before), len(before) + len(old), new)


@pytest.mark.parametrize(
    ("marked", "type_"),
    [
        ("She [go|goes] home.", "R:VERB:SVA"),
        ("They [was|were] here.", "R:VERB:SVA"),
        ("My brother [like|likes] the coffee.", "R:VERB:SVA"),
        ("I have two [dog|dogs].", "R:NOUN:NUM"),
        ("The [childs|children] are here.", "R:NOUN:INFL"),
        ("Yesterday we [walk|walked] home.", "R:VERB:TENSE"),
        ("I have [went|gone] home.", "R:VERB:FORM"),
        ("I look forward to [see|seeing] you.", "R:VERB:FORM"),
        ("I want[| to] go home.", "M:VERB:FORM"),
        ("He [will|would] come.", "R:VERB:TENSE"),
        ("I [eat|have eaten] it.", "R:VERB:TENSE"),
        ("We walk to[| the] park.", "M:DET"),
        ("He likes[ the|] music.", "U:DET"),
        ("I am [a|an] honest man.", "R:DET"),
        ("It depends [of|on] you.", "R:PREP"),
        ("She saw [he|him].", "R:PRON"),
        ("He is [more big|bigger].", "R:ADJ:FORM"),
        ("My [freind|friend] is here.", "R:SPELL"),
        ("[Their|They're] late.", "R:SPELL"),
        ("I [dont|don't] know.", "R:CONTR"),
        ("The [dogs|dog's] tail.", "R:NOUN:POSS"),
        ("[i|I] know.", "R:ORTH:CASE"),
        ("I like it [alot|a lot].", "R:ORTH:SPACE"),
        ("Hello world[|.]", "M:PUNCT"),
        ("However[|,] he left.", "M:PUNCT"),
        ("He went home[,|;] I stayed.", "R:PUNCT"),
        ("He [always is|is always] late.", "R:WO"),
        ("It is very[ very|] good.", "U:ADV"),
        ("She has a [beauty|beautiful] voice.", "R:MORPH"),
        ("I [transport|travel] by bus.", "R:OTHER"),
        ("a[\u00a0| ]b", "R:ORTH:SPACE"),
        ("They\n[play|plays]", "R:VERB:SVA"),
        ("He said they\n[store|stores] are", "R:NOUN:NUM"),
    ],
)
def test_kinds_of_english_edits(marked: str, type_: str) -> None:
    assert classify(*edit_of(marked), "en") == type_


@pytest.mark.parametrize(
    ("marked", "type_"),
    [
        ("我[|去]学校。", "M"),
        ("我们都全[部|]来。", "R"),
        ("他[在|再]来一次。", "S:SPELL"),
        ("他跑[的|得]快。", "S:DE"),
        ("我昨天去[|了]学校。", "M:ASPECT"),
        ("今天很热[,|，]", "S:PUNCT"),
        ("并[建造加固|加固建造]它。", "W"),
        ("他很[快乐|难过]。", "S"),
    ],
)
def test_kinds_of_chinese_edits(marked: str, type_: str) -> None:
    assert classify(*edit_of(marked), "zh") == type_


def test_a_systems_own_type_is_kept_where_it_is_one_of_ours() -> None:
    assert classify("I go.", TextEdit(2, 4, "went", "R:VERB"), "en") == "R:VERB"
    assert classify("I go.", TextEdit(2, 4, "went", "R:NONSENSE"), "en") == "R:VERB:TENSE"
    assert classify("I go.", TextEdit(2, 4, "went", "R"), "en") == "R:VERB:TENSE"


@pytest.mark.parametrize(
    ("marked", "language", "messages", "rule", "message"),
    [
        ("I am [a|an] ox.", "en", "auto", "ERRATA_A_OR_AN", "Use “an” before a vowel sound, “a” before other sounds."),
        ("to[| the] park", "en", "auto", "ERRATA_MISSING_DETERMINER", "Missing article or determiner: add “the”?"),
        ("very[ very|] good", "en", "auto", "ERRATA_UNNECESSARY_ADVERB", "Unnecessary adverb: remove “very”?"),
        ("I [transport|travel]", "en", "auto", "ERRATA_WORD_CHOICE", "Did you mean “travel”?"),
        ("I[| quark] go", "en", "auto", "ERRATA_MISSING_WORD", "Missing word: add “quark”?"),
        ("a hat[ |],", "en", "auto", "ERRATA_SPACING", "Words may be wrongly joined or split."),
        ("[quite|quiet] please", "en", "auto", "ERRATA_CONFUSED_WORD", "“quiet”"),
        ("She [go|goes]", "en", "zh", "ERRATA_AGREEMENT", "动词与主语可能不一致。是否应为“goes”？"),
        ("跑[的|得]快", "zh", "auto", "ERRATA_ZH_DE", "是否应为“得”？"),
        ("我[|去]学校", "zh", "auto", "ERRATA_ZH_MISSING_WORD", "这里可能缺少词语，补上“去”？"),
        ("我[|去]学校", "zh", "en", "ERRATA_ZH_MISSING_WORD", "Missing word: add “去”?"),
    ],
)
def test_rules_and_messages(marked: str, language: str, messages: str, rule: str, message: str) -> None:
    found = explain(*edit_of(marked), language, messages=messages)
    assert found.rule.id == rule
    assert message in found.message


@pytest.mark.parametrize(
    ("marked", "type_"),
    [
        ("I saw [teh|the] man.", "R:SPELL"),
        ("[Teh|The] man came.", "R:SPELL"),
        ("You [adn|and] I.", "R:SPELL"),
        ("Come [wiht|with] me.", "R:SPELL"),
        ("I [definately|definitely] agree.", "R:SPELL"),
        ("It [realy|really] is.", "R:SPELL"),
        ("[Thier|Their] house.", "R:SPELL"),
        ("He said [taht|that].", "R:SPELL"),
        ("I [definitely|really] agree.", "R:ADV"),
        ("I [zzz|the] agree.", "R:DET"),
        ("The [childs|children] are here.", "R:NOUN:INFL"),
        ("I [dont|don't] know.", "R:CONTR"),
        ("I like it [alot|a lot].", "R:ORTH:SPACE"),
        ("I live in [paris|Paris].", "R:ORTH:CASE"),
        ("She [go|goes] home.", "R:VERB:SVA"),
    ],
)
def test_a_word_in_no_dictionary_is_shown_as_misspelt(marked: str, type_: str) -> None:
    assert shown_type(*edit_of(marked), "en") == type_


@pytest.mark.parametrize(("old", "new"), [("teh", "the"), ("adn", "and"), ("definately", "definitely")])
def test_a_word_in_no_dictionary_is_explained_as_misspelt(old: str, new: str) -> None:
    found = explain(f"a {old} b", TextEdit(2, 2 + len(old), new), "en")
    assert found.rule.id == "ERRATA_SPELLING_RULE"
    assert found.message == f"Possible spelling mistake. Did you mean “{new}”?"


@pytest.mark.parametrize("messages", ["auto", "en", "zh"])
@pytest.mark.parametrize(
    ("marked", "language", "name"),
    [
        ("My [freind|friend].", "en", "Possible Typo"),
        ("She [go|goes].", "en", "Grammar"),
        ("他[在|再]来。", "zh", "错别字"),
        ("我[|去]学校。", "zh", "语法"),
    ],
)
def test_categories_are_named_in_the_language_of_the_text(marked: str, language: str, name: str, messages: str) -> None:
    assert explain(*edit_of(marked), language, messages=messages).rule.category_name == name


@pytest.mark.parametrize("language", ["en", "zh"])
def test_rule_ids_are_unique(language: str) -> None:
    rules = list(list_rules(language))
    assert len({rule.id for rule in rules}) == len(rules)
    assert all(re.fullmatch("ERRATA_[A-Z_]+", rule.id) and rule.title and rule.category_name for rule in rules)


WORDS = st.sampled_from(
    ["go", "goes", "the", "a", " ", ",", ".", "’s", "n't", "Don't", "freind", "去", "的", "😀", "\n"]
)
TEXTS = st.one_of(
    st.text(max_size=20), st.lists(WORDS, max_size=6).map("".join), st.lists(WORDS, max_size=6).map(" ".join)
)


@given(TEXTS, TEXTS, TEXTS, st.sampled_from(["en", "zh"]), st.sampled_from(["auto", "en", "zh"]))
def test_every_edit_has_a_kind(before: str, old: str, new: str, language: str, messages: str) -> None:
    found = explain(before + old, TextEdit(len(before), len(before + old), new), language, messages=messages)
    assert found.message and found.rule in set(list_rules(language, None if messages == "auto" else messages))
