"""Complaints: somebody insists that a rejected answer is right, and a reviewer decides."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from sqlalchemy import Connection

from errata.web.ids import new_id
from errata.web.refusals import Refusal
from errata.web.workbench import events, sql, texts

OPEN, UPHELD, REJECTED = "open", "upheld", "rejected"


@dataclass(frozen=True, slots=True)
class Complaint:
    """Why somebody thinks that `target` is right, and what was decided."""

    id: str
    item_id: str
    task_id: str
    user_id: str
    target: str
    reason: str
    state: str
    decision: str


_SELECT = "SELECT id, item_id, task_id, user_id, target, reason, state, decision FROM complaints"


def get_complaint(connection: Connection, complaint_id: str) -> Complaint:
    row = sql.find_one(connection, f"{_SELECT} WHERE id = :id", id=complaint_id)
    assert row is not None, complaint_id
    return Complaint(*row)


def complaints_of(connection: Connection, item_id: str, user_id: str) -> list[Complaint]:
    """What somebody said about an item, the first one first."""
    found = sql.find_all(
        connection,
        f"{_SELECT} WHERE item_id = :item_id AND user_id = :user_id ORDER BY made_at, id",
        item_id=item_id,
        user_id=user_id,
    )
    return [Complaint(*row) for row in found]


def complain(
    connection: Connection,
    project_id: str,
    item_id: str,
    task_id: str,
    user_id: str,
    target: str,
    reason: str,
    now: float,
) -> None:
    """Put a complaint before the reviewers; there is one at most about the same answer."""
    earlier = complaints_of(connection, item_id, user_id)
    if any(texts.same(one.target) == texts.same(target) for one in earlier):
        raise Refusal(422, "there was a complaint about this answer already, and it was decided")
    record: dict[str, Any] = {
        "id": new_id(now),
        "item_id": item_id,
        "task_id": task_id,
        "user_id": user_id,
        "target": target,
    }
    record |= {"reason": reason, "state": OPEN, "made_at": now}
    sql.insert(connection, "complaints", record)
    facts = {"complaint": record["id"], "target": target, "reason": reason}
    events.add(connection, project_id, "complaint.made", now, user_id=user_id, item_id=item_id, **facts)


def decide(
    connection: Connection, project_id: str, complaint: Complaint, user_id: str, state: str, decision: str, now: float
) -> None:
    """Uphold or reject a complaint."""
    sql.change(
        connection,
        "UPDATE complaints SET state = :state, decided_by = :user_id, decision = :decision, decided_at = :now"
        " WHERE id = :id",
        state=state,
        user_id=user_id,
        decision=decision,
        now=now,
        id=complaint.id,
    )
    facts = {"complaint": complaint.id, "target": complaint.target, "decision": decision}
    events.add(connection, project_id, f"complaint.{state}", now, user_id=user_id, item_id=complaint.item_id, **facts)


def draw(connection: Connection, project_id: str, user_id: str, rng: Random) -> tuple[str, str] | None:
    """The item and id of a random complaint that this reviewer may decide."""
    found = sql.find_all(
        connection,
        "SELECT c.id, c.item_id FROM complaints c JOIN items i ON i.id = c.item_id"
        f" WHERE i.project_id = :project_id AND c.state = 'open' AND {_FREE} ORDER BY c.id",
        project_id=project_id,
        user_id=user_id,
    )
    if not found:
        return None
    chosen = rng.choice(found)
    return chosen.item_id, chosen.id


def is_free(connection: Connection, complaint_id: str, user_id: str) -> bool:
    """Whether a complaint is not decided, nobody else decides it now, and this person may."""
    row = sql.find_one(
        connection,
        "SELECT c.id FROM complaints c JOIN items i ON i.id = c.item_id"
        f" WHERE c.id = :id AND c.state = 'open' AND {_FREE}",
        id=complaint_id,
        user_id=user_id,
    )
    return row is not None


def count_free(connection: Connection, project_id: str, user_id: str) -> int:
    """How many complaints this reviewer may decide."""
    return sql.count(
        connection,
        "SELECT count(*) FROM complaints c JOIN items i ON i.id = c.item_id"
        f" WHERE i.project_id = :project_id AND c.state = 'open' AND {_FREE}",
        project_id=project_id,
        user_id=user_id,
    )


# Nobody judges their own complaint. Who reviewed the item judges only where no other reviewer could.
_FREE = (
    "i.state <> 'withdrawn' AND c.user_id <> :user_id"
    " AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.item_id = c.item_id AND t.kind = 'judge' AND t.about = c.id"
    " AND t.state = 'held' AND t.user_id <> :user_id)"
    " AND (NOT EXISTS (SELECT 1 FROM tasks t WHERE t.item_id = c.item_id AND t.kind = 'review' AND t.state = 'done'"
    " AND t.user_id = :user_id)"
    " OR NOT EXISTS (SELECT 1 FROM members m WHERE m.project_id = i.project_id AND m.role = 'reviewer'"
    " AND m.state <> 'removed' AND m.user_id <> :user_id AND m.user_id <> c.user_id))"
)
