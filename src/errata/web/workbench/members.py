"""Who works in a project, in which role."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, text

OWNER, REVIEWER, ANNOTATOR = "owner", "reviewer", "annotator"
# The one who may do most comes first.
ROLES = (OWNER, REVIEWER, ANNOTATOR)
ACTIVE, REMOVED = "active", "removed"

_FIND = text("SELECT role, state FROM members WHERE project_id = :project_id AND user_id = :user_id")
_ADD = text(
    "INSERT INTO members (project_id, user_id, role, state, joined_at)"
    " VALUES (:project_id, :user_id, :role, :state, :now)"
    " ON CONFLICT (project_id, user_id) DO UPDATE SET role = excluded.role, state = excluded.state"
)


@dataclass(frozen=True, slots=True)
class Member:
    """A person in a project."""

    project_id: str
    user_id: str
    role: str
    state: str


def find_member(connection: Connection, project_id: str, user_id: str) -> Member | None:
    """The member, also one that was removed."""
    row = connection.execute(_FIND, {"project_id": project_id, "user_id": user_id}).one_or_none()
    return None if row is None else Member(project_id, user_id, *row)


def join(connection: Connection, project_id: str, user_id: str, role: str, now: float) -> None:
    """Make somebody a member."""
    row = {"project_id": project_id, "user_id": user_id, "role": role, "state": ACTIVE, "now": now}
    connection.execute(_ADD, row)
