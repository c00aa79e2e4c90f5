"""An item's way: claimed, annotated, reviewed, studied, complained about; who may have which task when."""

from __future__ import annotations

from typing import Any

import pytest
from bench import Bench

from errata.web.refusals import Refusal

TEAM = ("annotator-1", "annotator-2", "annotator-3", "reviewer-1")


def test_an_item_goes_through_every_state(bench: Bench) -> None:
    bench.begin(["He go home ."], *TEAM)
    [item] = bench.items()
    assert (item["state"], item["n_free"]) == ("annotating", 3)
    bench.answer("annotator-1", "He goes home .")
    bench.answer("annotator-2", "He  goes home . ", "He went home .")
    bench.answer("annotator-3", "He gone home .", comment="not sure")
    assert bench.items()[0]["state"] == "reviewing"
    task = bench.review("reviewer-1", accept=["He goes home ."], added=["He is going home ."])
    assert [(answer["target"], answer["n_times"]) for answer in task["answers"]] == [
        ("He goes home .", 2),
        ("He gone home .", 1),
        ("He went home .", 1),
    ]
    assert task["comments"] == [{"text": "not sure", "status": "corrected"}]
    assert (bench.items()[0]["state"], bench.items()[0]["outcome"]) == ("done", "corrected")
    assert bench.golden(item["id"]) == ["He goes home .", "He is going home ."]

    # The second annotator was half right, and studies; the first one was right.
    assert bench.claim("annotator-1").reason == "nothing"
    study = bench.take("annotator-2")
    assert study["kind"] == "study"
    assert [(mine["target"], mine["is_accepted"]) for mine in study["mine"]] == [
        ("He  goes home .", True),
        ("He went home .", False),
    ]
    with pytest.raises(Refusal, match="no golden reference"):
        bench.submit("annotator-2", study, answers=["He went home ."])
    bench.submit("annotator-2", study, answers=["He goes  home ."])
    assert bench.claim("annotator-2").reason == "nothing"


def disagree(bench: Bench) -> dict[str, Any]:
    """One item is reviewed, and the third annotator has something to study."""
    bench.begin(["He go home ."], *TEAM)
    bench.answer("annotator-1", "He goes home .")
    bench.answer("annotator-2", "He went home .")
    bench.answer("annotator-3", "He went home .")
    bench.review("reviewer-1", accept=["He goes home ."])
    return bench.take("annotator-3", "study")


def test_a_complaint_that_is_upheld_changes_the_gold(bench: Bench) -> None:
    study = disagree(bench)
    bench.submit("annotator-3", study, complaint="It was yesterday.", target="He went home .")
    assert bench.claim("annotator-3").reason == "nothing"
    judge = bench.take("reviewer-1", "judge")
    assert judge["complaint"] == {"target": "He went home .", "reason": "It was yesterday."}
    bench.submit("reviewer-1", judge, is_upheld=True, comment="Right.")
    [item] = bench.items()
    assert bench.golden(item["id"]) == ["He goes home .", "He went home ."]
    # The other one who was wrong is right now, and nobody has anything to study.
    for name in TEAM:
        assert bench.claim(name).reason == "nothing"


def test_a_complaint_that_is_rejected_is_studied(bench: Bench) -> None:
    study = disagree(bench)
    with pytest.raises(Refusal, match="needs a reason"):
        bench.submit("annotator-3", study, complaint=" ", target="He went home .")
    with pytest.raises(Refusal, match="not accepted"):
        bench.submit("annotator-3", study, complaint="Why?", target="He goes home .")
    bench.submit("annotator-3", study, complaint="It was yesterday.", target="He went home .")
    bench.submit("reviewer-1", bench.take("reviewer-1", "judge"), is_upheld=False, comment="It says go.")
    again = bench.take("annotator-3", "study")
    assert again["id"] == study["id"]
    assert again["mine"][0]["complaint"] == {"state": "rejected", "decision": "It says go."}
    with pytest.raises(Refusal, match="decided"):
        bench.submit("annotator-3", again, complaint="But!", target="He went home .")
    bench.submit("annotator-3", again, answers=["He goes home ."])
    assert bench.claim("annotator-3").reason == "nothing"
