"""Learnt weights: whom to believe about what."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from errata.errors import DataError
from errata.model import Edit
from errata.stats.logistic import fit_logistic
from errata.systems.ensemble.ballots import Ballot, Candidate
from errata.systems.ensemble.learnt import LearntVoting, best_threshold, learn_votes

TOKENS = tuple("abcdef")


def made_up(n: int = 200) -> tuple[list[Ballot], list[list[list[Edit]]]]:
    """System 0 is right about nouns and wrong about verbs, system 1 the other way round."""
    ballots, gold = [], []
    for number in range(n):
        who = number % 2
        noun, verb = Edit(0, 1, (f"n{number}",), "R:NOUN"), Edit(3, 4, (f"v{number}",), "R:VERB")
        ballots.append(Ballot(TOKENS, (Candidate(noun, (who,)), Candidate(verb, (who,)))))
        gold.append([[noun if who == 0 else verb]])
    return ballots, gold


def test_learns_who_is_right_about_what() -> None:
    ballots, gold = made_up()
    learnt = learn_votes(ballots, gold, ["a", "b"], "en")
    for ballot, references in zip(ballots, gold, strict=True):
        assert [one.edit for one in learnt.elect(ballot)] == references[0]
    assert learnt.learnt["held_out_f"] == 1.0


def test_of_two_that_overlap_the_likelier_stays() -> None:
    learnt = learn_votes(*made_up(), ["a", "b"], "en")
    likely, unlikely = Candidate(Edit(0, 1, ("x",), "R:NOUN"), (0,)), Candidate(Edit(0, 2, ("y",), "R:VERB"), (0,))
    kept = replace(learnt, threshold=0.001).elect(Ballot(TOKENS, (unlikely, likely)))
    assert [one.edit for one in kept] == [likely.edit]


def test_saved_and_loaded_it_decides_the_same(tmp_path: Path) -> None:
    ballots, gold = made_up(20)
    learnt = learn_votes(ballots, gold, ["a", "b"], "en")
    learnt.save(tmp_path / "w.json")
    again = LearntVoting.load(tmp_path / "w.json")
    assert again.systems == ("a", "b") and again.threshold == learnt.threshold
    assert [again.elect(one)[0].edit for one in ballots] == [learnt.elect(one)[0].edit for one in ballots]


def test_systems_are_found_by_name_else_by_place() -> None:
    learnt = LearntVoting(("a", "b"), "en", {})
    assert learnt.order(["b", "a"]) == [1, 0]
    assert learnt.order(["x", "y"]) == [0, 1]
    with pytest.raises(DataError, match="for 2 systems, 3 were given"):
        learnt.order(["a", "b", "c"])


@pytest.mark.parametrize("content", ["", "[]", '{"format": 1}', '{"format": 2}'])
def test_damaged_weights_are_one_line(content: str, tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=r"w\.json"):
        LearntVoting.load(path)


def test_nothing_to_learn_from() -> None:
    with pytest.raises(DataError, match="nothing to learn from"):
        learn_votes([Ballot(TOKENS, ())], [[[]]], ["a"], "en")


def test_the_fit_is_where_the_gradient_is_nothing() -> None:
    rng = np.random.default_rng(1)
    inputs, labels = rng.random((80, 4)), (rng.random(80) < 0.4).astype(float)
    weights = fit_logistic(inputs, labels, 2.0)
    chance = 1 / (1 + np.exp(-inputs @ weights))
    assert np.abs(inputs.T @ (chance - labels) + 2.0 * weights).max() < 1e-8


def test_the_threshold_is_the_best_of_all() -> None:
    rng = np.random.default_rng(2)
    chance = np.round(rng.random(60), 1)
    labels = (rng.random(60) < chance).astype(float)
    cut, score = best_threshold(chance, labels, 40.0, 0.5)

    def f(at: float) -> float:
        kept = chance >= at
        return float(1.25 * labels[kept].sum() / (kept.sum() + 0.25 * 40.0))

    assert score == pytest.approx(f(cut))
    assert all(f(at) <= score + 1e-12 for at in np.unique(chance))
