"""Who gets which item: slots, leases, skips, another k, pauses; and that nobody gets what somebody else has."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from bench import Bench

from errata.web.database import writing
from errata.web.refusals import Refusal
from errata.web.workbench import items, members, permissions, projects, slots, tasks

LEASE = 30 * 60


def sentences(n: int) -> list[str]:
    return [f"He go home {number} times." for number in range(n)]


def test_who_asks_again_gets_the_same(bench: Bench) -> None:
    bench.begin(sentences(5), "annotator-1")
    first = bench.claim("annotator-1")
    bench.now += LEASE - 1
    assert bench.claim("annotator-1") == first
    bench.now += LEASE - 1  # the second claim held it for longer
    assert bench.claim("annotator-1") == first


def test_nobody_gets_an_item_twice_and_k_is_the_most(bench: Bench) -> None:
    bench.begin(sentences(4), *(f"annotator-{n}" for n in range(5)))
    given: Counter[str] = Counter()
    for name in (f"annotator-{n}" for n in range(5)):
        own = []
        while (claim := bench.claim(name, "annotate")).task_id:
            task = bench.view(name, claim.task_id)
            bench.submit(name, task, status="corrected", answers=["x"])
            own.append(task["item"]["id"])
        assert len(set(own)) == len(own)
        given.update(own)
    assert set(given.values()) == {3}
    assert {item["state"] for item in bench.items()} == {"reviewing"}


def test_what_was_begun_is_finished_first(bench: Bench) -> None:
    bench.begin(sentences(30), "annotator-1", "annotator-2", "annotator-3")
    first = bench.take("annotator-1")["item"]["id"]
    assert bench.take("annotator-2")["item"]["id"] == first
    assert bench.take("annotator-3")["item"]["id"] == first


def test_chance_decides_among_the_others(bench: Bench) -> None:
    bench.begin(sentences(30), "annotator-1")
    drawn = set()
    for _ in range(12):
        task = bench.take("annotator-1")
        drawn.add(task["item"]["number"])
        with writing(bench.engine) as connection:
            own = tasks.get_task(connection, task["id"], bench.people["annotator-1"])
            tasks.release(connection, own, bench.now)
    assert len(drawn) > 4


def test_an_abandoned_item_returns_with_its_draft(bench: Bench) -> None:
    bench.settings = {"k": 1}
    bench.begin(sentences(1), "annotator-1", "annotator-2")
    task = bench.take("annotator-1")
    save(bench, "annotator-1", task, {"answers": ["typed"]})
    assert bench.claim("annotator-2").reason == "nothing"
    bench.now += LEASE + 1
    again = bench.take("annotator-1")
    assert (again["id"], again["draft"]) == (task["id"], {"answers": ["typed"]})
    bench.now += LEASE + 1
    assert bench.take("annotator-2")["item"]["id"] == task["item"]["id"]
    assert bench.claim("annotator-1").reason == "nothing"
    assert bench.view("annotator-1", task["id"])["draft"] == {"answers": ["typed"]}


def save(bench: Bench, name: str, task: dict[str, object], draft: object) -> tasks.Task:
    with writing(bench.engine) as connection:
        slots.expire(connection, bench.now)
        own = tasks.get_task(connection, str(task["id"]), bench.people[name])
        project = projects.get_project(connection, bench.project_id)
        return tasks.save_draft(connection, own, project, own.version, draft, bench.now)


def test_a_draft_keeps_the_lease(bench: Bench) -> None:
    bench.settings = {"k": 1}
    bench.begin(sentences(1), "annotator-1", "annotator-2")
    task = bench.take("annotator-1")
    for _ in range(3):
        bench.now += LEASE - 60
        assert save(bench, "annotator-1", task, {}).state == "held"
        assert bench.claim("annotator-2").reason == "nothing"


def test_a_lost_lease_is_no_loss_while_nobody_took_the_slot(bench: Bench) -> None:
    bench.settings = {"k": 1}
    bench.begin(sentences(1), "annotator-1", "annotator-2")
    task = bench.take("annotator-1")
    bench.now += 10 * LEASE
    assert bench.submit("annotator-1", task, status="corrected", answers=["x"]).reply == {"is_done": True}
    assert bench.claim("annotator-2").reason == "nothing"


def test_a_slot_that_is_taken_is_lost_but_the_text_is_kept(bench: Bench) -> None:
    bench.settings = {"k": 1}
    bench.begin(sentences(1), "annotator-1", "annotator-2")
    task = bench.take("annotator-1")
    bench.now += LEASE + 1
    bench.answer("annotator-2", "y")
    outcome = bench.submit("annotator-1", task, status="corrected", answers=["x"], comment="c")
    assert outcome.is_lost and outcome.reply["draft"] == {"status": "corrected", "answers": ["x"]}
    assert bench.view("annotator-1", task["id"])["draft"] == outcome.reply["draft"]
    assert len(bench.rows("SELECT id FROM submissions")) == 1


def test_a_skipped_item_goes_to_others_and_never_comes_back(bench: Bench) -> None:
    bench.settings = {"k": 1}
    bench.begin(sentences(1), "annotator-1", "annotator-2")
    task = bench.take("annotator-1")
    with pytest.raises(Refusal, match="why you skip"):
        bench.submit("annotator-1", task, status="skipped")
    bench.submit("annotator-1", task, status="skipped", comment="I know who wrote it")
    assert bench.claim("annotator-1").reason == "nothing"
    assert bench.take("annotator-2")["item"]["id"] == task["item"]["id"]


def test_more_and_fewer_annotators_while_running(bench: Bench) -> None:
    bench.settings = {"k": 2}
    bench.begin(sentences(3), *(f"annotator-{n}" for n in range(1, 6)))
    held = bench.take("annotator-1")["item"]["id"]
    done = bench.answer("annotator-2", "x")["item"]["id"]
    assert done == held
    bench.change(settings={"k": 4})
    counts = {item["id"]: (item["n_wanted"], item["n_free"]) for item in bench.items()}
    assert counts.pop(held) == (4, 2) and set(counts.values()) == {(4, 4)}
    bench.change(settings={"k": 1})
    counts = {item["id"]: (item["state"], item["n_free"]) for item in bench.items()}
    # The one somebody still works on waits for them.
    assert counts.pop(held) == ("annotating", 0) and set(counts.values()) == {("annotating", 1)}
    bench.submit("annotator-1", bench.take("annotator-1"), status="error_free")
    assert {item["id"]: item["state"] for item in bench.items()}[held] == "reviewing"


def test_a_smaller_k_sends_what_is_enough_to_review(bench: Bench) -> None:
    bench.begin(sentences(2), "annotator-1")
    done = bench.answer("annotator-1", "x")["item"]["id"]
    bench.change(settings={"k": 1})
    assert {item["id"]: item["state"] for item in bench.items()}[done] == "reviewing"


@pytest.mark.parametrize("state", ["draft", "paused", "finished"])
def test_only_running_projects_give_tasks(bench: Bench, state: str) -> None:
    bench.begin(sentences(3), "annotator-1")
    task = bench.take("annotator-1")
    bench.change(state=state)
    assert bench.take("annotator-1")["id"] == task["id"]
    bench.submit("annotator-1", task, status="error_free")
    assert bench.claim("annotator-1").reason == state


def test_withdrawn_items_are_given_to_nobody(bench: Bench) -> None:
    bench.begin(sentences(1), "annotator-1", "annotator-2")
    task = bench.take("annotator-1")
    change_item(bench, task["item"]["id"], state="withdrawn")
    assert bench.claim("annotator-2").reason == "nothing"
    assert bench.submit("annotator-1", task, status="corrected", answers=["x"]).is_lost
    change_item(bench, task["item"]["id"], state="annotating")
    assert bench.items()[0]["n_free"] == 3
    assert bench.take("annotator-1")["draft"] == {"status": "corrected", "answers": ["x"]}


def change_item(bench: Bench, item_id: str, **change: object) -> None:
    asked = {"n_wanted": None, "state": None, **change}
    with writing(bench.engine) as connection:
        item = items.get_item(connection, item_id)
        items.change_item(connection, item, bench.people["owner"], bench.now, version=item.version, **asked)  # type: ignore[arg-type]


def test_reviewers_never_get_what_they_annotated(bench: Bench) -> None:
    bench.settings = {"k": 1}
    bench.begin(sentences(1), "reviewer-1", "reviewer-2")
    bench.answer("reviewer-1", "x")
    assert bench.claim("reviewer-1").reason == "nothing"
    assert bench.take("reviewer-2")["kind"] == "review"
    assert bench.claim("owner").reason == "nothing"


def test_somebody_is_left_to_review(bench: Bench) -> None:
    bench.begin(sentences(1), "reviewer-1", "reviewer-2", "annotator-1")
    bench.answer("reviewer-1", "x")
    bench.answer("owner", "x")
    assert bench.claim("reviewer-2").reason == "nothing"
    bench.answer("annotator-1", "x")
    assert bench.take("reviewer-2")["kind"] == "review"


def test_annotators_never_review(bench: Bench) -> None:
    bench.settings = {"k": 1}
    bench.begin(sentences(1), "annotator-1", "annotator-2")
    bench.answer("annotator-1", "x")
    assert bench.claim("annotator-2", "review", "judge").reason == "nothing"


def test_judges_are_others_where_there_are_others(bench: Bench) -> None:
    bench.settings = {"k": 1}
    bench.begin(sentences(1), "annotator-1", "reviewer-1", "reviewer-2")
    bench.answer("annotator-1", "x")
    bench.review("reviewer-1", added=["y"])
    study = bench.take("annotator-1", "study")
    bench.submit("annotator-1", study, complaint="Why not?", target="x")
    assert bench.claim("reviewer-1", "judge").reason == "nothing"
    with writing(bench.engine) as connection:
        who = {"by": bench.people["owner"], "now": bench.now, "role": None}
        members.change_member(connection, bench.project_id, bench.people["reviewer-2"], state="removed", **who)  # type: ignore[arg-type]
    assert bench.take("reviewer-1", "judge")["complaint"]["target"] == "x"


def test_no_one_judges_their_own_complaint(bench: Bench) -> None:
    bench.settings = {"k": 1}
    bench.begin(sentences(1), "reviewer-1")
    bench.answer("reviewer-1", "x")
    bench.review("owner", added=["y"])
    bench.submit("reviewer-1", bench.take("reviewer-1", "study"), complaint="Why not?", target="x")
    assert bench.claim("reviewer-1", "judge").reason == "nothing"
    assert bench.take("owner", "judge")


def test_removed_people_let_go(bench: Bench) -> None:
    bench.settings = {"k": 1}
    bench.begin(sentences(1), "annotator-1")
    bench.take("annotator-1")
    with writing(bench.engine) as connection:
        who = {"by": bench.people["owner"], "now": bench.now, "role": None}
        members.change_member(connection, bench.project_id, bench.people["annotator-1"], state="removed", **who)  # type: ignore[arg-type]
        with pytest.raises(Refusal, match="removed"):
            members.join(connection, bench.project_id, bench.people["annotator-1"], "owner", bench.now)
    assert bench.items()[0]["n_free"] == 1
    with pytest.raises(Refusal, match="no such project"):
        bench.claim("annotator-1")


def test_threads_claim_every_slot_once(bench: Bench) -> None:
    """Eight annotators, a thread each, take 80 items with one slot."""
    names = [f"annotator-{n}" for n in range(8)]
    bench.settings = {"k": 1}
    bench.begin(sentences(80), *names)

    def work(name: str) -> list[str]:
        rng, claimed = Random(name), []
        while True:
            with writing(bench.engine) as connection:
                project = projects.get_project(connection, bench.project_id)
                member = permissions.require(connection, bench.people[name], bench.project_id, "work")
                claim = tasks.claim(connection, project, member, ["annotate"], bench.now, rng)
                if claim.task_id is None:
                    return claimed
                item_id = tasks.get_task(connection, claim.task_id, member.user_id).item_id
            claimed.append(item_id)
            bench.submit(name, bench.view(name, claim.task_id), status="corrected", answers=["x"], key=item_id)

    with ThreadPoolExecutor(8) as pool:
        claimed = [item_id for items_of in pool.map(work, names) for item_id in items_of]
    assert Counter(claimed) == Counter(item["id"] for item in bench.items())
    assert {item["state"] for item in bench.items()} == {"reviewing"}
