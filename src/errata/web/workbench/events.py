"""The audit trail: every change has an event that says who did what, when."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, text

from errata.web.ids import new_id

_ADD = text(
    "INSERT INTO events (id, project_id, user_id, kind, facts, made_at)"
    " VALUES (:id, :project_id, :user_id, :kind, :facts, :now)"
)


def add(
    connection: Connection, project_id: str, kind: str, now: float, *, user_id: str | None = None, **facts: Any
) -> None:
    """Note a change."""
    row = {"id": new_id(now), "project_id": project_id, "user_id": user_id, "kind": kind, "now": now}
    connection.execute(_ADD, {**row, "facts": json.dumps(facts, ensure_ascii=False)})
