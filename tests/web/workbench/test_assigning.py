"""What owners decide: who loses a sentence, and who gets one by name."""

from __future__ import annotations

import pytest
from bench import Bench

from errata.web.refusals import Refusal
from errata.web.workbench import assigning, members

TEAM = ("annotator-1", "annotator-2", "reviewer-1")


def begin(bench: Bench, *lines: str, k: int = 1) -> Bench:
    bench.settings = {"k": k}
    return bench.begin(lines or ["He go home ."], *TEAM)


def kinds(bench: Bench) -> list[str]:
    found = bench.rows("SELECT kind FROM events WHERE project_id = :id ORDER BY number", id=bench.project_id)
    return [row.kind for row in found]


def test_a_sentence_taken_away_goes_to_somebody_else(bench: Bench) -> None:
    begin(bench)
    held = bench.take("annotator-1", "annotate")
    assert bench.claim("annotator-2").reason == "nothing"
    bench.take_away(held["item"]["id"], held["id"])
    assert kinds(bench)[-1] == "task.taken_away"
    assert bench.claim("annotator-1").reason == "nothing"
    with pytest.raises(Refusal) as refused:  # typing on does not bring it back
        bench.submit("annotator-1", held, status="error_free")
    assert (refused.value.status, refused.value.facts["current"]["state"]) == (409, "dropped")
    bench.answer("annotator-2")
    assert bench.items()[0]["state"] == "reviewing"


def test_an_answer_that_was_taken_back_and_taken_away_is_not_reviewed(bench: Bench) -> None:
    begin(bench)
    task = bench.answer("annotator-1", "He goes home .")
    bench.take_back("annotator-1", task["id"])
    bench.take_away(task["item"]["id"], task["id"])
    bench.answer("annotator-2", "He went home .")
    review = bench.take("reviewer-1", "review")
    assert [answer["target"] for answer in review["answers"]] == ["He went home ."]


def test_only_what_somebody_holds_and_others_can_do_is_taken_away(bench: Bench) -> None:
    begin(bench)
    task = bench.answer("annotator-1", "He gone home .")
    item_id = task["item"]["id"]
    with pytest.raises(Refusal, match="nobody holds"):
        bench.take_away(item_id, task["id"])
    with pytest.raises(Refusal, match="nobody has such a task"):
        bench.take_away(item_id, "0" * 26)
    bench.review("reviewer-1", added=["He goes home ."])
    study = bench.take("annotator-1", "study")
    with pytest.raises(Refusal, match="only this person"):
        bench.take_away(item_id, study["id"])


def test_a_sentence_waits_for_the_person_it_was_given_to(bench: Bench) -> None:
    begin(bench, *(f"He go home {n} times ." for n in range(9)))
    chosen = bench.items()[7]["id"]
    bench.assign(chosen, "annotator-1")
    assert kinds(bench)[-1] == "task.assigned"
    bench.now += assigning.WAITS / 2  # far longer than a lease
    for _ in range(8):
        assert bench.answer("annotator-2")["item"]["id"] != chosen
    assert bench.claim("annotator-2", "annotate").reason == "nothing"
    task = bench.take("annotator-1", "annotate")
    assert task["item"]["id"] == chosen
    bench.now += 3600  # once begun, the usual lease counts
    assert bench.take("annotator-2", "annotate")["item"]["id"] == chosen


def test_nobody_waits_for_ever(bench: Bench) -> None:
    begin(bench)
    bench.assign(bench.items()[0]["id"], "annotator-1")
    bench.now += assigning.WAITS + 1
    bench.answer("annotator-2")


def test_a_task_that_is_held_comes_before_what_was_assigned(bench: Bench) -> None:
    begin(bench, "He go home .", "She go home .")
    held = bench.take("annotator-1", "annotate")
    other = next(item["id"] for item in bench.items() if item["id"] != held["item"]["id"])
    bench.assign(other, "annotator-1")
    assert bench.take("annotator-1", "annotate")["id"] == held["id"]
    bench.submit("annotator-1", held, status="error_free")
    assert bench.take("annotator-1", "annotate")["item"]["id"] == other


def test_who_skipped_it_can_be_given_it_again(bench: Bench) -> None:
    begin(bench)
    task = bench.answer("annotator-1", status="skipped", comment="no idea")
    bench.assign(task["item"]["id"], "annotator-1")
    again = bench.take("annotator-1", "annotate")
    bench.submit("annotator-1", again, status="error_free")
    assert bench.items()[0]["state"] == "reviewing"


def test_a_review_is_given_to_a_reviewer(bench: Bench) -> None:
    begin(bench)
    item_id = bench.answer("annotator-1")["item"]["id"]
    with pytest.raises(Refusal, match="no reviewer"):
        bench.assign(item_id, "annotator-2")
    bench.assign(item_id, "reviewer-1")
    assert bench.claim("owner", "review").reason == "nothing"
    assert bench.take("reviewer-1", "review")["item"]["id"] == item_id


def test_what_cannot_be_assigned_is_refused_with_the_reason(bench: Bench) -> None:
    begin(bench, "He go home .", k=2)
    item_id = bench.items()[0]["id"]
    bench.answer("annotator-1")
    with pytest.raises(Refusal, match="has the sentence already"):
        bench.assign(item_id, "annotator-1")
    bench.answer("reviewer-1")
    with pytest.raises(Refusal, match="nobody reviews a sentence that they annotated"):
        bench.assign(item_id, "reviewer-1")
    bench.review("owner", accept=["He go home .!"])
    with pytest.raises(Refusal, match="nothing left to do"):
        bench.assign(item_id, "annotator-2")
    bench.change(state="paused")
    with pytest.raises(Refusal, match="start it first"):
        bench.assign(item_id, "annotator-2")


def test_a_full_sentence_needs_a_slot_first(bench: Bench) -> None:
    begin(bench)
    held = bench.take("annotator-1", "annotate")
    with pytest.raises(Refusal, match="let more people annotate it"):
        bench.assign(held["item"]["id"], "annotator-2")
    bench.take_away(held["item"]["id"], held["id"])
    bench.assign(held["item"]["id"], "annotator-2")


def test_only_qualified_members_are_given_sentences(bench: Bench) -> None:
    begin(bench)
    item_id = bench.items()[0]["id"]
    bench.bring("S a b\nA 0 1|||R|||c|||REQUIRED|||-NONE-|||0\n\n", name="q.m2", purpose="qualify")
    with pytest.raises(Refusal, match="not qualified"):
        bench.assign(item_id, "annotator-1")
    with bench.writing() as connection:
        given = {"by": bench.people["owner"], "now": bench.now, "role": None, "state": "removed"}
        members.change_member(connection, bench.project_id, bench.people["annotator-2"], **given)  # type: ignore[arg-type]
    with pytest.raises(Refusal, match="no such member"):
        bench.assign(item_id, "annotator-2")
