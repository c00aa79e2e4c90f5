"""Learning what tells learners from fluent writers, and calibrating for both."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from errata.errors import DataError
from errata.pipeline.presets import Calibration
from errata.tuning.calibration import JudgedEdit, calibration_error, fit_calibration
from errata.tuning.fluency import LEAST, learn_fluency, read_sentences

COMMON = "the a and to of in it was is for on with at by from".split()


def written(words: str, n: int, seed: int) -> list[tuple[str, ...]]:
    """Different sentences of common words, with one or two of a writer's own."""
    rng = random.Random(seed)
    own = words.split()
    return [(*rng.choices(COMMON, k=8), *rng.choices(own, k=2), str(number)) for number in range(n)]


LEARNERS = written("study friend happy very because like", 1500, 1)
FLUENT = written("whereas regime albeit yield forthwith hinder", 3000, 2)


def test_writers_are_told_apart() -> None:
    learnt = learn_fluency(LEARNERS, FLUENT)
    assert (learnt.n_learners, learnt.n_fluent) == (1500, 3000) and learnt.accuracy > 0.95
    assert learnt.fluency(LEARNERS[0]) < 0.2 < 0.8 < learnt.fluency(FLUENT[0])
    assert learn_fluency(LEARNERS, FLUENT).fluency == learnt.fluency  # the same seed
    assert learn_fluency(LEARNERS, FLUENT, seed=2).fluency != learnt.fluency


def test_a_doubtful_sentence_is_a_learners() -> None:
    learnt = learn_fluency(written("study", 1500, 3), written("study", 1500, 4))
    assert learnt.fluency(tuple(COMMON)) < 0.4


def test_few_sentences_are_refused() -> None:
    with pytest.raises(DataError, match="999 different sentences of learners are too few: give at least 1,000"):
        learn_fluency(LEARNERS[: LEAST - 1], FLUENT)
    with pytest.raises(DataError, match="1 different sentences of fluent writers"):
        learn_fluency(LEARNERS, FLUENT[:1] * 5000)


def test_sentences_are_read_from_any_format(tmp_path: Path) -> None:
    texts, pairs = tmp_path / "texts.txt", tmp_path / "pairs.tsv"
    texts.write_text("He goes home .\nShe sleeps .\n", encoding="utf-8")
    pairs.write_text("He go home .\tHe goes home .\n" * 3, encoding="utf-8")
    found = read_sentences([texts, pairs], "en")
    assert found == [("He", "goes", "home", "."), ("She", "sleeps", "."), *[("He", "go", "home", ".")] * 3]
    with pytest.raises(DataError, match="are in English, and the model corrects Chinese"):
        read_sentences([texts], "zh")


def drawn(truth: Calibration, n: int, seed: int) -> list[JudgedEdit]:
    rng = random.Random(seed)
    found = []
    for _ in range(n):
        confidence, kind, share = rng.uniform(0.05, 0.95), rng.choice(["R:SPELL", "M:DET"]), rng.choice([0.1, 0.9])
        found.append(JudgedEdit(confidence, kind, rng.random() < truth(confidence, kind, share), share))
    return found


def test_the_truth_about_both_is_found() -> None:
    truth = Calibration(0.8, 0.5, {"R:SPELL": 0.5}, Calibration(0.6, -1.5, {"M:DET": -1.0}))
    found = fit_calibration(drawn(truth, 8000, 1))
    for share in (0.0, 0.5, 1.0):
        for kind in ("R:SPELL", "M:DET"):
            assert found(0.6, kind, share) == pytest.approx(truth(0.6, kind, share), abs=0.06)
    fresh = drawn(truth, 6000, 2)
    assert calibration_error(fresh, found) < 0.03
    plain = [JudgedEdit(edit.confidence, edit.kind, edit.is_right) for edit in fresh]
    assert fit_calibration(plain).fluent is None
