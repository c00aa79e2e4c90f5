"""What a page is told of a task and of a project: nothing that the person should not see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from errata.web.workbench import complaints, items, members, projects, qualification, review, slots, sql, study, tasks
from errata.web.workbench.items import Item
from errata.web.workbench.members import Member
from errata.web.workbench.projects import Project
from errata.web.workbench.tasks import Task


@dataclass(frozen=True, slots=True)
class TaskView:
    """A task as JSON, and the item whose edits are still to be found."""

    item: Item
    language: str
    content: dict[str, Any]


def view_task(connection: Connection, task: Task) -> TaskView:
    """Everything the page of a task shows but the edits, which need no database."""
    project = projects.get_project(connection, task.project_id)
    item = items.get_item(connection, task.item_id)
    n_of = sql.count(
        connection,
        "SELECT count(*) FROM items WHERE project_id = :id AND purpose = :purpose",
        id=project.id,
        purpose=item.purpose,
    )
    content: dict[str, Any] = {
        "id": task.id,
        "kind": task.kind,
        "state": task.state,
        "version": task.version,
        "held_until": task.held_until,
        "project": {"id": project.id, "name": project.name, "kind": project.kind, "language": project.language},
        "item": {"id": item.id, "number": item.position + 1, "source": item.source, "n_of": n_of},
        "passage": items.passage_of(connection, item),
        "draft": tasks.load_draft(task),
        "suggestions_allowed": project.settings.suggestions and task.kind == "annotate",
    }
    return TaskView(item, project.language, content | _VIEWS[task.kind](connection, task, project))


def _view_nothing(connection: Connection, task: Task, project: Project) -> dict[str, Any]:
    return {}


def _view_qualify(connection: Connection, task: Task, project: Project) -> dict[str, Any]:
    member = members.find_member(connection, project.id, task.user_id)
    assert member is not None
    return {"qualified": qualification.progress(connection, project, member).as_json()}


def _view_review(connection: Connection, task: Task, project: Project) -> dict[str, Any]:
    is_blind = project.settings.blind
    answers = []
    for answer in review.collect_answers(connection, task.item_id):
        shown = {"id": answer.id, "target": answer.target, "status": answer.status, "n_times": len(answer.user_ids)}
        answers.append(shown if is_blind else shown | {"names": answer.names})
    comments = review.comments_on(connection, task.item_id)
    if is_blind:
        comments = [{"text": comment["text"], "status": comment["status"]} for comment in comments]
    return {"answers": answers, "comments": comments}


def _view_study(connection: Connection, task: Task, project: Project) -> dict[str, Any]:
    golden = [{"target": target} for target in items.golden_of(connection, task.item_id)]
    return {"golden": golden, "mine": study.own_answers(connection, task.item_id, task.user_id)}


def _view_judge(connection: Connection, task: Task, project: Project) -> dict[str, Any]:
    complaint = complaints.get_complaint(connection, task.about)
    golden = [{"target": target} for target in items.golden_of(connection, task.item_id)]
    return {"complaint": {"target": complaint.target, "reason": complaint.reason}, "golden": golden}


_VIEWS = {
    "annotate": _view_nothing,
    "qualify": _view_qualify,
    "review": _view_review,
    "study": _view_study,
    "judge": _view_judge,
}


def view_projects(connection: Connection, user_id: str) -> list[dict[str, Any]]:
    """The projects of a person, with what there is to do for them."""
    shown = []
    for project, member in projects.projects_of(connection, user_id):
        known = {name: getattr(project, name) for name in ("id", "name", "kind", "language", "state")}
        shown.append({**known, **_standing(connection, project, member)})
    return shown


def view_project(connection: Connection, project: Project, member: Member) -> dict[str, Any]:
    """A project for one of its members, with how far it is and how much they did themselves."""
    done = sql.find_all(
        connection,
        "SELECT kind, count(*) AS n FROM tasks WHERE user_id = :user_id AND project_id = :project_id"
        " AND state = 'done' GROUP BY kind",
        user_id=member.user_id,
        project_id=project.id,
    )
    shown = {
        **project.as_json(),
        **_standing(connection, project, member),
        "counts": projects.count_items(connection, project.id),
        "done": dict.fromkeys(tasks.KINDS, 0) | {row.kind: int(row.n) for row in done},
    }
    if member.role == members.ANNOTATOR and qualification.round_size(connection, project):
        shown["qualified"] = qualification.progress(connection, project, member).as_json()
    return shown


def _standing(connection: Connection, project: Project, member: Member) -> dict[str, Any]:
    standing = qualification.standing(connection, project, member)
    return {"role": member.role, "member_state": standing, "todo": _todo(connection, project, member, standing)}


def _todo(connection: Connection, project: Project, member: Member, standing: str) -> dict[str, int]:
    """How many tasks of each kind a person could do now."""
    todo = dict.fromkeys(tasks.KINDS, 0)
    if project.state != projects.RUNNING or standing == members.FAILED:
        return todo
    if standing == qualification.QUALIFYING:
        reached = qualification.progress(connection, project, member)
        return todo | {"qualify": max(0, reached.n_of - reached.n_done)}
    todo["study"] = sql.count(
        connection,
        "SELECT count(*) FROM tasks t JOIN items i ON i.id = t.item_id AND i.state <> 'withdrawn'"
        " WHERE t.user_id = :user_id AND t.project_id = :project_id AND t.kind = 'study'"
        " AND t.state IN ('open', 'held')",
        user_id=member.user_id,
        project_id=project.id,
    )
    held = sql.find_all(
        connection,
        "SELECT kind, count(*) AS n FROM tasks WHERE user_id = :user_id AND project_id = :project_id"
        " AND kind IN ('annotate', 'review') AND state = 'held' GROUP BY kind",
        user_id=member.user_id,
        project_id=project.id,
    )
    n_held = {row.kind: int(row.n) for row in held}
    free = slots.count_free(connection, project.id, slots.ANNOTATING, member.user_id)
    todo["annotate"] = free + n_held.get("annotate", 0)
    if member.may_review:
        free = slots.count_free(connection, project.id, slots.REVIEWING, member.user_id)
        todo["review"] = free + n_held.get("review", 0)
        todo["judge"] = complaints.count_free(connection, project.id, member.user_id)
    return todo
