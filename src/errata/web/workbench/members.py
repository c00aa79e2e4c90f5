"""Who works in a project, in which role."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from errata.web.refusals import Refusal
from errata.web.workbench import events, slots, sql

OWNER, REVIEWER, ANNOTATOR = "owner", "reviewer", "annotator"
# The one who may do most comes first.
ROLES = (OWNER, REVIEWER, ANNOTATOR)
REVIEWERS = (OWNER, REVIEWER)

# `active` members work, after the qualification round where there is one; `qualified` ones have passed it.
ACTIVE, QUALIFIED, FAILED, REMOVED = "active", "qualified", "failed", "removed"
STATES = (ACTIVE, QUALIFIED, FAILED, REMOVED)


@dataclass(frozen=True, slots=True)
class Member:
    """A person in a project; `attempt` numbers the qualification rounds they were given."""

    project_id: str
    user_id: str
    role: str
    state: str
    attempt: int

    @property
    def may_review(self) -> bool:
        return self.role in REVIEWERS


def find_member(connection: Connection, project_id: str, user_id: str) -> Member | None:
    """The member, also one that was removed."""
    row = sql.find_one(
        connection,
        "SELECT project_id, user_id, role, state, attempt FROM members"
        " WHERE project_id = :project_id AND user_id = :user_id",
        project_id=project_id,
        user_id=user_id,
    )
    return None if row is None else Member(*row)


def join(connection: Connection, project_id: str, user_id: str, role: str, now: float) -> None:
    """Make somebody a member. Who is one already keeps the role that may do more; only an owner brings back others."""
    if role not in ROLES:
        raise Refusal(422, f"a role is one of {', '.join(ROLES)}")
    known = find_member(connection, project_id, user_id)
    if known is not None and known.state == REMOVED:
        raise Refusal(403, "you were removed from this project: ask its owner")
    if known is None:
        sql.insert(
            connection,
            "members",
            {"project_id": project_id, "user_id": user_id, "role": role, "state": ACTIVE, "joined_at": now},
        )
    else:
        _write(connection, known, min(role, known.role, key=ROLES.index), known.state, known.attempt)
    events.add(connection, project_id, "member.joined", now, user_id=user_id, role=role)


def list_members(connection: Connection, project_id: str) -> list[dict[str, Any]]:
    """The members with how much each did, in the order they joined."""
    found = sql.find_all(
        connection,
        "SELECT m.user_id, u.name, m.role, m.state, m.attempt, m.joined_at, count(t.id) AS n_done"
        " FROM members m JOIN users u ON u.id = m.user_id"
        " LEFT JOIN tasks t ON t.user_id = m.user_id AND t.project_id = m.project_id AND t.state = 'done'"
        " WHERE m.project_id = :project_id"
        " GROUP BY m.user_id, u.name, m.role, m.state, m.attempt, m.joined_at ORDER BY m.joined_at, m.user_id",
        project_id=project_id,
    )
    return [dict(row._mapping) for row in found]


def change_member(
    connection: Connection, project_id: str, user_id: str, *, by: str, now: float, role: str | None, state: str | None
) -> Member:
    """The member with another role or state. Back to `active`, a failed one has a new qualification round.

    One who was removed comes back as they were: who had qualified need not do it again.
    """
    known = find_member(connection, project_id, user_id)
    if known is None:
        raise Refusal(404, "there is no such member in this project")
    if role is not None and role not in ROLES:
        raise Refusal(422, f"a role is one of {', '.join(ROLES)}")
    if state is not None and state not in (ACTIVE, QUALIFIED, REMOVED):
        raise Refusal(422, f"a member can be made {ACTIVE}, {QUALIFIED} or {REMOVED}")
    before = known.state
    if before == REMOVED and state == ACTIVE:
        before = _find_state_before(connection, known)
        state = QUALIFIED if before == QUALIFIED else ACTIVE
    attempt = known.attempt + (before == FAILED and state == ACTIVE)
    changed = Member(project_id, user_id, role or known.role, state or known.state, attempt)
    _keep_an_owner(connection, known, changed)
    _write(connection, known, changed.role, changed.state, changed.attempt)
    if changed.state == REMOVED or (known.may_review and not changed.may_review):
        slots.give_up(connection, project_id, user_id, now)
    facts: dict[str, Any] = {
        "member": user_id,
        "role": changed.role,
        "state": changed.state,
        "attempt": changed.attempt,
    }
    events.add(connection, project_id, "member.changed", now, user_id=by, **facts)
    return changed


def _find_state_before(connection: Connection, member: Member) -> str:
    """The state that a removed member had last, by the audit trail."""
    found = sql.find_all(
        connection,
        "SELECT kind, user_id, facts FROM events WHERE project_id = :id"
        " AND kind IN ('member.qualified', 'member.failed', 'member.changed') ORDER BY number",
        id=member.project_id,
    )
    state = ACTIVE
    for event in found:
        facts = json.loads(event.facts)
        if event.kind != "member.changed" and event.user_id == member.user_id:
            state = event.kind.removeprefix("member.")
        elif facts.get("member") == member.user_id and facts.get("state", REMOVED) != REMOVED:
            state = facts["state"]
    return state


def set_state(connection: Connection, member: Member, state: str) -> None:
    _write(connection, member, member.role, state, member.attempt)


def _write(connection: Connection, member: Member, role: str, state: str, attempt: int) -> None:
    sql.change(
        connection,
        "UPDATE members SET role = :role, state = :state, attempt = :attempt"
        " WHERE project_id = :project_id AND user_id = :user_id",
        role=role,
        state=state,
        attempt=attempt,
        project_id=member.project_id,
        user_id=member.user_id,
    )


def _keep_an_owner(connection: Connection, before: Member, after: Member) -> None:
    if before.role != OWNER or (after.role == OWNER and after.state != REMOVED):
        return
    n_others = sql.count(
        connection,
        "SELECT count(*) FROM members WHERE project_id = :project_id AND role = 'owner'"
        " AND state <> 'removed' AND user_id <> :user_id",
        project_id=before.project_id,
        user_id=before.user_id,
    )
    if not n_others:
        raise Refusal(422, "a project needs an owner: make somebody else one first")
