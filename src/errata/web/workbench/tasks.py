"""Tasks: what a person has to do, claimed for a while, with a draft that is kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from sqlalchemy import Connection

from errata.web.ids import new_id
from errata.web.json_body import is_deeper
from errata.web.refusals import Refusal
from errata.web.workbench import complaints, events, members, permissions, qualification, slots, sql
from errata.web.workbench.members import Member
from errata.web.workbench.projects import RUNNING, Project

# In the order in which people get them who ask for any.
KINDS = ("qualify", "study", "judge", "review", "annotate")
_FOR_REVIEWERS = ("judge", "review")
# Characters of a draft as JSON, and how deep it may be.
MAX_DRAFT, MAX_LEVELS = 200_000, 20
# Sentences that somebody may give back without a reason within so many seconds; only the latest events are counted.
MAX_RELEASES, RELEASE_SECONDS, RELEASE_EVENTS = 30, 3600.0, 10_000


@dataclass(frozen=True, slots=True)
class Task:
    """One person's task; `about` is the complaint of a `judge` task and the round of a `qualify` task."""

    id: str
    project_id: str
    item_id: str
    kind: str
    about: str
    user_id: str
    state: str
    held_until: float | None
    draft: str
    version: int


@dataclass(frozen=True, slots=True)
class Claim:
    """What somebody got who asked for a task: the task, or the reason why there is none."""

    task_id: str | None = None
    reason: str = ""


_SELECT = "SELECT id, project_id, item_id, kind, about, user_id, state, held_until, draft, version FROM tasks"


def get_task(connection: Connection, task_id: str, user_id: str) -> Task:
    """The task of this person; to others it looks like one that is not there."""
    row = sql.find_one(connection, f"{_SELECT} WHERE id = :id AND user_id = :user_id", id=task_id, user_id=user_id)
    if row is None:
        raise no_task()
    member = members.find_member(connection, row.project_id, user_id)
    if member is None or not permissions.may_see(connection, member):
        raise no_task()
    if row.kind in _FOR_REVIEWERS and not member.may_review:  # no longer a reviewer
        raise no_task()
    return Task(*row)


def no_task() -> Refusal:
    return Refusal(404, "there is no such task, or it is not yours")


def claim(
    connection: Connection, project: Project, member: Member, kinds: Sequence[str], now: float, rng: Random
) -> Claim:
    """The task that this person holds already, or another one, or the reason why there is none."""
    slots.expire(connection, now)
    wanted = [kind for kind in KINDS if kind in kinds and (member.may_review or kind not in _FOR_REVIEWERS)]
    if held := find_held(connection, project.id, member.user_id, wanted):
        hold(connection, held[0], project, now)
        return Claim(held[0].id)
    if project.state != RUNNING:
        return Claim(reason=project.state)
    standing = qualification.standing(connection, project, member)
    if standing == members.FAILED:
        return Claim(reason="failed")
    if standing == qualification.QUALIFYING:
        if "qualify" not in wanted:
            return Claim(reason="qualify")
        wanted = ["qualify"]
    else:
        wanted = [kind for kind in wanted if kind != "qualify"]
    for kind in wanted:
        if assigned := _find_assigned(connection, project.id, member.user_id, kind):
            hold(connection, assigned, project, now)
            return Claim(assigned.id)
        if found := _draw(connection, kind, project, member, rng):
            return Claim(take(connection, project, member.user_id, kind, *found, now=now))
    return Claim(reason="nothing")


def take(
    connection: Connection, project: Project, user_id: str, kind: str, item_id: str, about: str, *, now: float
) -> str:
    """The id of the person's task of this kind, held from now on; it was theirs before, or is made."""
    row = sql.find_one(
        connection,
        f"{_SELECT} WHERE item_id = :item_id AND kind = :kind AND about = :about AND user_id = :user_id",
        item_id=item_id,
        kind=kind,
        about=about,
        user_id=user_id,
    )
    task_id = new_id(now) if row is None else str(row.id)
    if row is None:
        record: dict[str, Any] = {
            "id": task_id,
            "project_id": project.id,
            "item_id": item_id,
            "kind": kind,
            "about": about,
        }
        record |= {"user_id": user_id, "state": "open", "version": 1, "made_at": now, "begun_at": now}
        sql.insert(connection, "tasks", record)
    hold(connection, get_task(connection, task_id, user_id), project, now)
    return task_id


def hold(connection: Connection, task: Task, project: Project, now: float) -> None:
    """Hold a task for the time of a lease from now on; whether its slot is free was asked before."""
    sql.change(
        connection,
        "UPDATE tasks SET state = 'held', held_until = :until, begun_at = coalesce(begun_at, :now) WHERE id = :id",
        until=now + project.settings.lease,
        now=now,
        id=task.id,
    )
    if task.state != "held":
        facts = {"task": task.id, "kind": task.kind}
        events.add(connection, project.id, "task.claimed", now, user_id=task.user_id, item_id=task.item_id, **facts)
        slots.settle_item(connection, task.item_id, now)


def keep_hold(connection: Connection, task: Task, project: Project, now: float) -> bool:
    """Hold a task on, or again where its lease was over and nobody took its slot; False where it is lost."""
    if task.state == "open" and not _may_hold(connection, task, project):
        return False
    if task.state not in ("open", "held"):
        return False
    hold(connection, task, project, now)
    return True


def holds_another(connection: Connection, task: Task) -> bool:
    """Whether the person has taken another task of this kind since they lost or released this one.

    One at a time: who could take up all that they ever released would hold every sentence of a project.
    """
    if task.state != "open" or task.kind == "study":
        return False
    return bool(find_held(connection, task.project_id, task.user_id, [task.kind]))


def release(connection: Connection, task: Task, now: float) -> None:
    """Give a task back, of one's own will: it is not offered again before others."""
    if task.state != "held":
        return
    _limit_releases(connection, task, now)
    sql.change(connection, "UPDATE tasks SET state = 'open', held_until = NULL WHERE id = :id", id=task.id)
    facts = {"task": task.id, "kind": task.kind, "holder": task.user_id}
    events.add(connection, task.project_id, "task.released", now, user_id=task.user_id, item_id=task.item_id, **facts)
    slots.settle_item(connection, task.item_id, now)


def _limit_releases(connection: Connection, task: Task, now: float) -> None:
    """Refuse somebody who gives back one sentence after the other: they choose, or fill the record.

    Only the latest events are looked at, so it takes no longer in a large project.
    """
    found = sql.find_one(
        connection,
        "SELECT count(*) AS n, min(made_at) AS first FROM events WHERE project_id = :id AND kind = 'task.released'"
        " AND user_id = :user_id AND made_at > :since AND number > (SELECT max(number) FROM events"
        " WHERE project_id = :id) - :n_events",
        id=task.project_id,
        user_id=task.user_id,
        since=now - RELEASE_SECONDS,
        n_events=RELEASE_EVENTS,
    )
    if found is not None and found.n >= MAX_RELEASES:
        message = f"you gave {MAX_RELEASES} sentences back within an hour: finish this one, or say why you skip it"
        raise Refusal(429, message, retry_after=max(1, int(found.first + RELEASE_SECONDS - now) + 1))


def save_draft(connection: Connection, task: Task, project: Project, version: int, draft: Any, now: float) -> Task:
    """Keep what somebody has typed; it also keeps their hold. What another tab saved meanwhile is a conflict."""
    if task.state in ("done", "dropped"):
        raise conflict(task, "the task is done")
    if version != task.version:
        raise conflict(task, "another window saved something else meanwhile")
    _write_draft(connection, task, draft)
    if not holds_another(connection, task):
        keep_hold(connection, task, project, now)
    return get_task(connection, task.id, task.user_id)


def keep_text(connection: Connection, task: Task, draft: Any) -> None:
    """Keep what somebody wanted to submit and could not, so that they can copy it."""
    _write_draft(connection, task, draft)


def conflict(task: Task, message: str) -> Refusal:
    current = {"version": task.version, "state": task.state, "draft": load_draft(task)}
    return Refusal(409, message, facts={"current": current})


def load_draft(task: Task) -> Any:
    return json.loads(task.draft) if task.draft else None


def _write_draft(connection: Connection, task: Task, draft: Any) -> None:
    if is_deeper(draft, MAX_LEVELS):
        raise Refusal(422, f"the draft has more than {MAX_LEVELS} lists and objects in each other")
    try:
        written = json.dumps(draft, ensure_ascii=False, allow_nan=False)
        written.encode()
    except ValueError as error:  # half a character, or a number that is none
        raise Refusal(422, "the draft has something that is no text and no number") from error
    if len(written) > MAX_DRAFT:
        raise Refusal(413, f"the draft has more than {MAX_DRAFT} characters")
    if "\0" in written:
        raise Refusal(422, "the draft has a NUL character: remove it")
    statement = "UPDATE tasks SET draft = :draft, version = version + 1 WHERE id = :id"
    sql.change(connection, statement, draft=written, id=task.id)


def find_held(connection: Connection, project_id: str, user_id: str, kinds: Sequence[str]) -> list[Task]:
    """The tasks of these kinds that somebody has begun and holds, the one they worked on last first."""
    found = sql.find_all(
        connection,
        f"{_SELECT} WHERE user_id = :user_id AND project_id = :project_id AND state = 'held' AND begun_at IS NOT NULL"
        " ORDER BY held_until DESC, id",
        user_id=user_id,
        project_id=project_id,
    )
    return sorted((Task(*row) for row in found if row.kind in kinds), key=lambda task: kinds.index(task.kind))


def _find_assigned(connection: Connection, project_id: str, user_id: str, kind: str) -> Task | None:
    """A task that an owner gave to somebody who has not begun with it."""
    row = sql.find_one(
        connection,
        f"{_SELECT} WHERE user_id = :user_id AND project_id = :project_id AND state = 'held' AND kind = :kind"
        " AND begun_at IS NULL ORDER BY held_until, id LIMIT 1",
        user_id=user_id,
        project_id=project_id,
        kind=kind,
    )
    return None if row is None else Task(*row)


def _may_hold(connection: Connection, task: Task, project: Project) -> bool:
    """Whether the slot of a task that was lost is still free for the person."""
    if task.kind != "qualify" and not qualification.may_work(connection, project, task.user_id):
        return False
    if task.kind == "annotate":
        return slots.may_take(connection, task.project_id, task.item_id, slots.ANNOTATING, task.user_id)
    if task.kind == "review":
        return slots.may_take(connection, task.project_id, task.item_id, slots.REVIEWING, task.user_id)
    if task.kind == "judge":
        return complaints.is_free(connection, task.about, task.user_id)
    return task.kind == "study" or qualification.is_current(connection, task.project_id, task.user_id, task.about)


def _draw(connection: Connection, kind: str, project: Project, member: Member, rng: Random) -> tuple[str, str] | None:
    """The item of a task of this kind for a person, and what it is about."""
    if kind == "qualify":
        item_id = qualification.draw(connection, project, member, rng)
        return None if item_id is None else (item_id, str(member.attempt))
    if kind == "judge":
        return complaints.draw(connection, project.id, member.user_id, rng)
    if kind == "study":
        row = sql.find_one(
            connection,
            "SELECT t.item_id FROM tasks t JOIN items i ON i.id = t.item_id AND i.state <> 'withdrawn'"
            " WHERE t.user_id = :user_id AND t.project_id = :project_id AND t.kind = 'study' AND t.state = 'open'"
            " ORDER BY t.made_at, t.id LIMIT 1",
            user_id=member.user_id,
            project_id=project.id,
        )
        return None if row is None else (row.item_id, "")
    state = slots.ANNOTATING if kind == "annotate" else slots.REVIEWING
    item_id = _find_lost(connection, kind, state, project.id, member.user_id)
    item_id = item_id or slots.draw_item(connection, project.id, state, member.user_id, rng)
    return None if item_id is None else (item_id, "")


def _find_lost(connection: Connection, kind: str, state: str, project_id: str, user_id: str) -> str | None:
    """An item whose lease this person lost and whose slot nobody took: what they typed is still there."""
    found = sql.find_all(
        connection,
        "SELECT t.item_id FROM tasks t JOIN items i ON i.id = t.item_id WHERE t.user_id = :user_id"
        " AND t.project_id = :project_id AND t.kind = :kind AND t.state = 'open' AND t.held_until IS NOT NULL"
        " AND i.state = :state AND i.n_free > 0 ORDER BY t.held_until DESC",
        user_id=user_id,
        project_id=project_id,
        kind=kind,
        state=state,
    )
    return next(
        (row.item_id for row in found if slots.may_take(connection, project_id, row.item_id, state, user_id)), None
    )
