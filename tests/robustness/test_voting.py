"""Majorities of edits over variants."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from robust_cases import PARA, parse

import errata
from errata.edits.apply import apply_edits
from errata.errors import DataError, UnknownName
from errata.model import Edit
from errata.robustness.voting import WORD_GROUPS, Voting, count_votes, substitute_words


class Moody:
    """Corrects `play` unless a word stands in its way."""

    name = "moody"

    def __init__(self, *unless: str) -> None:
        self.unless = unless

    def correct(self, sentences: Sequence[str], /) -> list[str]:
        return [
            text if any(word in text for word in self.unless) else text.replace("play", "playing") for text in sentences
        ]


def pair(source: str, target: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(source.split()), tuple(target.split())


@pytest.mark.parametrize(
    ("pairs", "edits"),
    [
        pytest.param(["a b → a x"], [Edit(1, 2, ("x",))], id="alone"),
        pytest.param(["a b → a b", "c b → c x", "d b → d x"], [Edit(1, 2, ("x",))], id="overruled"),
        pytest.param(["a b → a x", "c b → c b"], [], id="a tie changes nothing"),
        pytest.param(["a b → a x", "a c → a c", "a d → a d"], [Edit(1, 2, ("x",))], id="no vote on a changed word"),
        pytest.param(["a b → a b", "a c → a x", "a d → a x"], [], id="edits of changed words do not come back"),
        pytest.param(["a b → a b", "a y b → a y z", "y a b → y a z"], [Edit(1, 2, ("z",))], id="shifted places"),
        pytest.param(["a b → a y b", "c b → c y b"], [Edit(1, 1, ("y",))], id="insertion"),
        pytest.param(["a b → a", "c b → c"], [Edit(1, 2, ())], id="deletion"),
    ],
)
def test_majorities(pairs: list[str], edits: list[Edit]) -> None:
    assert count_votes([pair(*one.split("→")) for one in pairs]) == edits


WORDS = st.lists(st.sampled_from("abcd"), max_size=6).map(tuple)


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=5))
def test_chosen_edits_can_be_made(voters: list[tuple[tuple[str, ...], tuple[str, ...]]]) -> None:
    apply_edits(voters[0][0], count_votes(voters))


@given(WORDS, WORDS, st.integers(1, 4))
def test_voters_of_one_mind_get_their_way(source: tuple[str, ...], target: tuple[str, ...], n: int) -> None:
    assert apply_edits(source, count_votes([(source, target)] * n)) == target


def test_a_mood_is_outvoted() -> None:
    text = "I like play football ."
    assert Moody("football").correct([text]) == [text]
    voting = Voting(Moody("football"), substitute_words("en"), layout="tokenised")
    assert voting.correct([text])[0].target == "I like playing football ."
    assert voting.name == "voting(moody)"


@pytest.mark.parametrize(
    ("layout", "source", "target"),
    [
        ("en", "I like play, John.", "I like playing, John."),
        ("tokenised", "I like play , John .", "I like playing , John ."),
        ("en", "", ""),
    ],
)
def test_texts_keep_their_spaces(layout: str, source: str, target: str) -> None:
    assert Voting(Moody(), substitute_words("en"), layout=layout).correct([source])[0].target == target


def test_chinese() -> None:
    class Ours:
        def correct(self, sentences: Sequence[str], /) -> list[str]:
            return [text if "猫" in text else text.replace("你门", "你们") for text in sentences]

    assert substitute_words("zh", 3)("昨天猫爱你门") == ["明天猫爱你门", "昨天狗爱你门", "今天猫爱你门"]
    assert Voting(Ours(), substitute_words("zh", 6), layout="zh").correct(["猫爱你门。"])[0].target == "猫爱你们。"


def test_robustness_is_measured_with_and_without() -> None:
    cases = parse(PARA)
    alone = errata.robust(cases, Moody("chess", "hockey"), bootstrap=0)
    voting = Voting(Moody("chess", "hockey"), substitute_words("en"), layout="tokenised")
    together = errata.robust(cases, voting, bootstrap=0)
    assert alone.total.scores["consistent"].crs < together.total.scores["consistent"].crs


def test_variants_take_turns() -> None:
    make = substitute_words("en", 3, ["a b c", "x y"])
    assert make("a x .") == ["b x .", "a y .", "c x ."]
    assert make("nothing here") == []


@pytest.mark.parametrize("language", WORD_GROUPS)
def test_no_word_is_in_two_groups(language: str) -> None:
    words = [word for group in WORD_GROUPS[language] for word in group.split()]
    assert len(words) == len(set(words))
    if language == "en":
        assert not any(word[0].lower() in "aeio" for word in words)


def test_mistakes() -> None:
    class Short:
        def correct(self, sentences: Sequence[str], /) -> list[str]:
            return []

    with pytest.raises(DataError, match=r"voting\(Short\): 0 corrections of 1 sentences"):
        Voting(Short(), lambda _: []).correct(["a"])
    with pytest.raises(UnknownName, match="unknown layout 'fr'"):
        Voting(Short(), lambda _: [], layout="fr")
    with pytest.raises(UnknownName, match="unknown language 'fr'"):
        substitute_words("fr")
