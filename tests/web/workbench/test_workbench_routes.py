"""The workbench through the app: the contract of its pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from visitors import Visitors

TEAM = ("annotator-1", "annotator-2", "reviewer-1")


@pytest.fixture
def visitors(database_url: str) -> Iterator[Visitors]:
    with Visitors(database_url) as found:
        yield found


def run_project(visitors: Visitors, text: str, **body: Any) -> str:
    project_id = visitors.make_project("owner-1", *TEAM, **body)
    owner = visitors.visit("owner-1")
    assert owner.bring(project_id, text, "name=a.txt")["n_items"]
    owner.patch(f"/projects/{project_id}", {"version": 1, "state": "running", "settings": {"k": 2}})
    return project_id


def test_from_import_to_golden(visitors: Visitors) -> None:
    project_id = run_project(visitors, "He go home.\n")
    for name, target in (("annotator-1", "He goes home."), ("annotator-2", "He went home.")):
        person = visitors.visit(name)
        [shown] = person.get("/projects")
        assert (shown["role"], shown["member_state"], shown["todo"]["annotate"]) == ("annotator", "active", 1)
        task = person.post(f"/projects/{project_id}/tasks/next", {"kind": ["qualify", "study", "annotate"]})["task"]
        assert task["item"] == {"id": task["item"]["id"], "number": 1, "source": "He go home.", "n_of": 1}
        assert task["draft"] is None and task["passage"] is None and "answers" not in task
        version = person.put(f"/tasks/{task['id']}/draft", {"version": 1, "draft": {"answers": [target]}})["version"]
        assert person.get(f"/tasks/{task['id']}")["draft"] == {"answers": [target]}
        sent = {"version": version, "key": f"k-{name}", "seconds": 3.5, "status": "corrected", "answers": [target]}
        assert person.post(f"/tasks/{task['id']}/submit", sent) == {"is_done": True}
        assert person.post(f"/tasks/{task['id']}/submit", sent) == {"is_done": True}
    reviewer = visitors.visit("reviewer-1")
    task = reviewer.post(f"/projects/{project_id}/tasks/next", {"kind": "review"})["task"]
    assert [answer["target"] for answer in task["answers"]] == ["He goes home.", "He went home."]
    [edit] = task["answers"][0]["edits"]
    assert (edit["start"], edit["end"], edit["original"], edit["replacement"]) == (3, 5, "go", "goes")
    assert (edit["type"], edit["description"]) == ("R:VERB:SVA", "Subject-verb agreement")
    verdicts = [{"target": answer["target"], "is_accepted": "goes" in answer["target"]} for answer in task["answers"]]
    body = {"version": task["version"], "key": "r", "seconds": 1, "status": "corrected", "verdicts": verdicts}
    reviewer.post(f"/tasks/{task['id']}/submit", body)

    owner = visitors.visit("owner-1")
    [item] = owner.get(f"/projects/{project_id}/items?state=done")["items"]
    history = owner.get(f"/items/{item['id']}")
    assert history["golden"] == ["He goes home."]
    assert [row["name"] for row in history["submissions"]] == ["annotator-1", "annotator-2", "reviewer-1"]
    study = visitors.visit("annotator-2").post(f"/projects/{project_id}/tasks/next")["task"]
    assert study["kind"] == "study" and study["golden"][0]["edits"] and study["mine"][0]["edits"]
    kinds = [event["kind"] for event in owner.get(f"/projects/{project_id}/events")]
    assert {"project.made", "items.imported", "task.claimed", "task.submitted", "item.done"} <= set(kinds)


def test_live_edits(visitors: Visitors) -> None:
    project_id = run_project(visitors, "He go home.\n")
    person = visitors.visit("annotator-1")
    body = {"project_id": project_id, "source": "He go 😀 home.", "target": "He goes 😀 to home."}
    edits = person.post("/edits", body)["edits"]
    assert [(edit["utf16_start"], edit["utf16_end"]) for edit in edits] == [(3, 5), (9, 9)]
    assert [(edit["utf16_target_start"], edit["utf16_target_end"]) for edit in edits] == [(3, 7), (11, 13)]
    assert person.post("/edits", {**body, "target": " "})["edits"][0]["replacement"] == ""


def test_suggestions_are_allowed_and_recorded(visitors: Visitors) -> None:
    project_id = run_project(visitors, "He go home.\n")
    person, owner = visitors.visit("annotator-1"), visitors.visit("owner-1")
    task = person.post(f"/projects/{project_id}/tasks/next")["task"]
    assert task["suggestions_allowed"] is False
    assert "not allow" in person.post(f"/tasks/{task['id']}/suggest", status=403)["detail"]
    owner.patch(f"/projects/{project_id}", {"version": 2, "settings": {"suggestions": True}})
    found = person.post(f"/tasks/{task['id']}/suggest")
    assert found["target"] == "He goes home." and found["edits"]
    sent = {"version": 1, "key": "k", "status": "corrected", "answers": ["He goes home."]}
    person.post(f"/tasks/{task['id']}/submit", sent)
    [submission] = owner.get(f"/items/{task['item']['id']}")["submissions"]
    assert submission["is_suggested"] == 1


def test_conflicts_say_what_is_there(visitors: Visitors) -> None:
    project_id = run_project(visitors, "He go home.\n")
    owner, person = visitors.visit("owner-1"), visitors.visit("annotator-1")
    refused = owner.patch(f"/projects/{project_id}", {"version": 1, "name": "Another"}, status=409)
    assert refused["current"]["version"] == 2 and refused["current"]["name"] == "A project"
    task = person.post(f"/projects/{project_id}/tasks/next")["task"]
    person.put(f"/tasks/{task['id']}/draft", {"version": 1, "draft": {"answers": ["one"]}})
    late = person.put(f"/tasks/{task['id']}/draft", {"version": 1, "draft": {"answers": ["two"]}}, status=409)
    assert late["current"] == {"version": 2, "state": "held", "draft": {"answers": ["one"]}}


def test_a_lost_task_keeps_the_text(visitors: Visitors) -> None:
    project_id = run_project(visitors, "He go home.\n", settings={"k": 1})
    owner = visitors.visit("owner-1")
    owner.patch(f"/projects/{project_id}", {"version": 2, "settings": {"k": 1, "lease_minutes": 5}})
    first, second = visitors.visit("annotator-1"), visitors.visit("annotator-2")
    lost = first.post(f"/projects/{project_id}/tasks/next")["task"]
    visitors.now += 301
    assert second.post(f"/projects/{project_id}/tasks/next")["task"]
    sent = {"version": 1, "key": "k", "status": "corrected", "answers": ["He goes home."], "comment": "mine"}
    refused = first.post(f"/tasks/{lost['id']}/submit", sent, status=410)
    assert refused["draft"] == {"status": "corrected", "answers": ["He goes home."]}
    assert first.get(f"/tasks/{lost['id']}")["draft"] == refused["draft"]
    assert first.post(f"/tasks/{lost['id']}/extend", status=410)["draft"] == refused["draft"]


@pytest.mark.parametrize("text", ["a\x00b", "a\ud800b", "two\nlines", "x" * 4000, "无法标注", " "])
def test_answers_that_are_none(visitors: Visitors, text: str) -> None:
    project_id = run_project(visitors, "He go home.\n")
    person = visitors.visit("annotator-1")
    task = person.post(f"/projects/{project_id}/tasks/next")["task"]
    content = json.dumps({"version": 1, "key": "k", "status": "corrected", "answers": [text]})
    headers = {**person.headers, "Content-Type": "application/json"}
    response = person.client.post(f"/workbench/api/tasks/{task['id']}/submit", headers=headers, content=content)
    assert response.status_code == 422
    assert "answer" in response.json()["detail"] or "no sentence" in response.json()["detail"]


def test_bad_files_import_nothing(visitors: Visitors) -> None:
    project_id = visitors.make_project("owner-1")
    owner = visitors.visit("owner-1")
    bad = "S He go home .\nA 7 9|||R|||x|||REQUIRED|||-NONE-|||0\n\n"
    refused = owner.bring(project_id, bad, "name=../dev.m2", status=422)
    assert refused["detail"].startswith("dev.m2:2: ") and refused["problems"][0]["line"] == 2
    assert owner.get(f"/projects/{project_id}/items")["n_items"] == 0
    assert "unpack" in owner.bring(project_id, b"PK\x03\x04....", "name=a.zip", status=422)["detail"]
    assert "purpose is one of" in owner.bring(project_id, "x", "purpose=fun", status=422)["detail"]
    assert "needs a reference" in owner.bring(project_id, "x.\n", "purpose=qualify", status=422)["detail"]


def test_owners_change_members_and_items(visitors: Visitors) -> None:
    project_id = run_project(visitors, "He go home.\nShe go home.\n")
    owner, person = visitors.visit("owner-1"), visitors.visit("annotator-1")
    listed = owner.get(f"/projects/{project_id}/members")
    assert [member["name"] for member in listed] == ["owner-1", *TEAM]
    task = person.post(f"/projects/{project_id}/tasks/next")["task"]
    item = owner.get(f"/items/{task['item']['id']}")["item"]
    assert owner.patch(f"/items/{item['id']}", {"version": item["version"], "n_wanted": 1})["n_free"] == 0
    assert owner.patch(f"/items/{item['id']}", {"version": 99, "n_wanted": 1}, status=409)["current"]["n_wanted"] == 1
    owner.patch(f"/projects/{project_id}/members/{person.id}", {"state": "removed"})
    person.get(f"/tasks/{task['id']}", status=404)
    person.get(f"/projects/{project_id}", status=404)
    assert owner.get(f"/items/{item['id']}")["item"]["n_free"] == 1
    assert owner.patch(f"/projects/{project_id}/members/{owner.id}", {"role": "annotator"}, status=422)
    for path in ("x", "a" * 26, "'; DROP TABLE users; --"):
        person.get(f"/tasks/{path}", status=404)


def test_guidelines_and_only_site_owners_make_projects(visitors: Visitors) -> None:
    owner, person = visitors.visit("owner-1"), visitors.visit("annotator-1")
    assert owner.get("/guidelines?kind=minimal&language=zh")["text"]
    made = owner.post("/projects", {"name": "x", "kind": "minimal", "language": "zh"})
    assert made["guidelines"] == owner.get("/guidelines?kind=minimal&language=zh")["text"]
    assert (
        owner.post("/projects", {"name": "y", "kind": "rewrite", "language": "en", "template": ""})["guidelines"] == ""
    )
    for body in ({"kind": "fun"}, {"language": "fr"}, {"name": " "}, {"settings": {"k": 0}}, {"settings": {"m": 0}}):
        owner.post("/projects", {"name": "z", "kind": "rewrite", "language": "en", **body}, status=422)
    person.post("/projects", {"name": "x", "kind": "rewrite", "language": "en"}, status=403)
