"""Answers that people handed in: one's own list, and taking one back while no reviewer has seen it."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection

from errata.web.refusals import Refusal
from errata.web.workbench import events, items, projects, qualification, slots, sql, tasks
from errata.web.workbench.projects import PAUSED, RUNNING, Project
from errata.web.workbench.tasks import Task

# The most answers that are listed at a time.
MAX_LISTED = 200
# Sentences that somebody may hold while they take another one back: the one they were given next.
MAX_HELD = 1

_NOT_REVIEWED = (
    "(i.state = 'annotating' OR (i.state = 'reviewing' AND NOT EXISTS (SELECT 1 FROM tasks r"
    " WHERE r.item_id = i.id AND r.kind = 'review')))"
)
_OWN = (
    " FROM tasks t JOIN items i ON i.id = t.item_id JOIN submissions s ON s.task_id = t.id"
    f" WHERE t.user_id = :user_id AND t.project_id = :project_id AND t.kind = 'annotate' AND {items.COUNTS}"
)


def list_own(
    connection: Connection, project: Project, user_id: str, *, offset: int = 0, limit: int = 50
) -> dict[str, Any]:
    """What somebody handed in, the latest first, and whether it can still be taken back; skipped ones are there too."""
    asked = {"user_id": user_id, "project_id": project.id}
    found = sql.find_all(
        connection,
        "SELECT t.id AS task_id, t.state, i.position, i.source, s.id, s.status, s.comment, s.made_at,"
        f" CASE WHEN {_NOT_REVIEWED} THEN 1 ELSE 0 END AS is_free{_OWN}"
        " ORDER BY s.made_at DESC, s.id DESC LIMIT :limit OFFSET :offset",
        **asked,
        limit=min(limit, MAX_LISTED),
        offset=offset,
    )
    is_open = project.state in (RUNNING, PAUSED)
    listed = [
        {
            "task_id": row.task_id,
            "number": row.position + 1,
            "source": row.source,
            "status": row.status,
            "answers": items.targets_of(connection, row.id),
            "comment": row.comment,
            "made_at": row.made_at,
            "can_take_back": bool(row.is_free) and row.state == "done" and is_open,
        }
        for row in found
    ]
    return {"n_answers": sql.count(connection, f"SELECT count(*){_OWN}", **asked), "answers": listed}


def take_back(connection: Connection, task_id: str, user_id: str, now: float) -> Task:
    """Somebody's task, held again with their answer as its draft. The record keeps the answer, which counts no more."""
    slots.expire(connection, now)
    task = tasks.get_task(connection, task_id, user_id)
    project = projects.get_project(connection, task.project_id)
    item = items.get_item(connection, task.item_id)
    _refuse(connection, project, task)
    given = sql.find_one(
        connection,
        "SELECT s.id, s.status, s.comment, s.seconds, s.is_suggested FROM submissions s"
        " JOIN tasks t ON t.id = s.task_id JOIN items i ON i.id = t.item_id"
        f" WHERE t.id = :id AND {items.COUNTS} AND {_NOT_REVIEWED}",
        id=task.id,
    )
    if given is None:
        raise Refusal(409, "a reviewer has seen this answer: it cannot be taken back any more")
    if item.state == slots.REVIEWING:
        statement = "UPDATE items SET state = :state, version = version + 1 WHERE id = :id"
        sql.change(connection, statement, state=slots.ANNOTATING, id=item.id)
        events.add(connection, project.id, f"item.{slots.ANNOTATING}", now, item_id=item.id)
    sql.change(
        connection,
        "UPDATE tasks SET state = 'held', held_until = :until, done_at = NULL, draft = :draft, version = version + 1"
        " WHERE id = :id",
        until=now + project.settings.lease,
        draft=json.dumps(_draft(connection, given), ensure_ascii=False),
        id=task.id,
    )
    facts = {"task": task.id, "kind": task.kind, "submission": given.id}
    events.add(connection, project.id, "task.taken_back", now, user_id=user_id, item_id=item.id, **facts)
    slots.settle_item(connection, item.id, now)
    return tasks.get_task(connection, task_id, user_id)


def _refuse(connection: Connection, project: Project, task: Task) -> None:
    if task.kind != "annotate":
        raise Refusal(422, "only corrections can be taken back")
    if task.state != "done":
        raise tasks.conflict(task, "this sentence is not handed in")
    if project.state not in (RUNNING, PAUSED):
        raise Refusal(409, "nothing can be taken back while the project does not run")
    if not qualification.may_work(connection, project, task.user_id):
        raise Refusal(403, "qualify first, then take answers back")
    if len(tasks.find_held(connection, project.id, task.user_id, [task.kind])) > MAX_HELD:
        raise Refusal(409, "you have taken another answer back already: hand it in first")


def _draft(connection: Connection, given: Any) -> dict[str, Any]:
    """An answer as the page keeps drafts."""
    return {
        "answers": items.targets_of(connection, given.id),
        "status": given.status,
        "comment": given.comment,
        "is_suggested": bool(given.is_suggested),
        "seconds": given.seconds,
    }
