"""Who may do what in a project."""

from __future__ import annotations

from sqlalchemy import Connection

from errata.web.refusals import Refusal
from errata.web.workbench.members import OWNER, REMOVED, Member, find_member


def require(connection: Connection, user_id: str, project_id: str, action: str) -> Member:
    """The member who may do it. To others a project they are no member of looks like one that is not there."""
    member = find_member(connection, project_id, user_id)
    if member is None or member.state == REMOVED:
        raise Refusal(404, "there is no such project, or you are no member of it")
    if member.role != OWNER:
        raise Refusal(403, "only an owner of the project may do this")
    return member
