"""Deleting a project with everything that happened in it: only one that was put away, and only by its name."""

from __future__ import annotations

import logging
from collections.abc import Callable

from sqlalchemy import Connection, Engine

from errata.web.database import writing
from errata.web.refusals import Refusal
from errata.web.workbench import sql
from errata.web.workbench.permissions import ARCHIVED
from errata.web.workbench.projects import Project
from errata.web.workbench.texts import same

log = logging.getLogger(__name__)

# Items that are deleted in one transaction. Twenty thousand took twelve seconds, and everybody else waited meanwhile.
BATCH = 1_000
# First nobody sees the project any more; then its items go, rows before those they refer to; then what is left.
_FIRST = ("members", "invitations")
_OF_ITEMS = ("complaints", "golden", "verdicts", "answers", "submissions", "tasks")
_LAST = ("passages", "events")
_BATCH = "(SELECT id FROM items WHERE project_id = :id ORDER BY purpose, position LIMIT :n)"


def delete_project(engine: Engine, find: Callable[[Connection], Project], typed: str) -> Project:
    """Delete a project for good, and return what it was; `typed` is its name, as a person wrote it.

    It takes many transactions. If the server stops between them, the rest belongs to nobody, and deleting it again by
    command goes on.
    """
    with writing(engine) as connection:
        project = find(connection)
        if project.state != ARCHIVED:
            raise Refusal(409, "only a project that is archived can be deleted: archive it first")
        if same(typed) != same(project.name):
            raise Refusal(422, "this is not the name of the project: nothing was deleted")
        _delete(connection, _FIRST, project)
    while _delete_items(engine, project):
        pass
    with writing(engine) as connection:
        _delete(connection, _LAST, project)
        sql.change(connection, "DELETE FROM projects WHERE id = :id", id=project.id)
    log.info("the project %s was deleted", project.id)
    return project


def _delete(connection: Connection, tables: tuple[str, ...], project: Project) -> None:
    for table in tables:
        sql.change(connection, f"DELETE FROM {table} WHERE project_id = :id", id=project.id)


def _delete_items(engine: Engine, project: Project) -> int:
    """Delete some items with everything that was done with them, and say how many there were."""
    with writing(engine) as connection:
        for table in _OF_ITEMS:
            sql.change(connection, f"DELETE FROM {table} WHERE item_id IN {_BATCH}", id=project.id, n=BATCH)
        return sql.change(connection, f"DELETE FROM items WHERE id IN {_BATCH}", id=project.id, n=BATCH)
