"""The benchmark of everyday errors: how answers are counted, and how checkers are asked."""

from __future__ import annotations

import json
import sys

import pytest
from benchmarks.everyday import __main__ as everyday
from benchmarks.everyday import checkers
from benchmarks.everyday.outcomes import Answer, Outcome, count, find_edits, split_tokens
from benchmarks.everyday.sentences import KINDS, EverydaySentence, read_half
from hypothesis import given
from hypothesis import strategies as st

from errata.edits.apply import apply_edits
from errata.model import Edit, TextEdit


def sentence(kind: str, source: str, *accepted: str) -> EverydaySentence:
    return EverydaySentence(f"{kind}.x.1", kind, source, accepted or (source,))


MUST = sentence("of-for-have", "He must of left.", "He must have left.", "He must've left.")
TWO = sentence("participle", "I seen it alot.", "I saw it a lot.", "I've seen it a lot.")
SIDE_BY_SIDE = sentence("contraction", "i cant go.", "I can't go.", "I cannot go.")
SPLICE = sentence("run-on", "It rained, we left.", "It rained. We left.", "It rained, so we left.")
SPACE = sentence("punctuation", "I loved it !", "I loved it!")
NOT = sentence("contraction", "She dont know.", "She doesn't know.", "She does not know.")
CORRECT = sentence("doubled", "He hasn't had enough.")


@pytest.mark.parametrize(
    ("sentence", "output", "outcome", "is_reversed"),
    [
        (MUST, "He must have left.", Outcome.RIGHT, False),
        (MUST, "He must’ve left.", Outcome.RIGHT, False),
        (MUST, "He must of left.", Outcome.UNTOUCHED, False),
        (MUST, "He must left.", Outcome.WORSE, False),
        (MUST, "He must leave.", Outcome.WORSE, False),
        (MUST, "He must not have left.", Outcome.WORSE, True),
        (TWO, "I saw it alot.", Outcome.PARTLY, False),
        (TWO, "I've seen it alot.", Outcome.PARTLY, False),
        (TWO, "I seen it lot.", Outcome.WORSE, False),
        (TWO, "I saw it alot too.", Outcome.WORSE, False),
        (SIDE_BY_SIDE, "I cant go.", Outcome.PARTLY, False),
        (SIDE_BY_SIDE, "I can go.", Outcome.WORSE, True),
        (SPLICE, "It rained. we left.", Outcome.WORSE, False),
        (SPACE, "I loved it!", Outcome.RIGHT, False),
        (NOT, "She knows.", Outcome.WORSE, True),
        (NOT, "She don't know.", Outcome.WORSE, False),
        (CORRECT, "He hasn’t had enough.", Outcome.KEPT, False),
        (CORRECT, "He hasn't enough.", Outcome.CHANGED, False),
        (CORRECT, "He has had enough.", Outcome.CHANGED, True),
    ],
)
def test_outcomes(sentence, output, outcome, is_reversed):
    answer = Answer(sentence, output)
    assert (answer.outcome, answer.is_reversed) == (outcome, is_reversed)


def test_outcomes_are_counted():
    answers = [
        Answer(MUST, MUST.source),
        Answer(MUST, MUST.accepted[0]),
        Answer(SIDE_BY_SIDE, "I can go."),
        Answer(CORRECT, "He has had enough."),
        Answer(CORRECT, CORRECT.source),
    ]
    tally = count(answers)
    assert (tally.wrong, tally.right, tally.untouched, tally.worse, tally.partly) == (3, 1, 1, 1, 0)
    assert (tally.correct, tally.kept, tally.changed, tally.reversed) == (2, 1, 1, 2)
    assert tally.share_right == pytest.approx(1 / 3)
    assert count([]).share_right == 0


TEXTS = st.text("ab .,'", max_size=12).map(str.strip)


@given(TEXTS, TEXTS)
def test_edits_lead_from_one_to_the_other(source, target):
    tokens = split_tokens(source)
    assert apply_edits(tokens, find_edits(tokens, split_tokens(target))) == split_tokens(target)


@given(TEXTS)
def test_tokens_make_up_the_text(text):
    assert "".join(split_tokens(text)) == text


@pytest.mark.parametrize(
    ("source", "target", "edits"),
    [
        ("i cant go", "I can't go", [Edit(0, 1, ("I",)), Edit(1, 2, (" can't",))]),
        ("must of left", "must've left", [Edit(0, 2, ("must've",))]),
        ("rained, we", "rained. We", [Edit(1, 3, (".", " We"))]),
        ("the the end", "the end", [Edit(1, 2, ())]),
    ],
)
def test_edits_are_whole(source, target, edits):
    assert find_edits(split_tokens(source), split_tokens(target)) == edits


def test_perfect_and_idle_checkers():
    sentences = read_half("dev")
    perfect = everyday.Result("perfect", [Answer(one, one.accepted[-1]) for one in sentences])
    idle = everyday.Result("idle", [Answer(one, one.source) for one in sentences])
    assert count(perfect.answers).share_right == 1
    assert count(idle.answers).untouched == count(idle.answers).wrong
    for result in (perfect, idle):
        tally = count(result.answers)
        assert (tally.worse, tally.partly, tally.changed, tally.reversed) == (0, 0, 0, 0)


@pytest.fixture
def short_set(monkeypatch):
    """The set cut to two sentences of each kind, so that a test runs them in a moment."""

    def read_some(half):
        sentences = read_half(half)
        return [next(one for one in sentences if one.kind == kind and one.is_correct is correct)
                for kind in KINDS for correct in (False, True)]  # fmt: skip

    monkeypatch.setattr(everyday, "read_half", read_some)


def test_tables_fit_the_terminal(short_set, capsys):
    assert everyday.main(["--preset", "careful", "--peers"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert [line.split()[0] for line in lines[1 : len(KINDS) + 1]] == list(KINDS)
    assert lines[-1].startswith("en-small careful") and lines[-1].endswith("of  16")


def test_the_test_half_gives_totals_alone(short_set, capsys):
    assert everyday.main(["--half", "test", "--preset", "careful", "--peers", "--json"]) == 0
    [content] = json.loads(capsys.readouterr().out)
    assert (
        content.keys() == {"checker", "half", "total"} and content["total"]["kept"] + content["total"]["changed"] == 16
    )
    assert everyday.main(["--half", "test", "--preset", "careful", "--peers"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    with pytest.raises(SystemExit):
        everyday.main(["--half", "test", "--show", "all"])
    assert "nobody reads single failures" in capsys.readouterr().err


def test_sentences_are_shown(short_set, capsys):
    assert everyday.main(["--preset", "careful", "--peers", "--show", "missed", "--json"]) == 0
    [content] = json.loads(capsys.readouterr().out)
    n_missed = content["total"]["untouched"] + content["total"]["partly"]
    assert len(content["sentences"]) == n_missed > 0
    assert content["kinds"].keys() == set(KINDS)
    assert everyday.main(["--preset", "careful", "--peers", "--show", "missed"]) == 0
    assert capsys.readouterr().out.count("\n  ") == n_missed


def test_a_listing_says_what_was_made_of_a_sentence():
    result = everyday.Result("x", [Answer(NOT, "She knows."), Answer(CORRECT, "He has had enough.")])
    assert everyday.listing(result, "worse").splitlines() == [
        "x: worse",
        "contraction.x.1 (worse, reversed)",
        "  She dont know.",
        "→ She knows.",
        "= She doesn't know.",
        "doubled.x.1 (changed, reversed)",
        "  He hasn't had enough.",
        "→ He has had enough.",
    ]


def test_a_model_that_is_not_there_is_one_line(capsys):
    assert everyday.main(["--model", "en-tiny", "--peers"]) != 0
    assert capsys.readouterr().err.startswith("benchmarks.everyday: ")


def test_findings_of_both_writers_count():
    british = [TextEdit(0, 1, "I"), TextEdit(2, 6, "grey"), TextEdit(7, 8, "x"), TextEdit(7, 9, "y")]
    american = [TextEdit(0, 1, "me"), TextEdit(7, 8, "z"), TextEdit(7, 9, "y")]
    assert checkers._apply_common("i gray ab.", [british, american]) == "I gray xb."


def test_offsets_of_lingotweaker_are_bytes():
    match = {"offset": 6, "length": 4, "suggestions": ["don't"]}
    assert checkers._lingotweaker_edit("Café dont", match) == TextEdit(5, 9, "don't")


def test_a_peer_that_is_not_installed_is_told(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "harper", None)
    assert list(everyday.open_checkers([], [], ["harper"])) == []
    assert "without harper: harper-py is not installed" in capsys.readouterr().err


@pytest.mark.parametrize("peer", checkers.PEERS)
def test_peers_correct(peer):
    pytest.importorskip({"harper": "harper", "lingotweaker": "lt_py"}[peer])
    texts = ["I should of asked at the café, dont you think?", "Its colour is red."]
    assert checkers.PEERS[peer]()(texts) == ["I should have asked at the café, don't you think?", "Its colour is red."]
