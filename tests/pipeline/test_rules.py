"""Rules beside a model: which of two edits stays, and that every guard counts for rules too."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.edits.apply import apply_text_edits
from errata.edits.explain import explain
from errata.errors import DataError, UnknownName
from errata.model import Edit, Tokens
from errata.pipeline.corrector import Pipeline
from errata.pipeline.documents import Options
from errata.pipeline.load import choose_rules, load_corrector
from errata.pipeline.presets import ORDER, Preset
from errata.pipeline.protection import Protection
from errata.pipeline.sentences import SentenceCorrector
from errata.rules import Rule, load_rules
from errata.systems.base import ProposedEdit, TokenCorrector

PRESETS = {"careful": Preset(min_confidence=0.9), "balanced": Preset(min_confidence=0.5), "eager": Preset()}


class Saying(TokenCorrector):
    """Proposes the same edits for every sentence in which they fit."""

    kind, language, max_tokens = "saying", "en", 50

    def __init__(self, *edits: tuple[int, int, str, float], language: str = "en") -> None:
        self.edits, self.language = edits, language

    def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
        return [
            [
                ProposedEdit(Edit(start, end, tuple(words.split())), sure)
                for start, end, words, sure in self.edits
                if end <= len(tokens)
            ]
            for tokens in sentences
        ]


def once(text: str, *edits: tuple[int, int, str, float], language: str = "en") -> str:
    """The text after one look of a model that proposes these edits, with rules."""
    corrector = SentenceCorrector(Saying(*edits, language=language), name="test", rules=load_rules(language))
    return corrector.correct([text])[0].target


def pipeline(
    *, preset: str = "balanced", protection: Protection | None = None, least: float = 0.0, language: str = "en"
) -> Pipeline:
    corrector = SentenceCorrector(Saying(language=language), name="test", presets=PRESETS, rules=load_rules(language))
    options = Options(
        frozenset({language}), language, preset=preset, min_confidence=least, protection=protection or Protection()
    )
    return Pipeline("test", lambda _: corrector, options)


@pytest.mark.parametrize(
    ("text", "edits", "expected"),
    [
        pytest.param("You should of come.", [], "You should have come.", id="rule-alone"),
        pytest.param("You should of come.", [(2, 3, "have", 0.6)], "You should have come.", id="same-edit-once"),
        pytest.param("You should of come.", [(2, 3, "not", 0.6)], "You should have come.", id="rule-is-surer"),
        pytest.param("You should of come.", [(2, 3, "really", 0.999)], "You should really come.", id="model-is-surer"),
        pytest.param("You should of come.", [(0, 1, "We", 0.6)], "We should have come.", id="both-apart"),
        pytest.param("Your the best.", [(1, 2, "", 0.6)], "You're the best.", id="deletion-beside-goes"),
        pytest.param("Your the best.", [(2, 3, "worst", 0.6)], "You're the worst.", id="further-away-stays"),
        pytest.param("i was ill", [(1, 2, "am", 0.6)], "I am ill", id="replacement-beside-stays"),
        pytest.param(
            "She gave an good advice.",
            [(2, 5, "good advice", 0.6)],
            "She gave good advice.",
            id="larger-edit-resolves",
        ),
        pytest.param(
            "She gave an good advice.",
            [(2, 5, "a good suggestion", 0.6)],
            "She gave a good suggestion.",
            id="larger-edit-contains",
        ),
        pytest.param(
            "She gave an good tip.",
            [(2, 5, "an good hint", 0.6)],
            "She gave a good tip.",
            id="larger-edit-keeps-the-slip",
        ),
        pytest.param("A lot of it.", [(0, 2, "Alot", 0.999)], "A lot of it.", id="model-makes-a-slip"),
        pytest.param(
            "He has seen it.", [(1, 2, "", 0.6), (2, 3, "saw", 0.6)], "He saw it.", id="no-slip-with-the-other-half"
        ),
        pytest.param("I dont go.", [(2, 3, "went", 0.999)], "I don't went.", id="slip-was-there-before"),
        pytest.param(
            "You would of loved it.",
            [(2, 3, "", 0.6), (3, 4, "love", 0.6)],
            "You would have loved it.",
            id="beside-what-is-replaced-goes",
        ),
    ],
)
def test_where_a_rule_and_a_model_meet(text: str, edits: list[tuple[int, int, str, float]], expected: str) -> None:
    assert once(text, *edits) == expected


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        pytest.param([], "大约三百米。", id="rule-alone"),
        pytest.param([(0, 2, "", 0.6)], "大约三百米。", id="other-half-is-not-cut-too"),
        pytest.param([(0, 2, "", 0.999)], "三百米左右。", id="model-is-surer"),
        pytest.param([(2, 3, "五", 0.6)], "大约五百米。", id="number-inside-stays"),
        pytest.param([(5, 7, "", 0.6)], "大约三百米。", id="same-edit-once"),
        pytest.param([(7, 8, "！", 0.6)], "大约三百米！", id="both-apart"),
    ],
)
def test_where_a_chinese_rule_and_a_model_meet(edits: list[tuple[int, int, str, float]], expected: str) -> None:
    assert once("大约三百米左右。", *edits, language="zh") == expected


@pytest.mark.parametrize("rule", load_rules("zh").rules, ids=lambda rule: rule.name)
def test_no_guard_is_against_a_chinese_rule(rule: Rule) -> None:
    corrector = pipeline(language="zh")
    for example in rule.examples:
        (correction,) = corrector.correct([example.wrong])
        assert correction.target == example.right
        assert all(edit.about for edit in correction.edits)
        assert corrector.correct([example.right])[0].edits == ()


@pytest.mark.parametrize(
    ("text", "corrected"),
    [
        pytest.param("這座橋大約有三百米左右。", "這座橋大約有三百米。", id="traditional"),
        pytest.param(
            "他动身了。这座桥大约有300米左右。\n😀", "他动身了。这座桥大约有300米。\n😀", id="one-sentence-of-several"
        ),
        pytest.param("他说：“原因是因为下雨。”", "他说：“原因是下雨。”", id="in-quotes"),
    ],
)
def test_chinese_rules_in_running_text(text: str, corrected: str) -> None:
    assert pipeline(language="zh").correct([text])[0].target == corrected


def test_chinese_rules_leave_markup_alone() -> None:
    text = "# 桥\n\n这座桥**大约**有 300 米左右。"
    (correction,) = pipeline(language="zh").correct([text], markup="markdown")
    assert correction.target == "# 桥\n\n这座桥**大约**有 300 米。"


def test_chinese_rules_read_tokenised_text() -> None:
    corrector = SentenceCorrector(Saying(language="zh"), name="test", rules=load_rules("zh"), tokenised=True)
    assert corrector.correct(["这 座 桥 大 约 有 三 百 米 左 右 。"])[0].target == "这 座 桥 大 约 有 三 百 米 。"


@pytest.mark.parametrize(("confidence", "expected"), [(0.95, "good advice"), (0.6, "a good advice")])
def test_a_larger_edit_wins_only_if_every_preset_makes_it(confidence: float, expected: str) -> None:
    """The edits of the careful preset come first, and the rule's is one of them."""
    model = Saying((2, 5, "good advice", confidence))
    corrector = SentenceCorrector(model, name="test", presets=PRESETS, rules=load_rules())
    assert corrector.correct(["She gave an good advice."])[0].target == f"She gave {expected}."


def test_a_larger_edit_of_the_preset_in_use_wins_where_a_sentence_is_looked_at_once() -> None:
    model = Saying((2, 5, "good advice", 0.6))
    corrector = SentenceCorrector(model, name="test", presets=PRESETS, rules=load_rules(), tokenised=True)
    assert corrector.correct(["She gave an good advice ."])[0].target == "She gave good advice ."
    careful = corrector.with_preset("careful")
    assert careful.correct(["She gave an good advice ."])[0].target == "She gave a good advice ."


@pytest.mark.parametrize("preset", ORDER)
def test_every_preset_makes_the_edits_of_rules(preset: str) -> None:
    (correction,) = pipeline(preset=preset).correct(["You should of come."])
    assert correction.target == "You should have come."
    assert correction.edits[0].confidence == pytest.approx(0.98)


def test_rules_heed_what_is_protected() -> None:
    text = "I like alot of `alot` and www.dont.org, alot."
    (correction,) = pipeline(protection=Protection()).correct([text])
    assert correction.target == "I like a lot of `alot` and www.dont.org, a lot."
    (correction,) = pipeline(protection=Protection(["alot"])).correct([text])
    assert correction.edits == ()


def test_rules_heed_the_least_confidence() -> None:
    assert pipeline(least=0.99).correct(["You should of come."])[0].edits == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I dont know.", "I don't know."),
        ("It wont work.", "It won't work."),
        ("I cant come.", "I can't come."),
        ("Noone knew.", "No one knew."),
    ],
)
def test_the_guard_of_negations_lets_contractions_be_mended(text: str, expected: str) -> None:
    assert pipeline().correct([text])[0].target == expected


def test_messages_are_those_of_the_rule() -> None:
    (correction,) = pipeline().correct(["You should of come, the the end."])
    messages = [explain(correction.source, edit, "en").message for edit in correction.edits]
    assert messages == [
        "“of” sounds like “have” here, but the verb is “have”. Did you mean “have”?",
        "This word is written twice. Remove “the”?",
    ]
    assert explain(correction.source, correction.edits[0], "en", messages="zh").message.endswith("是否应为“have”？")


WORDS = "I i your you're its it's the the a apple should of went have there their alot to too late then better . , dont"


@given(st.lists(st.sampled_from(WORDS.split()), max_size=14).map(" ".join), st.sampled_from(ORDER))
def test_a_second_run_finds_nothing(text: str, preset: str) -> None:
    corrector = pipeline(preset=preset)
    (correction,) = corrector.correct([text])
    assert apply_text_edits(text, correction.edits) == correction.target
    assert corrector.correct([correction.target])[0].edits == ()


def test_rules_can_be_switched_off_and_added(tmp_path: Path) -> None:
    assert choose_rules(False) is None
    own = tmp_path / "own.rules"
    own.write_text("rule foo\nabout No foo.\nfind [foo > bar]\nwrong foo\nright bar\n", "utf-8")
    book = choose_rules(False, rule_files=[own])
    assert book is not None and [rule.name for rule in book.rules] == ["foo"]
    both = choose_rules(True, ["foo"], [own])
    assert both is not None and len(both.rules) == len(load_rules().rules) + len(load_rules("zh").rules)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_language_has_its_own_rules(language: str, tmp_path: Path) -> None:
    assert choose_rules(True, language=language) is load_rules(language)
    own = tmp_path / "own.rules"
    own.write_text("language zh\nrule fu\nabout No 福.\nfind [福 > 富]\nwrong 福\nright 富\n", "utf-8")
    book = choose_rules(False, rule_files=[own], language=language)
    assert book is not None and [rule.name for rule in book.rules] == (["fu"] if language == "zh" else [])
    left = choose_rules(True, ["alot", "about-or-so"], language=language)
    assert left is not None and len(left.rules) == len(load_rules(language).rules) - 1


def test_faulty_options_are_told_when_a_corrector_is_loaded(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="unknown rule 'nonesuch'"):
        load_corrector(without_rules=["nonesuch"])
    with pytest.raises(TypeError, match="without_rules is of type str: give a list of words"):
        load_corrector(without_rules="alot")
    (tmp_path / "own.rules").write_text("find [a > b]\n", "utf-8")
    with pytest.raises(DataError, match=r"own.rules:1: find stands before the first rule"):
        load_corrector(rule_files=[tmp_path / "own.rules"])
