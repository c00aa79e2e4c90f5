"""Invitations: links that let people into a project, so many times, until a day."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, text

from errata.web.accounts.sessions import DAY
from errata.web.accounts.tokens import digest, new_token
from errata.web.ids import new_id
from errata.web.refusals import Refusal
from errata.web.workbench import events
from errata.web.workbench.permissions import ARCHIVED, refuse_archived

# The page that asks who you are; the token is behind the `#`, which browsers send to no server, so it is in no log.
LINK = "/workbench/join#"
OPEN, USED, EXPIRED, REVOKED = "open", "used", "expired", "revoked"
_GONE = {
    USED: "this invitation has been used up: ask for a new one",
    EXPIRED: "this invitation has expired: ask for a new one",
    REVOKED: "this invitation has been withdrawn: ask for a new one",
}

_SELECT = (
    "SELECT i.id, i.project_id, p.name AS project_name, p.state AS project_state, i.role, u.name AS made_by,"
    " i.made_at, i.expires_at, i.n_uses, i.n_left, i.revoked_at FROM invitations i"
    " JOIN projects p ON p.id = i.project_id JOIN users u ON u.id = i.made_by"
)
_FIND = text(f"{_SELECT} WHERE i.digest = :digest")
_LIST = text(f"{_SELECT} WHERE i.project_id = :project_id ORDER BY i.id DESC")
_ADD = text(
    "INSERT INTO invitations (id, digest, project_id, role, made_by, made_at, expires_at, n_uses, n_left)"
    " VALUES (:id, :digest, :project_id, :role, :made_by, :now, :expires_at, :n_uses, :n_uses)"
)
_USE = text("UPDATE invitations SET n_left = n_left - 1 WHERE id = :id")
_REVOKE = text(
    "UPDATE invitations SET revoked_at = coalesce(revoked_at, :now) WHERE id = :id AND project_id = :project_id"
)


@dataclass(frozen=True, slots=True)
class Invitation:
    """A link somebody made, without its token."""

    id: str
    project_id: str
    project_name: str
    project_state: str
    role: str
    made_by: str
    made_at: float
    expires_at: float
    n_uses: int
    n_left: int
    revoked_at: float | None

    def state(self, now: float) -> str:
        """Whether it lets people in, or why not."""
        if self.revoked_at is not None:
            return REVOKED
        if not self.n_left:
            return USED
        return EXPIRED if now >= self.expires_at else OPEN


def make(
    connection: Connection, project_id: str, made_by: str, role: str, *, n_uses: int, days: int, now: float
) -> tuple[str, str]:
    """The id of a new invitation that somebody (an id) made, and its token, which is kept nowhere."""
    refuse_archived(connection, project_id)
    invitation_id, token = new_id(now), new_token()
    row = {"id": invitation_id, "digest": digest(token), "project_id": project_id, "role": role, "n_uses": n_uses}
    connection.execute(_ADD, {**row, "made_by": made_by, "now": now, "expires_at": now + days * DAY})
    facts: dict[str, Any] = {"invitation": invitation_id, "role": role, "n_uses": n_uses, "days": days}
    events.add(connection, project_id, "invitation.made", now, user_id=made_by, **facts)
    return invitation_id, token


def find(connection: Connection, token: str, now: float) -> Invitation:
    """The invitation of a token; refused where it lets nobody in any more."""
    row = connection.execute(_FIND, {"digest": digest(token)}).one_or_none()
    if row is None:
        raise Refusal(404, "there is no such invitation: open the whole link that you were sent")
    invitation = _read(row)
    state = invitation.state(now)
    if state != OPEN:
        raise Refusal(410, _GONE[state])
    if invitation.project_state == ARCHIVED:
        raise Refusal(410, "this project has been archived: ask its owner")
    return invitation


def use_up(connection: Connection, invitation: Invitation) -> None:
    """Let one person in; in the transaction of `writing` that found it open, so that nobody else has come between."""
    connection.execute(_USE, {"id": invitation.id})


def list_all(connection: Connection, project_id: str) -> list[Invitation]:
    """All that were made for a project, the latest first."""
    return [_read(row) for row in connection.execute(_LIST, {"project_id": project_id})]


def revoke(connection: Connection, project_id: str, invitation_id: str, now: float) -> None:
    """Let nobody in any more; who came in stays."""
    if not connection.execute(_REVOKE, {"id": invitation_id, "project_id": project_id, "now": now}).rowcount:
        raise Refusal(404, "there is no such invitation in this project")


def _read(row: Row[tuple[object, ...]]) -> Invitation:
    return Invitation(**row._mapping)
