"""Calibration: confidences that mean how often an edit is right."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.pipeline.presets import Calibration
from errata.tuning.calibration import JudgedEdit, calibration_error, fit_calibration, held_out_error

edits = st.builds(
    JudgedEdit,
    confidence=st.floats(0, 1),
    kind=st.sampled_from(["R:SPELL", "M:DET", "U:PUNCT", "R"]),
    is_right=st.booleans(),
)


def drawn(truth: Calibration, n: int, seed: int) -> list[JudgedEdit]:
    """Edits that are right as often as `truth` says."""
    rng = random.Random(seed)
    found = []
    for _ in range(n):
        confidence, kind = rng.uniform(0.05, 0.95), rng.choice(["R:SPELL", "M:DET", "R:PREP"])
        found.append(JudgedEdit(confidence, kind, rng.random() < truth(confidence, kind)))
    return found


def test_the_truth_is_found():
    truth = Calibration(slope=0.6, offset=-1.2, types={"R:SPELL": 1.5, "R:PREP": -1.0})
    found = fit_calibration(drawn(truth, 6000, 1))
    for confidence in (0.2, 0.5, 0.9):
        for kind in ("R:SPELL", "M:DET", "R:PREP"):
            assert found(confidence, kind) == pytest.approx(truth(confidence, kind), abs=0.05)
    fresh = drawn(truth, 6000, 2)
    assert calibration_error(fresh) > 0.1 > 0.03 > calibration_error(fresh, found)
    assert held_out_error((fresh[:3000], fresh[3000:])) < 0.04


def test_rare_types_share_their_operation():
    found = fit_calibration([JudgedEdit(0.9, f"R:{n}", False) for n in range(40)] + [JudgedEdit(0.9, "M:X", True)] * 40)
    assert set(found.types) == {"R", "M:X"}
    assert found(0.9, "R:unseen") < 0.2 < 0.8 < found(0.9, "M:X")


def test_nothing_is_learnt_from_nothing():
    assert fit_calibration([]) == Calibration()
    assert calibration_error([]) == held_out_error(([], [])) == 0.0


@given(st.lists(edits, max_size=60))
def test_any_edits_can_be_calibrated(given_edits):
    found = fit_calibration(given_edits)
    assert all(0 <= found(edit.confidence, edit.kind) <= 1 for edit in given_edits)
    assert 0 <= calibration_error(given_edits, found) <= 1
    # Fitted on themselves, confidences are right on the whole.
    if given_edits:
        told = sum(found(edit.confidence, edit.kind) for edit in given_edits)
        assert told == pytest.approx(sum(edit.is_right for edit in given_edits), abs=0.01 * len(given_edits) + 0.1)


def test_a_frequent_word_is_judged_by_itself() -> None:
    commas = [JudgedEdit(0.5, "M:PUNCT ,", n % 5 > 0) for n in range(200)]
    hyphens = [JudgedEdit(0.5, "M:PUNCT -", n % 10 == 0) for n in range(200)]
    others = [JudgedEdit(0.5, f"M:PUNCT {chr(n + 97)}", n % 2 == 0) for n in range(26)]
    found = fit_calibration([*commas, *hyphens, *others])
    comma, hyphen, unheard = (found(0.5, kind) for kind in ("M:PUNCT ,", "M:PUNCT -", "M:PUNCT …"))
    assert comma == pytest.approx(0.8, abs=0.05) and hyphen == pytest.approx(0.1, abs=0.05)
    assert unheard == found(0.5, "M:PUNCT") and hyphen < unheard < comma
