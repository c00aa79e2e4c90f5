"""What an owner decides about who does what: take a sentence away from somebody, give one to somebody by name."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from errata.web.ids import new_id
from errata.web.refusals import Refusal
from errata.web.workbench import events, members, permissions, projects, qualification, slots, sql
from errata.web.workbench.items import WORK, Item
from errata.web.workbench.members import Member
from errata.web.workbench.projects import RUNNING, Project

# How long a sentence waits for the person it was given to (seconds). When they begin, the usual lease counts.
WAITS = 7 * 24 * 3600.0
# Tasks that only the person themselves can do: nobody else waits for them.
_PERSONAL = ("qualify", "study")


def take_away(connection: Connection, item: Item, task_id: str, by: str, now: float) -> None:
    """End somebody's hold on a sentence; they get it back only by name."""
    slots.expire(connection, now)
    task = sql.find_one(
        connection,
        "SELECT id, kind, user_id, state FROM tasks WHERE id = :id AND item_id = :item",
        id=task_id,
        item=item.id,
    )
    if task is None:
        raise Refusal(404, "nobody has such a task of this sentence")
    if task.state != "held":
        raise Refusal(409, "nobody holds this task any more")
    if task.kind in _PERSONAL:
        raise Refusal(422, "only this person can do the task: there is nobody else to give it to")
    sql.change(connection, "UPDATE tasks SET state = 'dropped', held_until = NULL WHERE id = :id", id=task.id)
    facts = {"task": task.id, "kind": task.kind, "holder": task.user_id}
    events.add(connection, item.project_id, "task.taken_away", now, user_id=by, item_id=item.id, **facts)
    slots.settle_item(connection, item.id, now)


def assign(connection: Connection, item: Item, user_id: str, by: str, now: float) -> None:
    """Keep a free slot of a sentence for somebody, who gets it before any other."""
    slots.expire(connection, now)
    project = projects.get_project(connection, item.project_id)
    member = members.find_member(connection, project.id, user_id)
    if member is None or not permissions.may_see(connection, member):
        raise Refusal(404, "there is no such member in this project")
    kind = _find_kind(item, project, member)
    if kind != "review" and not qualification.may_work(connection, project, user_id):
        raise Refusal(422, "this person has not qualified yet")
    task = sql.find_one(
        connection,
        "SELECT id, state FROM tasks WHERE item_id = :item_id AND kind = :kind AND about = '' AND user_id = :user_id",
        item_id=item.id,
        kind=kind,
        user_id=user_id,
    )
    if task is not None and task.state in ("held", "done"):
        raise Refusal(409, "this person has the sentence already")
    if task is not None:  # skipped or taken away: `may_take` lets nobody have it again, but the owner does
        sql.change(connection, "UPDATE tasks SET state = 'open' WHERE id = :id", id=task.id)
    if not slots.may_take(connection, project.id, item.id, item.state, user_id):
        raise _why_not(connection, item, user_id)
    task_id = _make(connection, item, kind, user_id, now) if task is None else str(task.id)
    sql.change(
        connection,
        "UPDATE tasks SET state = 'held', held_until = :until, begun_at = NULL, version = version + 1 WHERE id = :id",
        until=now + WAITS,
        id=task_id,
    )
    facts = {"task": task_id, "kind": kind, "to": user_id}
    events.add(connection, project.id, "task.assigned", now, user_id=by, item_id=item.id, **facts)
    slots.settle_item(connection, item.id, now)


def _find_kind(item: Item, project: Project, member: Member) -> str:
    if project.state != RUNNING:
        raise Refusal(409, "the project does not run: start it first")
    if item.purpose != WORK:
        raise Refusal(422, "sentences of the qualification round are drawn by lot")
    if item.state == slots.ANNOTATING:
        return "annotate"
    if item.state != slots.REVIEWING:
        raise Refusal(409, "there is nothing left to do for this sentence")
    if not member.may_review:
        raise Refusal(422, "the sentence is in review, and this person is no reviewer")
    return "review"


def _why_not(connection: Connection, item: Item, user_id: str) -> Refusal:
    row = sql.find_one(connection, "SELECT n_free FROM items WHERE id = :id", id=item.id)
    if row is not None and not row.n_free:
        more = "take it away from somebody" + ", or let more people annotate it" * (item.state == slots.ANNOTATING)
        return Refusal(409, f"others have the sentence already: {more}")
    if item.state == slots.REVIEWING:
        return Refusal(422, "nobody reviews a sentence that they annotated")
    return Refusal(422, "nobody could review the sentence then: all other reviewers have annotated it")


def _make(connection: Connection, item: Item, kind: str, user_id: str, now: float) -> str:
    record: dict[str, Any] = {"id": new_id(now), "project_id": item.project_id, "item_id": item.id, "kind": kind}
    record |= {"user_id": user_id, "state": "open", "version": 1, "made_at": now}
    sql.insert(connection, "tasks", record)
    return str(record["id"])
