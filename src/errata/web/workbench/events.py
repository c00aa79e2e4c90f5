"""The audit trail: every change has an event that says who did what, when."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection

from errata.web.ids import new_id
from errata.web.workbench import sql

# The most events that are listed at a time.
MAX_LISTED = 200


def add(
    connection: Connection,
    project_id: str,
    kind: str,
    now: float,
    /,
    *,
    user_id: str | None = None,
    item_id: str | None = None,
    **facts: Any,
) -> None:
    """Note a change: `kind` is a noun and a verb such as `task.claimed`, `user_id` who made it (None: the clock).

    The events of a project are numbered in the order they happened, which times alone would not tell.
    """
    last = "SELECT coalesce(max(number), 0) FROM events WHERE project_id = :project_id"
    sql.insert(
        connection,
        "events",
        {
            "id": new_id(now),
            "project_id": project_id,
            "number": sql.count(connection, last, project_id=project_id) + 1,
            "item_id": item_id,
            "user_id": user_id,
            "kind": kind,
            "facts": json.dumps(facts, ensure_ascii=False),
            "made_at": now,
        },
    )


def list_events(
    connection: Connection, project_id: str, *, before: int = 0, limit: int = MAX_LISTED
) -> list[dict[str, Any]]:
    """The latest events of a project, or those before the one with a number; the latest first."""
    found = sql.find_all(
        connection,
        f"{_SELECT} WHERE e.project_id = :project_id AND (:before = 0 OR e.number < :before)"
        " ORDER BY e.number DESC LIMIT :limit",
        project_id=project_id,
        before=before,
        limit=min(limit, MAX_LISTED),
    )
    return _name_people(connection, [_json(row) for row in found])


def list_of_item(connection: Connection, item_id: str) -> list[dict[str, Any]]:
    """All events of an item, the first one first."""
    found = sql.find_all(connection, f"{_SELECT} WHERE e.item_id = :item_id ORDER BY e.number", item_id=item_id)
    return _name_people(connection, [_json(row) for row in found])


# Facts that are the id of a person.
_PEOPLE = ("member", "to", "holder")


def _name_people(connection: Connection, listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Events with the name of the person they are about, who is not always the one who made them."""
    names: dict[str, str] = {}
    for event in listed:
        ids = [event["facts"][fact] for fact in _PEOPLE if fact in event["facts"]]
        for user_id in ids:
            if user_id not in names:
                row = sql.find_one(connection, "SELECT name FROM users WHERE id = :id", id=user_id)
                names[user_id] = "" if row is None else row.name
        event["about"] = names[ids[0]] if ids else ""
    return listed


_SELECT = (
    "SELECT e.number, e.kind, e.facts, e.made_at, e.item_id, i.position, e.user_id, u.name"
    " FROM events e LEFT JOIN users u ON u.id = e.user_id LEFT JOIN items i ON i.id = e.item_id"
)


def _json(row: Any) -> dict[str, Any]:
    return {
        "number": row.number,
        "kind": row.kind,
        "at": row.made_at,
        "item_id": row.item_id,
        "item_number": None if row.position is None else row.position + 1,
        "user": None if row.user_id is None else {"id": row.user_id, "name": row.name},
        "facts": json.loads(row.facts),
    }
