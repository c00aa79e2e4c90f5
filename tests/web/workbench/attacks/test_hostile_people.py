"""People with an account who want more than they were given: all sentences, a role they had, another's answer."""

from __future__ import annotations

from typing import Any

import pytest
from attacked import ANNOTATOR, OWNER, REMOVED, REVIEWER, World
from sqlalchemy import text
from visitors import Visitor, Visitors

from errata.web.accounts.accounts import COOKIE
from errata.web.database import writing


@pytest.fixture
def visitors() -> Any:
    with Visitors("sqlite://") as visitors:
        yield visitors


def begin(visitors: Visitors, *names: str, n_items: int = 5, **settings: Any) -> str:
    project_id = visitors.make_project("owner-1", *names, language="zh", settings={"k": 1, **settings})
    owner = visitors.visit("owner-1")
    owner.bring(project_id, "".join(f"我走了{number}次。\n" for number in range(n_items)), "name=a.txt")
    owner.patch(f"/projects/{project_id}", {"version": 1, "state": "running"})
    return f"/projects/{project_id}"


def n_held(visitors: Visitors, project: str) -> int:
    owner = visitors.visit("owner-1")
    found = owner.get(f"{project}/items")["items"]
    histories = [owner.get(f"/items/{item['id']}") for item in found]
    return sum(task["state"] == "held" for one in histories for task in one["tasks"])


def collect(visitors: Visitors, project: str, name: str, n_wanted: int) -> list[str]:
    """Claim and release until there were so many different tasks; they are all released."""
    visitor, found = visitors.visit(name), set()
    for _ in range(200):
        task_id = visitor.post(f"{project}/tasks/next", {"kind": "annotate"})["task"]["id"]
        visitor.post(f"/tasks/{task_id}/release")
        found.add(task_id)
        if len(found) == n_wanted:
            break
    assert len(found) == n_wanted
    return sorted(found)


@pytest.mark.parametrize("way", ["extend", "draft"])
def test_nobody_holds_every_sentence(visitors: Visitors, way: str) -> None:
    """Who released a task may take it up again, but one at a time: others want to work too."""
    project = begin(visitors, "annotator-1", "annotator-2")
    annotator = visitors.visit("annotator-1")
    first, *others = collect(visitors, project, "annotator-1", 5)
    annotator.post(f"/tasks/{first}/extend")
    for task_id in others:
        if way == "extend":
            told = annotator.post(f"/tasks/{task_id}/extend", status=410)
            assert "another sentence" in told["detail"]
        else:
            told = annotator.put(f"/tasks/{task_id}/draft", {"version": 1, "draft": {"answers": ["x"]}})
            assert told["held_until"] is None
            assert annotator.get(f"/tasks/{task_id}")["draft"] == {"answers": ["x"]}  # what was typed is kept
    assert n_held(visitors, project) == 1
    assert visitors.visit("annotator-2").post(f"{project}/tasks/next")["task"]


def test_what_was_written_for_a_lost_sentence_still_counts(visitors: Visitors) -> None:
    project = begin(visitors, "annotator-1")
    annotator = visitors.visit("annotator-1")
    first, second = collect(visitors, project, "annotator-1", 2)
    annotator.post(f"/tasks/{first}/extend")
    annotator.post(f"/tasks/{second}/submit", {"version": 1, "key": "k", "status": "error_free"})
    assert n_held(visitors, project) == 1


def test_who_is_no_reviewer_any_more_reviews_no_more(visitors: Visitors) -> None:
    """Not even what they held: the sentence goes to another reviewer at once."""
    project = begin(visitors, "annotator-1", "reviewer-1", "reviewer-2", n_items=1)
    task = visitors.visit("annotator-1").post(f"{project}/tasks/next")["task"]
    sent = {"version": 1, "key": "k", "status": "corrected", "answers": ["我去了。"]}
    visitors.visit("annotator-1").post(f"/tasks/{task['id']}/submit", sent)
    fallen = visitors.visit("reviewer-1")
    held = fallen.post(f"{project}/tasks/next", {"kind": "review"})["task"]
    review = {"version": 1, "key": "r", "verdicts": [{"target": "我去了。", "is_accepted": True}]}
    visitors.visit("owner-1").patch(f"{project}/members/{fallen.id}", {"role": "annotator"})
    fallen.get(f"/tasks/{held['id']}", status=404)
    fallen.post(f"/tasks/{held['id']}/extend", status=404)
    fallen.post(f"/tasks/{held['id']}/submit", review, status=404)
    other = visitors.visit("reviewer-2").post(f"{project}/tasks/next", {"kind": "review"})["task"]
    assert other["item"]["id"] == held["item"]["id"]


def test_a_key_opens_nothing_of_anybody_else(visitors: Visitors) -> None:
    """Two people may choose the same key; who was taken out gets not even their own old answer."""
    project = begin(visitors, "annotator-1", "annotator-2", k=2)
    sent = {"version": 1, "key": "same", "status": "error_free"}
    tasks = {}
    for name in ("annotator-1", "annotator-2"):
        tasks[name] = visitors.visit(name).post(f"{project}/tasks/next")["task"]["id"]
        assert visitors.visit(name).post(f"/tasks/{tasks[name]}/submit", sent) == {"is_done": True}
    first = visitors.visit("annotator-1")
    assert first.post(f"/tasks/{tasks['annotator-1']}/submit", sent) == {"is_done": True}
    first.post(f"/tasks/{tasks['annotator-2']}/submit", sent, status=404)
    visitors.visit("owner-1").patch(f"{project}/members/{first.id}", {"state": "removed"})
    first.post(f"/tasks/{tasks['annotator-1']}/submit", sent, status=404)


def test_versions_never_go_back(world: World) -> None:
    annotator, task = world.visit(ANNOTATOR), world.take_task()
    first = annotator.put(f"{task}/draft", {"version": 1, "draft": {"text": "one"}})["version"]
    annotator.put(f"{task}/draft", {"version": first, "draft": {"text": "two"}})
    for version in (0, 1, first, first + 9):
        told = annotator.put(f"{task}/draft", {"version": version, "draft": {"text": "old"}}, status=409)
        assert told["current"]["draft"] == {"text": "two"}
        sent = {"version": version, "key": f"k{version}", "status": "error_free"}
        annotator.post(f"{task}/submit", sent, status=409)


def test_nobody_asks_for_edits_of_a_project_that_is_not_theirs(world: World) -> None:
    body = {"project_id": world.ids["project_id"], "source": "我了", "target": "我的"}
    for name in ("loner-1", "owner-2", REMOVED):
        world.visit(name).post("/edits", body, status=404)
    other = world.visit("owner-2").post("/projects", {"name": "x", "kind": "rewrite", "language": "zh"})["id"]
    mixed = {**body, "project_id": other, "item_id": world.ids["item_id"]}
    world.visit("owner-2").post("/edits", mixed, status=404)
    own_id = world.visit("owner-2").id
    world.visit(OWNER).patch(f"/projects/{world.ids['project_id']}/members/{own_id}", {"role": "owner"}, status=404)


def test_no_role_gives_itself_another(world: World) -> None:
    for name in (ANNOTATOR, REVIEWER, REMOVED):
        visitor = world.visit(name)
        for change in ({"role": "owner"}, {"state": "qualified"}):
            path = f"/projects/{world.ids['project_id']}/members/{visitor.id}"
            visitor.patch(path, change, status=404 if name == REMOVED else 403)


def test_a_draft_has_its_limit(world: World) -> None:
    annotator, task = world.visit(ANNOTATOR), world.take_task()
    annotator.put(f"{task}/draft", {"version": 1, "draft": {"text": "x" * 200_000}}, status=413)
    annotator.put(f"{task}/draft", {"version": 1, "draft": {"text": "x" * 10_000_000}}, status=413)
    assert annotator.get(task)["draft"] is None


@pytest.mark.parametrize("cookie", ["x", "x" * 20_000, "%00", "'; --", '"', "é", "a=b=c"])
def test_no_cookie_breaks_anything(world: World, cookie: str) -> None:
    stranger = world.visit("stranger")
    headers = {"Cookie": f"{COOKIE}={cookie}".encode()}
    assert stranger.client.get("/accounts/me", headers=headers).status_code == 401
    planted: Visitor = world.visit(OWNER)
    headers = {"Cookie": f"{COOKIE}={cookie}; {COOKIE}={planted.client.cookies[COOKIE]}; {COOKIE}={cookie}".encode()}
    assert stranger.client.get("/accounts/me", headers=headers).status_code in (200, 401)


def test_one_answer_keeps_nobody_from_reviewing(visitors: Visitors, monkeypatch: pytest.MonkeyPatch) -> None:
    """A history that was read back may have answers that are too long to align: they are shown without marks."""
    monkeypatch.setattr("errata.web.workbench.texts.MAX_ANSWER", 20_000)
    project = begin(visitors, "annotator-1", "reviewer-1", n_items=1)
    owner = visitors.visit("owner-1")
    [item] = owner.get(f"{project}/items")["items"]
    with writing(visitors.app.state.tools.engine) as connection:
        connection.execute(text("UPDATE items SET source = :source"), {"source": "字" * 5_000})
    task = visitors.visit("annotator-1").post(f"{project}/tasks/next")["task"]
    sent = {"version": 1, "key": "k", "status": "corrected", "answers": ["我" * 20_000]}
    visitors.visit("annotator-1").post(f"/tasks/{task['id']}/submit", sent)
    review = visitors.visit("reviewer-1").post(f"{project}/tasks/next", {"kind": "review"})["task"]
    assert review["item"]["id"] == item["id"] and [answer["edits"] for answer in review["answers"]] == [[]]


def test_an_export_without_room_is_told(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("errata.web.workbench.owner.IN_MEMORY", 100)
    monkeypatch.setattr("tempfile.tempdir", "/nowhere")
    told = world.visit(OWNER).get(f"/projects/{world.ids['project_id']}/export?format=jsonl", status=503)
    assert told == {"detail": "the server has no room for the file; try again later"}
