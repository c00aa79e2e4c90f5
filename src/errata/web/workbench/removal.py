"""Deleting a project with everything that happened in it: only one that was put away, and only by its name."""

from __future__ import annotations

import logging

from sqlalchemy import Connection

from errata.web.refusals import Refusal
from errata.web.workbench import sql
from errata.web.workbench.permissions import ARCHIVED
from errata.web.workbench.projects import Project
from errata.web.workbench.texts import same

log = logging.getLogger(__name__)

_OF_ITEMS = "WHERE item_id IN (SELECT id FROM items WHERE project_id = :id)"
_OF_PROJECT = "WHERE project_id = :id"
# Rows before those they refer to: the database then looks for none that are left.
_ROWS = (
    *((table, _OF_ITEMS) for table in ("complaints", "golden", "verdicts", "answers", "submissions")),
    *((table, _OF_PROJECT) for table in ("tasks", "items", "passages", "events", "members", "invitations")),
)


def delete_project(connection: Connection, project: Project, typed: str) -> None:
    """Delete a project for good; `typed` is its name, as a person wrote it."""
    if project.state != ARCHIVED:
        raise Refusal(409, "only a project that is archived can be deleted: archive it first")
    if same(typed) != same(project.name):
        raise Refusal(422, "this is not the name of the project: nothing was deleted")
    for table, where in _ROWS:
        sql.change(connection, f"DELETE FROM {table} {where}", id=project.id)
    sql.change(connection, "DELETE FROM projects WHERE id = :id", id=project.id)
    log.info("the project %s was deleted", project.id)
