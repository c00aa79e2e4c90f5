"""Fluency: what tells learners from fluent writers, and what it does to confidences."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.errors import DataError
from errata.pipeline.fluency import N_WEIGHTS, Fluency, features
from errata.pipeline.presets import Calibration, Ladder, Preset, read_presets


def about(*words: str) -> Fluency:
    """Sentences with these words are fluent, and no others."""
    weights = np.zeros(N_WEIGHTS, np.int8)
    for word in words:
        weights[np.setdiff1d(features((word, "x")), features(("y", "x")))] = 100
    return Fluency(weights, 0.5, -4.0)


LEARNER, FLUENT = ("i", "like", "dogs"), ("whilst", "dogs", "sleep")
SHARE = about("whilst")


def test_words_decide() -> None:
    assert SHARE(LEARNER) < 0.1 < 0.9 < SHARE(FLUENT)
    assert SHARE(()) == SHARE(("",)) < 0.1


@given(st.lists(st.text()))
def test_any_tokens_have_a_fluency(tokens: list[str]) -> None:
    assert 0 <= SHARE(tuple(tokens)) <= 1


def test_what_is_written_is_read_again() -> None:
    assert Fluency.read(SHARE.as_dict()) == SHARE != about("i")
    for other in (copy.deepcopy(SHARE), pickle.loads(pickle.dumps(SHARE))):
        assert other == SHARE and other(FLUENT) == SHARE(FLUENT)


@pytest.mark.parametrize(
    "damage",
    [{"weights": "?"}, {"weights": "AAAA"}, {"scale": "x"}, {"scale": float("nan")}, {"offset": None}, "x", [1], {}],
    ids=["no base64", "too few", "a word", "nan", "nothing", "text", "list", "empty"],
)
def test_a_damaged_fluency_is_told(damage: object) -> None:
    given = SHARE.as_dict() | damage if isinstance(damage, dict) and damage else damage
    with pytest.raises(DataError, match="the model's fluency cannot be read"):
        read_presets({"settings": {"fluency": given}})


MIXED = Calibration(1.0, 0.0, {"R": 1.0}, Calibration(1.0, -2.0, {"R": -1.0}))


def test_log_odds_are_mixed() -> None:
    apart = [MIXED(0.5, "R:NOUN", share) for share in (0.0, 0.5, 1.0)]
    assert apart == pytest.approx([1 / (1 + np.exp(-odds)) for odds in (1.0, -1.0, -3.0)])
    assert Calibration()(0.7, "R", 1.0) == pytest.approx(0.7)  # the same for all writers


def test_a_preset_trusts_learners_edits_and_fluent_ones_apart() -> None:
    manifest = {
        "settings": {
            "fluency": SHARE.as_dict(),
            "presets": {"balanced": Preset({}, MIXED, 0.5).as_dict()},
        }
    }
    presets = read_presets(manifest)
    assert presets == {"balanced": Preset({}, MIXED, 0.5, SHARE)}
    ladder = Ladder.of(presets)
    learner, fluent = (ladder.confidences(0.6, "R:NOUN", tokens) for tokens in (LEARNER, FLUENT))
    assert ladder.ranks([learner]) == [0] and ladder.ranks([fluent]) == [None]


def test_without_fluency_all_are_learners() -> None:
    assert Preset({}, MIXED).confidence(0.6, "R", FLUENT) == MIXED(0.6, "R")
