"""Items: the sentences of a project, their golden references, and what happened to each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from errata.web.ids import new_id
from errata.web.refusals import Refusal
from errata.web.workbench import events, slots, sql, texts
from errata.web.workbench.projects import MAX_K

WORK, QUALIFY = "work", "qualify"
PURPOSES = (WORK, QUALIFY)
# The most items that are listed at a time.
MAX_LISTED = 500
# What must be true of a submission `s` of the task `t` that counts: who took an answer back has another one by now, or
# none yet.
COUNTS = (
    "(t.state = 'done' OR (t.state = 'dropped' AND s.status = 'skipped'))"
    " AND s.version = (SELECT max(x.version) FROM submissions x WHERE x.task_id = t.id)"
)


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence to correct."""

    id: str
    project_id: str
    passage_id: str | None
    position: int
    purpose: str
    source: str
    is_tokenised: bool
    n_wanted: int
    n_free: int
    state: str
    outcome: str
    version: int

    def as_json(self) -> dict[str, Any]:
        shown = ("id", "passage_id", "purpose", "source", "n_wanted", "n_free", "state", "outcome", "version")
        return {"number": self.position + 1, **{name: getattr(self, name) for name in shown}}


_SELECT = (
    "SELECT id, project_id, passage_id, position, purpose, source, origin, n_wanted, n_free, state, outcome, version"
    " FROM items"
)


def get_item(connection: Connection, item_id: str) -> Item:
    """The item with this id."""
    row = sql.find_one(connection, f"{_SELECT} WHERE id = :id", id=item_id)
    if row is None:
        raise no_item()
    return _item(row)


def no_item() -> Refusal:
    return Refusal(404, "there is no such item, or you may not see it")


def list_items(
    connection: Connection, project_id: str, *, state: str = "", offset: int = 0, limit: int = 100
) -> dict[str, Any]:
    """Some items of a project in the order of its files, and how many there are in all."""
    where = " WHERE project_id = :project_id AND (:state = '' OR state = :state)"
    asked = {"project_id": project_id, "state": state}
    found = sql.find_all(
        connection,
        f"{_SELECT}{where} ORDER BY purpose DESC, position LIMIT :limit OFFSET :offset",
        **asked,
        limit=min(limit, MAX_LISTED),
        offset=offset,
    )
    n_items = sql.count(connection, f"SELECT count(*) FROM items{where}", **asked)
    return {"n_items": n_items, "items": [_item(row).as_json() for row in found]}


def passage_of(connection: Connection, item: Item) -> list[dict[str, Any]] | None:
    """The sentences around an item, in order; None where it stands alone."""
    if item.passage_id is None:
        return None
    found = sql.find_all(
        connection, "SELECT id, source FROM items WHERE passage_id = :id ORDER BY position", id=item.passage_id
    )
    return [{"item_id": row.id, "source": row.source, "is_current": row.id == item.id} for row in found]


def golden_of(connection: Connection, item_id: str) -> list[str]:
    """The golden references of an item, the first one first."""
    found = sql.find_all(connection, "SELECT target FROM golden WHERE item_id = :id ORDER BY position", id=item_id)
    return [str(row.target) for row in found]


def set_golden(connection: Connection, item_id: str, targets: Sequence[str], origin: str, now: float) -> None:
    """Make these the golden references of an item, and no others; answers that are the same count once."""
    distinct = list({texts.same(target): target for target in reversed(targets)}.values())[::-1]
    sql.change(connection, "DELETE FROM golden WHERE item_id = :id", id=item_id)
    records = (
        {"id": new_id(now), "item_id": item_id, "position": position, "target": target, "origin": origin}
        for position, target in enumerate(distinct)
    )
    sql.insert(connection, "golden", *records)


def change_item(
    connection: Connection,
    item: Item,
    user_id: str,
    now: float,
    *,
    version: int,
    n_wanted: int | None,
    state: str | None,
) -> Item:
    """The item with another number of annotators, withdrawn, or taken up again; 409 where it changed meanwhile."""
    if version != item.version:
        raise Refusal(409, "the item changed meanwhile", facts={"current": item.as_json()})
    if n_wanted is not None:
        _change_n_wanted(connection, item, n_wanted)
    if state is not None:
        _change_state(connection, item, state, now)
    sql.change(connection, "UPDATE items SET version = version + 1 WHERE id = :id", id=item.id)
    facts = {name: value for name, value in (("n_wanted", n_wanted), ("state", state)) if value is not None}
    events.add(connection, item.project_id, "item.changed", now, user_id=user_id, item_id=item.id, **facts)
    slots.settle_item(connection, item.id, now)
    return get_item(connection, item.id)


def _change_n_wanted(connection: Connection, item: Item, n_wanted: int) -> None:
    if not 1 <= n_wanted <= MAX_K:
        raise Refusal(422, f"an item goes to 1 to {MAX_K} annotators")
    if item.state != slots.ANNOTATING or item.purpose != WORK:
        raise Refusal(422, "the number of annotators can change only while the item is annotated")
    sql.change(connection, "UPDATE items SET n_wanted = :n WHERE id = :id", n=n_wanted, id=item.id)


def _change_state(connection: Connection, item: Item, state: str, now: float) -> None:
    """Withdraw an item, or take it up where it was; tasks somebody holds are over."""
    if state not in (slots.WITHDRAWN, slots.ANNOTATING):
        raise Refusal(422, f"an item can be made {slots.WITHDRAWN}, or {slots.ANNOTATING} again")
    if state == slots.ANNOTATING and item.state not in (slots.WITHDRAWN, slots.ANNOTATING):
        raise Refusal(422, f"only a withdrawn item can be taken up again; this one is {item.state}")
    sql.change(connection, "UPDATE items SET state = :state, n_free = 0 WHERE id = :id", state=state, id=item.id)
    if state == slots.WITHDRAWN:
        sql.change(connection, "UPDATE tasks SET state = 'open' WHERE item_id = :id AND state = 'held'", id=item.id)


def history(connection: Connection, item: Item) -> dict[str, Any]:
    """Everything that was done with an item, for the owner."""
    return {
        "item": item.as_json(),
        "passage": passage_of(connection, item),
        "golden": golden_of(connection, item.id),
        "tasks": _dicts(connection, _TASKS, item.id),
        "submissions": [
            {**row, "is_taken_back": bool(row["is_taken_back"]), "answers": targets_of(connection, row["id"])}
            for row in _dicts(connection, _SUBMISSIONS, item.id)
        ],
        "verdicts": _dicts(connection, _VERDICTS, item.id),
        "complaints": _dicts(connection, _COMPLAINTS, item.id),
        "events": events.list_of_item(connection, item.id),
    }


_TASKS = (
    "SELECT t.id, t.kind, t.state, t.held_until, t.made_at, t.done_at, t.user_id, u.name"
    " FROM tasks t LEFT JOIN users u ON u.id = t.user_id WHERE t.item_id = :id ORDER BY t.id"
)
_SUBMISSIONS = (
    "SELECT s.id, s.task_id, t.kind, s.version, s.status, s.comment, s.seconds, s.is_suggested, s.made_at, s.user_id,"
    f" u.name, CASE WHEN t.kind = 'annotate' AND NOT ({COUNTS}) THEN 1 ELSE 0 END AS is_taken_back"
    " FROM submissions s JOIN tasks t ON t.id = s.task_id JOIN users u ON u.id = s.user_id"
    " WHERE s.item_id = :id ORDER BY s.made_at, s.id"
)
_VERDICTS = (
    "SELECT v.id, v.target, v.is_accepted, v.is_added, v.comment, v.made_at, v.user_id, u.name"
    " FROM verdicts v LEFT JOIN users u ON u.id = v.user_id WHERE v.item_id = :id ORDER BY v.made_at, v.id"
)
_COMPLAINTS = (
    "SELECT c.id, c.target, c.reason, c.state, c.decision, c.made_at, c.decided_at, c.user_id, u.name, c.decided_by"
    " FROM complaints c JOIN users u ON u.id = c.user_id WHERE c.item_id = :id ORDER BY c.made_at, c.id"
)


def _dicts(connection: Connection, statement: str, item_id: str) -> list[dict[str, Any]]:
    return [dict(row._mapping) for row in sql.find_all(connection, statement, id=item_id)]


def targets_of(connection: Connection, submission_id: str) -> list[str]:
    """The answers of a submission, the first one first."""
    found = sql.find_all(
        connection, "SELECT target FROM answers WHERE submission_id = :id ORDER BY position", id=submission_id
    )
    return [str(row.target) for row in found]


def _item(row: Any) -> Item:
    known = dict(row._mapping)
    is_tokenised = bool(json.loads(known.pop("origin")).get("is_tokenised", False))
    return Item(**known, is_tokenised=is_tokenised)
