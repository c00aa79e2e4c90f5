"""What is there already is noticed; projects are put away, brought back, and deleted by their name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import text
from visitors import Visitor, Visitors

from errata.web.database import reading
from errata.web.workbench import projects, removal
from errata.web.workbench.tasks import MAX_RELEASES

TEXT = "他门回家了。\n我门走了。\n"


@pytest.fixture
def visitors(database_url: str) -> Iterator[Visitors]:
    with Visitors(database_url) as visitors:
        yield visitors


@pytest.fixture
def project(visitors: Visitors) -> str:
    project_id = visitors.make_project("owner-1", "annotator-1", "reviewer-1", language="zh", settings={"k": 1})
    visitors.visit("owner-1").bring(project_id, TEXT, "name=a.txt")
    set_state(visitors.visit("owner-1"), project_id, "running")
    return project_id


def set_state(owner: Visitor, project_id: str, state: str) -> None:
    version = owner.get(f"/projects/{project_id}")["version"]
    owner.patch(f"/projects/{project_id}", {"version": version, "state": state})


def test_a_file_that_is_there_already_is_asked_about(visitors: Visitors, project: str) -> None:
    owner = visitors.visit("owner-1")
    for name, content in (("a.txt", TEXT), ("b.txt", TEXT.replace("\n", "  \r\n")), ("c.txt", TEXT.splitlines()[1])):
        refused = owner.bring(project, content, f"name={name}", status=409)
        assert refused["detail"] == f"{name}: the project has all its sentences already; nothing was imported"
    assert owner.get(f"/projects/{project}/items")["n_items"] == 2
    told = owner.bring(project, TEXT, "name=a.txt&again=yes")
    assert (told["n_items"], told["n_known"]) == (2, 2)
    told = owner.bring(project, TEXT + "她来了。\n", "name=d.txt")
    assert (told["n_items"], told["n_known"]) == (3, 2)


def test_a_second_project_of_a_name_is_asked_about(visitors: Visitors, project: str) -> None:
    body = {"name": " a  Project", "kind": "rewrite", "language": "zh"}
    refused = visitors.visit("owner-1").post("/projects", body, status=409)
    assert (refused["same_name"], refused["detail"]) == (project, "there is a project called A project already")
    assert visitors.visit("owner-1").post("/projects", {**body, "again": True})["id"] != project
    assert visitors.visit("owner-2").post("/projects", body)["id"]  # who is told nothing of others' projects


def test_an_archived_project_is_seen_by_its_owner_alone(visitors: Visitors, project: str) -> None:
    owner, person = visitors.visit("owner-1"), visitors.visit("annotator-1")
    link = owner.post(f"/projects/{project}/invitations", {"role": "annotator"})["link"]
    task = person.post(f"/projects/{project}/tasks/next")["task"]
    set_state(owner, project, "archived")
    for name in ("annotator-1", "reviewer-1"):
        visitor = visitors.visit(name)
        assert visitor.get("/projects") == []
        visitor.get(f"/projects/{project}", status=404)
        visitor.post(f"/projects/{project}/tasks/next", status=404)
    person.get(f"/tasks/{task['id']}", status=404)
    guest = {"token": link.partition("#")[2], "name": "annotator-5", "password": "correct horse battery"}
    assert person.client.post("/accounts/join", json=guest, headers=person.headers).status_code == 410
    assert owner.get("/projects")[0]["state"] == "archived"
    assert owner.post(f"/projects/{project}/tasks/next") == {"task": None, "reason": "archived"}
    assert owner.get(f"/projects/{project}/items")["n_items"] == 2
    set_state(owner, project, "running")
    assert person.post(f"/projects/{project}/tasks/next")["task"]["id"] == task["id"]


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "this project is archived: bring it back first"), ("zh", "项目已归档，请先取消归档")],
)
def test_nothing_is_added_to_an_archived_project(visitors: Visitors, project: str, language: str, told: str) -> None:
    owner = visitors.visit("owner-1")
    owner.headers["Accept-Language"] = language
    set_state(owner, project, "archived")
    before = count_rows(visitors)
    assert owner.bring(project, "她来了。\n", "name=b.txt", status=409)["detail"] == told
    assert owner.post(f"/projects/{project}/invitations", {"role": "annotator"}, status=409)["detail"] == told
    assert count_rows(visitors) == before
    set_state(owner, project, "paused")
    assert owner.bring(project, "她来了。\n", "name=b.txt")["n_items"] == 1


def count_rows(visitors: Visitors) -> dict[str, int]:
    tables = "projects members passages items tasks submissions answers verdicts golden complaints events invitations"
    with reading(visitors.app.state.tools.engine) as connection:
        return {name: connection.execute(text(f"SELECT count(*) FROM {name}")).scalar_one() for name in tables.split()}


def test_a_project_is_deleted_by_its_name_with_all_that_is_in_it(visitors: Visitors, project: str) -> None:
    owner, person, reviewer = (visitors.visit(name) for name in ("owner-1", "annotator-1", "reviewer-1"))
    visitors.make_project("owner-2", language="zh", kind="minimal", name="Another")
    visitors.visit("owner-2").bring(visitors.visit("owner-2").get("/projects")[0]["id"], TEXT, "name=a.txt")
    task = person.post(f"/projects/{project}/tasks/next")["task"]
    given = {"version": task["version"], "key": "1", "status": "corrected", "answers": ["他们回了家。"]}
    person.post(f"/tasks/{task['id']}/submit", given)
    review = reviewer.post(f"/projects/{project}/tasks/next", {"kind": "review"})["task"]
    verdicts = [{"target": "他们回了家。", "is_accepted": False}]
    given = {"version": review["version"], "key": "2", "status": "corrected", "verdicts": verdicts, "added": ["好。"]}
    reviewer.post(f"/tasks/{review['id']}/submit", given)
    study = person.post(f"/projects/{project}/tasks/next", {"kind": "study"})["task"]
    given = {"version": study["version"], "key": "3", "complaint": "对。", "target": "他们回了家。"}
    person.post(f"/tasks/{study['id']}/submit", given)
    owner.post(f"/projects/{project}/invitations", {"role": "annotator"})

    path = f"/projects/{project}/delete"
    assert "archive it first" in owner.post(path, {"name": "A project"}, status=409)["detail"]
    set_state(owner, project, "archived")
    assert "nothing was deleted" in owner.post(path, {"name": "a project"}, status=422)["detail"]
    assert count_rows(visitors)["projects"] == 2
    owner.post(path, {"name": " A  project "})
    owner.get(f"/projects/{project}", status=404)
    left = count_rows(visitors)
    assert left.pop("events") > 0
    wanted = {"projects": 1, "members": 1, "passages": 1, "items": 2}
    assert left == {**dict.fromkeys(left, 0), **wanted}


def test_a_large_project_is_deleted_bit_by_bit(
    visitors: Visitors, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that is stopped half-way leaves what nobody sees; deleting again goes on."""
    owner, engine = visitors.visit("owner-1"), visitors.app.state.tools.engine
    owner.bring(project, "".join(f"第{n}句话。\n" for n in range(10)), "name=b.txt")
    set_state(owner, project, "archived")
    monkeypatch.setattr(removal, "BATCH", 4)
    with monkeypatch.context() as stopped:
        stopped.setattr(removal, "_delete_items", lambda *_: 0 / 0)
        with pytest.raises(ZeroDivisionError):
            removal.delete_project(engine, lambda connection: projects.get_project(connection, project), "A project")
    assert owner.get("/projects") == [] and count_rows(visitors)["items"] == 12
    removal.delete_project(engine, lambda connection: projects.get_project(connection, project), "A project")
    assert not any(count_rows(visitors).values())


def test_sentences_are_not_given_back_without_end(visitors: Visitors, project: str) -> None:
    person = visitors.visit("annotator-1")
    for _ in range(MAX_RELEASES):
        task = person.post(f"/projects/{project}/tasks/next")["task"]
        person.post(f"/tasks/{task['id']}/release")
    task = person.post(f"/projects/{project}/tasks/next")["task"]
    assert "within an hour" in person.post(f"/tasks/{task['id']}/release", status=429)["detail"]
    visitors.now += 3600
    person.post(f"/projects/{project}/tasks/next")
    person.post(f"/tasks/{task['id']}/release")
