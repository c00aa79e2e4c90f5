"""Who may do what in a project: one table, asked by one function."""

from __future__ import annotations

from sqlalchemy import Connection

from errata.web.refusals import Refusal
from errata.web.workbench import sql
from errata.web.workbench.members import OWNER, REMOVED, ROLES, Member, find_member

# action → the roles that may do it. Tasks are not here: a task is seen and done by who holds it, and by nobody else.
TABLE: dict[str, frozenset[str]] = {
    "see": frozenset(ROLES),
    "work": frozenset(ROLES),
    "change": frozenset({OWNER}),
    "import": frozenset({OWNER}),
    "members": frozenset({OWNER}),
    "invite": frozenset({OWNER}),
    "items": frozenset({OWNER}),
    "events": frozenset({OWNER}),
    "figures": frozenset({OWNER}),
    "export": frozenset({OWNER}),
    "delete": frozenset({OWNER}),
}
# The state of a project that only its owners see.
ARCHIVED = "archived"


def require(connection: Connection, user_id: str, project_id: str, action: str) -> Member:
    """The member who may do it. To others a project they are no member of looks like one that is not there."""
    member = find_member(connection, project_id, user_id)
    if member is None or not may_see(connection, member):
        raise no_project()
    if member.role not in TABLE[action]:
        raise Refusal(403, f"only an owner of the project may do this, and you are {_article(member.role)}")
    return member


def may_see(connection: Connection, member: Member) -> bool:
    """Whether a member is still one, and the project is not put away."""
    if member.state == REMOVED:
        return False
    return member.role == OWNER or not is_archived(connection, member.project_id)


def is_archived(connection: Connection, project_id: str) -> bool:
    row = sql.find_one(connection, "SELECT state FROM projects WHERE id = :id", id=project_id)
    return row is not None and row.state == ARCHIVED


def refuse_archived(connection: Connection, project_id: str) -> None:
    """Refuse to add people or sentences to a project that is put away: nobody could work on them."""
    if is_archived(connection, project_id):
        raise Refusal(409, "this project is archived: bring it back first")


def no_project() -> Refusal:
    return Refusal(404, "there is no such project, or you are no member of it")


def _article(role: str) -> str:
    return f"an {role}" if role[0] in "aeiou" else f"a {role}"
