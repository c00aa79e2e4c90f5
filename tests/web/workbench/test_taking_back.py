"""Taking back what one handed in: until a reviewer has seen it, and never twice."""

from __future__ import annotations

import json
from typing import Any

import pytest
from bench import Bench
from sqlalchemy import Engine

from errata.web.refusals import Refusal
from errata.web.workbench import members
from errata.web.workbench.exports.history import write_history
from errata.web.workbench.figures.record import read_record

TEAM = ("annotator-1", "annotator-2", "reviewer-1")


def begin(bench: Bench, *lines: str, k: int = 2) -> Bench:
    bench.settings = {"k": k}
    return bench.begin(lines or ["He go home ."], *TEAM)


def kinds(bench: Bench) -> list[str]:
    found = bench.rows("SELECT kind FROM events WHERE project_id = :id ORDER BY number", id=bench.project_id)
    return [row.kind for row in found]


def test_the_answer_is_the_draft_and_the_slot_is_theirs(bench: Bench) -> None:
    begin(bench)
    task = bench.answer("annotator-1", "He went home .", "He goes home .", comment="two ways", seconds=12.0)
    back = bench.take_back("annotator-1", task["id"])
    assert (back["state"], back["draft"]["answers"]) == ("held", ["He went home .", "He goes home ."])
    assert back["draft"] | {"answers": []} == {
        "answers": [],
        "status": "corrected",
        "comment": "two ways",
        "is_suggested": False,
        "seconds": 12.0,
    }
    assert bench.items()[0]["n_free"] == 1 and kinds(bench)[-1] == "task.taken_back"
    bench.submit("annotator-1", back, status="corrected", answers=["He goes home ."])
    bench.answer("annotator-2", "He goes home .")
    review = bench.take("reviewer-1", "review")
    assert [(answer["target"], answer["n_times"]) for answer in review["answers"]] == [("He goes home .", 2)]
    assert review["comments"] == []  # the remark was on the answer that is no more


def test_the_last_answer_comes_back_from_the_queue_of_reviews(bench: Bench) -> None:
    begin(bench, k=1)
    task = bench.answer("annotator-1", "He goes home .")
    assert bench.items()[0]["state"] == "reviewing"
    back = bench.take_back("annotator-1", task["id"])
    assert (bench.items()[0]["state"], bench.items()[0]["n_free"]) == ("annotating", 0)
    assert bench.claim("reviewer-1", "review").reason == "nothing"
    assert kinds(bench)[-2:] == ["item.annotating", "task.taken_back"]
    bench.submit("annotator-1", back, status="error_free")
    assert bench.items()[0]["state"] == "reviewing"


@pytest.mark.parametrize("is_released", [False, True])
def test_what_a_reviewer_has_seen_stays(bench: Bench, is_released: bool) -> None:
    begin(bench, k=1)
    task = bench.answer("annotator-1")
    assert bench.own_answers("annotator-1")[0]["can_take_back"] is True
    bench.take("reviewer-1", "review")
    bench.now += 3600 * is_released  # the lease is over, but the answer was seen
    bench.claim("annotator-2")
    assert bench.own_answers("annotator-1")[0]["can_take_back"] is False
    with pytest.raises(Refusal, match="reviewer has seen") as refused:
        bench.take_back("annotator-1", task["id"])
    assert refused.value.status == 409


def test_nobody_takes_back_what_is_not_theirs_or_not_handed_in(bench: Bench) -> None:
    begin(bench)
    task = bench.answer("annotator-1")
    with pytest.raises(Refusal) as refused:
        bench.take_back("annotator-2", task["id"])
    assert refused.value.status == 404
    bench.take_back("annotator-1", task["id"])
    with pytest.raises(Refusal, match="not handed in"):
        bench.take_back("annotator-1", task["id"])


def test_a_finished_project_gives_nothing_back(bench: Bench) -> None:
    begin(bench)
    task = bench.answer("annotator-1")
    bench.change(state="finished")
    assert bench.own_answers("annotator-1")[0]["can_take_back"] is False
    with pytest.raises(Refusal, match="does not run"):
        bench.take_back("annotator-1", task["id"])
    bench.change(state="paused")
    assert bench.take_back("annotator-1", task["id"])["state"] == "held"


def test_the_next_sentence_waits_meanwhile_and_no_more_are_taken_back(bench: Bench) -> None:
    begin(bench, "He go home .", "She go home .", "We goes home .")
    first, second = bench.answer("annotator-1"), bench.answer("annotator-1")
    third = bench.take("annotator-1", "annotate")
    back = bench.take_back("annotator-1", first["id"])
    with pytest.raises(Refusal, match="hand it in first"):
        bench.take_back("annotator-1", second["id"])
    assert bench.take("annotator-1", "annotate")["id"] == first["id"]  # also after the page was loaded anew
    bench.submit("annotator-1", back, status="error_free")
    assert bench.take("annotator-1", "annotate")["id"] == third["id"]


def test_who_leaves_it_loses_the_slot_and_the_answer_counts_no_more(bench: Bench) -> None:
    begin(bench, k=1)
    task = bench.answer("annotator-1", "He goes home .")
    bench.take_back("annotator-1", task["id"])
    bench.now += 3600
    bench.answer("annotator-2", "He went home .")
    review = bench.take("reviewer-1", "review")
    assert [answer["target"] for answer in review["answers"]] == ["He went home ."]
    assert bench.own_answers("annotator-1") == []


def read_figures(engine: Engine, project_id: str) -> list[tuple[str, tuple[str, ...], bool]]:
    return [(one.status, one.answers, one.is_latest) for one in read_record(engine, project_id).submissions]


def test_the_record_keeps_every_version_and_figures_count_the_last(bench: Bench) -> None:
    begin(bench)
    task = bench.answer("annotator-1", "He went home .")
    back = bench.take_back("annotator-1", task["id"])
    assert read_figures(bench.engine, bench.project_id) == []
    bench.submit("annotator-1", back, status="corrected", answers=["He goes home ."])
    assert read_figures(bench.engine, bench.project_id) == [("corrected", ("He goes home .",), True)]
    with bench.writing() as connection:
        lines: list[dict[str, Any]] = [json.loads(line) for line in write_history(connection, bench.project_id)]
    [item] = [line for line in lines if line["record"] == "item"]
    assert [one["answers"] for one in item["submissions"]] == [["He went home ."], ["He goes home ."]]
    assert bench.own_answers("annotator-1")[0]["answers"] == ["He goes home ."]


def test_skipped_sentences_are_listed_and_stay_skipped(bench: Bench) -> None:
    begin(bench)
    task = bench.answer("annotator-1", status="skipped", comment="not mine")
    [listed] = bench.own_answers("annotator-1")
    assert (listed["status"], listed["comment"], listed["can_take_back"]) == ("skipped", "not mine", False)
    with pytest.raises(Refusal, match="not handed in"):
        bench.take_back("annotator-1", task["id"])


def change_member(bench: Bench, name: str, state: str) -> members.Member:
    with bench.writing() as connection:
        return members.change_member(
            connection,
            bench.project_id,
            bench.people[name],
            by=bench.people["owner"],
            now=bench.now,
            role=None,
            state=state,
        )


def test_a_member_brought_back_is_what_they_were(bench: Bench) -> None:
    begin(bench)
    change_member(bench, "annotator-2", "qualified")
    for name, wanted in (("annotator-1", members.ACTIVE), ("annotator-2", members.QUALIFIED)):
        change_member(bench, name, "removed")
        assert change_member(bench, name, "active").state == wanted


def test_a_member_brought_back_qualifies_before_they_finish_what_they_held(bench: Bench) -> None:
    begin(bench)
    held = bench.take("annotator-1", "annotate")
    done = bench.answer("annotator-2")
    bench.bring("S a b\nA 0 1|||R|||c|||REQUIRED|||-NONE-|||0\n\n", name="q.m2", purpose="qualify")
    for state in ("removed", "active"):
        change_member(bench, "annotator-1", state)
    outcome = bench.submit("annotator-1", held, status="error_free")
    assert outcome.is_lost and bench.items()[0]["state"] == "annotating"
    assert bench.take("annotator-1")["kind"] == "qualify"
    with pytest.raises(Refusal, match="qualify first"):
        bench.take_back("annotator-2", done["id"])
