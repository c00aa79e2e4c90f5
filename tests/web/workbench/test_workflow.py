"""An item's way: claimed, annotated, reviewed, studied, complained about; who may have which task when."""

from __future__ import annotations

from typing import Any

import pytest
from bench import Bench

from errata.web.database import writing
from errata.web.refusals import Refusal
from errata.web.workbench import members
from errata.web.workbench.review import Verdict

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


def test_the_same_key_changes_nothing(bench: Bench) -> None:
    bench.begin(["He go home .", "She go home ."], *TEAM)
    task = bench.take("annotator-1")
    sent = {"status": "corrected", "answers": ["x"], "key": "again"}
    assert bench.submit("annotator-1", task, **sent) == bench.submit("annotator-1", task, **sent)
    assert len(bench.rows("SELECT id FROM submissions")) == len(bench.rows("SELECT id FROM answers")) == 1
    with pytest.raises(Refusal, match="another task"):
        bench.submit("annotator-1", bench.take("annotator-1"), **sent)
    with pytest.raises(Refusal, match="done already") as refused:
        bench.submit("annotator-1", task, status="corrected", answers=["y"])
    assert refused.value.facts["current"]["state"] == "done"
    # Another person may use the same key.
    bench.submit("annotator-2", bench.take("annotator-2"), **sent)


def test_two_windows_of_one_person(bench: Bench) -> None:
    bench.begin(["He go home ."], *TEAM)
    task = bench.take("annotator-1")
    with pytest.raises(Refusal, match="another window") as refused:
        bench.submit("annotator-1", task, version=task["version"] - 1, status="corrected", answers=["x"])
    assert refused.value.status == 409
    assert bench.take("annotator-1")["id"] == task["id"]


def test_statuses(bench: Bench) -> None:
    bench.begin(["He go home ."], *TEAM)
    bench.answer("annotator-1", status="error_free")
    bench.answer("annotator-2", "He go  home .")  # as it was: nothing is wrong
    bench.answer("annotator-3", status="not_annotatable", comment="Who?")
    task = bench.take("reviewer-1", "review")
    assert [(answer["status"], answer["target"], answer["n_times"]) for answer in task["answers"]] == [
        ("not_annotatable", "", 1),
        ("error_free", "He go home .", 2),
    ]
    with pytest.raises(Refusal, match="needs a verdict"):
        bench.submit("reviewer-1", task, status="corrected", added=["x"])
    with pytest.raises(Refusal, match="no references"):
        bench.submit("reviewer-1", task, status="not_annotatable", added=["x"])
    bench.submit("reviewer-1", task, status="not_annotatable", comment="Nobody knows.")
    [item] = bench.items()
    assert (item["state"], item["outcome"], bench.golden(item["id"])) == ("done", "not_annotatable", [])
    assert all(bench.claim(name).reason == "nothing" for name in TEAM)


@pytest.mark.parametrize(
    ("verdicts", "added", "message"),
    [
        ([("x", False)], [], "accept an answer or add"),
        ([("x", True), ("x ", False)], [], "two verdicts"),
        ([("x", True), ("y", True)], [], "nobody answered"),
        ([], ["z"], "needs a verdict"),
        ([("x", True)], ["a\x07b"], "control character"),
    ],
)
def test_reviews_that_are_none(bench: Bench, verdicts: Any, added: Any, message: str) -> None:
    bench.settings = {"k": 1}
    bench.begin(["He go home ."], "annotator-1", "reviewer-1")
    bench.answer("annotator-1", "x")
    task = bench.take("reviewer-1", "review")
    with pytest.raises(Refusal, match=message):
        bench.submit("reviewer-1", task, verdicts=[Verdict(*verdict) for verdict in verdicts], added=added)
    assert bench.items()[0]["state"] == "reviewing" and not bench.rows("SELECT id FROM verdicts")


def test_names_are_shown_only_where_work_is_not_blind(bench: Bench) -> None:
    bench.settings = {"k": 1, "blind": False}
    bench.begin(["He go home ."], "annotator-1", "reviewer-1")
    bench.answer("annotator-1", "x", comment="mine")
    task = bench.take("reviewer-1", "review")
    assert task["answers"][0]["names"] == ["annotator-1"] and task["comments"][0]["name"] == "annotator-1"


def test_references_of_a_file_are_judged_like_answers(bench: Bench) -> None:
    bench.settings = {"k": 1}
    bench.begin([], "annotator-1", "reviewer-1")
    bench.bring("He go home .\tHe goes home .\n", name="a.tsv", references="golden")
    bench.answer("annotator-1", "x")
    task = bench.review("reviewer-1", accept=["He goes home ."])
    assert {(answer["status"], answer["target"]) for answer in task["answers"]} == {
        ("imported", "He goes home ."),
        ("corrected", "x"),
    }
    assert bench.golden(task["item"]["id"]) == ["He goes home ."]


def test_the_paragraph_is_shown(bench: Bench) -> None:
    bench.kind = "minimal"
    bench.begin(["One is here. Two is here.", "Three is here.", "", "Four is here."], "annotator-1")
    task = bench.take("annotator-1")
    shown = [sentence["source"] for sentence in task["passage"]]
    assert shown in (["One is here.", "Two is here.", "Three is here."], ["Four is here."])
    [current] = [sentence for sentence in task["passage"] if sentence["is_current"]]
    assert current["source"] == task["item"]["source"]


GOLD = "".join(f"He go {n} times .\tHe goes {n} times .\tHe went {n} times .\n" for n in range(10))


def qualify(bench: Bench, name: str, n_wrong: int) -> dict[str, Any]:
    """Somebody does their round; what the last reply says."""
    for number in range(10):
        task = bench.take(name)
        assert task["kind"] == "qualify" and task["qualified"]["n_done"] == number
        target = task["item"]["source"].replace("go", "gone" if number < n_wrong else "goes").replace(" ", "  ")
        reply = bench.submit(name, task, status="corrected", answers=[target]).reply
    found: dict[str, Any] = reply["qualified"]
    return found


def test_the_qualification_round(bench: Bench) -> None:
    bench.begin(["He go home ."], *TEAM)
    bench.bring(GOLD, name="gold.tsv", purpose="qualify")
    assert bench.claim("annotator-1", "annotate").reason == "qualify"
    assert bench.take("reviewer-1")["kind"] == "annotate"
    assert qualify(bench, "annotator-1", 1) == {"n_done": 10, "n_right": 9, "n_of": 10, "state": "qualified"}
    assert bench.take("annotator-1")["kind"] == "annotate"
    assert qualify(bench, "annotator-2", 2) == {"n_done": 10, "n_right": 8, "n_of": 10, "state": "failed"}
    assert bench.claim("annotator-2").reason == "failed"
    with writing(bench.engine) as connection:
        members.change_member(
            connection,
            bench.project_id,
            bench.people["annotator-2"],
            by=bench.people["owner"],
            now=bench.now,
            role=None,
            state="active",
        )
    assert qualify(bench, "annotator-2", 0)["state"] == "qualified"
    assert bench.take("annotator-2")["kind"] == "annotate"


@pytest.mark.parametrize(
    ("answers", "is_right"),
    [
        (["He goes 1 times ."], True),
        (["He goes 1 times .", "He went 1 times ."], True),
        (["He goes 1 times .", "He gone 1 times ."], False),
        (["He go 1 times ."], False),
    ],
)
def test_what_is_right(bench: Bench, answers: list[str], is_right: bool) -> None:
    bench.settings = {"qualification": {"n": 1}}
    bench.begin(["x"], "annotator-1")
    bench.bring(GOLD.splitlines()[1] + "\n", name="gold.tsv", purpose="qualify")
    task = bench.take("annotator-1")
    with pytest.raises(Refusal, match="cannot be skipped"):
        bench.submit("annotator-1", task, status="skipped", comment="no")
    reply = bench.submit("annotator-1", task, status="corrected", answers=answers).reply
    assert reply["qualified"]["n_right"] == is_right


def test_every_change_has_an_event(bench: Bench) -> None:
    def kinds() -> list[str]:
        return [row.kind for row in bench.rows("SELECT kind FROM events ORDER BY number")]

    bench.settings = {"k": 1}
    bench.begin(["He go home ."], "annotator-1", "reviewer-1")
    assert kinds() == ["project.made", *["member.joined"] * 3, "items.imported", "project.changed"]
    bench.answer("annotator-1", "x")
    assert kinds()[6:] == ["task.claimed", "task.submitted", "item.reviewing"]
    bench.review("reviewer-1", added=["y"])
    assert kinds()[9:] == ["task.claimed", "study.assigned", "task.submitted", "item.done"]
    bench.submit("annotator-1", bench.take("annotator-1"), complaint="Why?", target="x")
    assert kinds()[13:] == ["task.claimed", "complaint.made", "task.submitted"]
    bench.submit("reviewer-1", bench.take("reviewer-1"), is_upheld=True)
    assert kinds()[16:] == ["task.claimed", "complaint.upheld", "task.submitted"]
