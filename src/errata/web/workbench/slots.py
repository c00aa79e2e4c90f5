"""Slots: who may take which place of an item, so that two people never hold the same one.

An item that is annotated has `n_wanted` slots, one that is reviewed has one. A task that is held or done takes a slot;
what is left is `items.n_free`. Held tasks end by themselves when their lease is over. Every function here runs in a
writing transaction, which nobody else shares.
"""

from __future__ import annotations

from random import Random

from sqlalchemy import Connection

from errata.web.workbench import events, sql

ANNOTATING, REVIEWING, DONE, WITHDRAWN = "annotating", "reviewing", "done", "withdrawn"


def settle_item(connection: Connection, item_id: str, now: float) -> str:
    """Move an item on if its slots are filled, count what is free, and return its state. Items never move back."""
    item = sql.find_one(connection, "SELECT project_id, purpose, state, n_wanted FROM items WHERE id = :id", id=item_id)
    assert item is not None, item_id
    counts = _count_tasks(connection, item_id)
    state = item.state
    if item.purpose != "work":
        return str(state)
    n_done, n_held = counts.get(("annotate", "done"), 0), counts.get(("annotate", "held"), 0)
    if state == ANNOTATING and n_done >= item.n_wanted and not n_held:
        state = REVIEWING
    if state == REVIEWING and counts.get(("review", "done"), 0):
        state = DONE
    free = {ANNOTATING: item.n_wanted - n_done - n_held, REVIEWING: 1 - counts.get(("review", "held"), 0)}
    sql.change(
        connection,
        "UPDATE items SET n_free = :n_free, state = :state, version = version + :step WHERE id = :id",
        n_free=max(0, free.get(state, 0)),
        state=state,
        step=int(state != item.state),
        id=item_id,
    )
    if state != item.state:
        events.add(connection, item.project_id, f"item.{state}", now, item_id=item_id)
    return str(state)


def expire(connection: Connection, now: float) -> None:
    """End the leases that are over. The person keeps the draft, and the slot is free."""
    late = sql.find_all(
        connection,
        "SELECT id, item_id, project_id, kind, user_id FROM tasks WHERE state = 'held' AND held_until <= :now",
        now=now,
    )
    for task in late:
        sql.change(connection, "UPDATE tasks SET state = 'open' WHERE id = :id", id=task.id)
        facts = {"task": task.id, "kind": task.kind, "holder": task.user_id}
        events.add(connection, task.project_id, "task.expired", now, item_id=task.item_id, **facts)
    for item_id in {task.item_id for task in late}:
        settle_item(connection, item_id, now)


def give_up(connection: Connection, project_id: str, user_id: str, now: float) -> None:
    """Free every slot that somebody holds in a project."""
    held = sql.find_all(
        connection,
        "SELECT id, item_id, kind FROM tasks WHERE user_id = :user_id AND project_id = :project_id AND state = 'held'",
        user_id=user_id,
        project_id=project_id,
    )
    for task in held:
        sql.change(connection, "UPDATE tasks SET state = 'open' WHERE id = :id", id=task.id)
        facts = {"task": task.id, "kind": task.kind, "holder": user_id}
        events.add(connection, project_id, "task.released", now, item_id=task.item_id, **facts)
        settle_item(connection, task.item_id, now)


def change_k(connection: Connection, project_id: str, old: int, new: int, now: float) -> None:
    """Give the items that are still annotated, and had `old` slots, `new` ones; those held or done stay."""
    sql.change(
        connection,
        "UPDATE items SET n_wanted = :new, n_free = :new - (SELECT count(*) FROM tasks t WHERE t.item_id = items.id"
        " AND t.kind = 'annotate' AND t.state IN ('held', 'done'))"
        " WHERE project_id = :id AND purpose = 'work' AND state = 'annotating' AND n_wanted = :old",
        id=project_id,
        old=old,
        new=new,
    )
    filled = sql.find_all(
        connection,
        "SELECT id FROM items WHERE project_id = :id AND purpose = 'work' AND state = 'annotating' AND n_free <= 0",
        id=project_id,
    )
    for item in filled:
        settle_item(connection, item.id, now)


def draw_item(connection: Connection, project_id: str, state: str, user_id: str, rng: Random) -> str | None:
    """A random item with a free slot that this person may take, or None.

    Items that lack the fewest people come first, so that what was begun is finished and can be reviewed. A project that
    is stopped early then has as many whole items as possible. Among those, chance decides.
    """
    condition = _condition(connection, project_id, state, user_id)
    last = 0
    while True:
        n_free = sql.find_one(
            connection,
            "SELECT min(n_free) AS n FROM items WHERE project_id = :project_id AND purpose = 'work'"
            " AND state = :state AND n_free > :last",
            project_id=project_id,
            state=state,
            last=last,
        )
        if n_free is None or n_free.n is None:
            return None
        last = n_free.n
        lot = rng.random()
        for least, most in ((lot, 1.0), (0.0, lot)):
            if found := _find_from(connection, project_id, state, user_id, last, least, most, condition):
                return found


def may_take(connection: Connection, project_id: str, item_id: str, state: str, user_id: str) -> bool:
    """Whether an item is in this state, and has a slot for this person."""
    condition = _condition(connection, project_id, state, user_id)
    found = sql.find_one(
        connection,
        f"SELECT id FROM items i WHERE id = :item_id AND state = :state AND n_free > 0 AND {condition}",
        item_id=item_id,
        state=state,
        user_id=user_id,
    )
    return found is not None


def count_free(connection: Connection, project_id: str, state: str, user_id: str) -> int:
    """How many items have a slot for this person."""
    condition = _condition(connection, project_id, state, user_id)
    return sql.count(
        connection,
        "SELECT count(*) FROM items i WHERE project_id = :project_id AND purpose = 'work' AND state = :state"
        f" AND n_free > 0 AND {condition}",
        project_id=project_id,
        state=state,
        user_id=user_id,
    )


def _own(kind: str, states: str, user: str = ":user_id") -> str:
    """Whether somebody has a task of an item; naming `about` lets SQLite look it up at once."""
    return (
        f"EXISTS (SELECT 1 FROM tasks t WHERE t.item_id = i.id AND t.kind = '{kind}' AND t.about = ''"
        f" AND t.user_id = {user} AND t.state {states})"
    )


_BEGUN, _TAKEN, _DONE = "<> 'open'", "IN ('held', 'done')", "= 'done'"
# Nobody gets an item twice, and nobody reviews what they annotated. A task that is `open` may be taken up again.
_OTHERS = {
    ANNOTATING: f"NOT {_own('annotate', _BEGUN)}",
    REVIEWING: f"NOT {_own('annotate', _DONE)} AND NOT {_own('review', _BEGUN)}",
}
_REVIEWERS = (
    "SELECT user_id FROM members m WHERE m.project_id = {project} AND m.role <> 'annotator' AND m.state <> 'removed'"
)
# A reviewer does not annotate an item that all other reviewers have annotated: nobody could review it then.
_LEAVES_A_REVIEWER = (
    f" AND EXISTS ({_REVIEWERS.format(project='i.project_id')} AND m.user_id <> :user_id"
    f" AND NOT {_own('annotate', _TAKEN, 'm.user_id')})"
)


def _condition(connection: Connection, project_id: str, state: str, user_id: str) -> str:
    """What must be true of an item in this state that this person takes.

    Who owns a project alone may still try it out, though nobody can review it then.
    """
    found = sql.find_all(connection, _REVIEWERS.format(project=":project_id"), project_id=project_id)
    reviewers = {row.user_id for row in found}
    is_rare = state == ANNOTATING and user_id in reviewers and len(reviewers) > 1
    return _OTHERS[state] + _LEAVES_A_REVIEWER * is_rare


def _find_from(
    connection: Connection,
    project_id: str,
    state: str,
    user_id: str,
    n_free: int,
    least: float,
    most: float,
    condition: str,
) -> str | None:
    row = sql.find_one(
        connection,
        "SELECT id FROM items i WHERE project_id = :project_id AND purpose = 'work' AND state = :state"
        f" AND n_free = :n_free AND lot >= :least AND lot < :most AND {condition} ORDER BY lot LIMIT 1",
        project_id=project_id,
        state=state,
        user_id=user_id,
        n_free=n_free,
        least=least,
        most=most,
    )
    return None if row is None else str(row.id)


def _count_tasks(connection: Connection, item_id: str) -> dict[tuple[str, str], int]:
    found = sql.find_all(
        connection,
        "SELECT kind, state, count(*) AS n FROM tasks WHERE item_id = :id AND kind IN ('annotate', 'review')"
        " GROUP BY kind, state",
        id=item_id,
    )
    return {(row.kind, row.state): int(row.n) for row in found}
