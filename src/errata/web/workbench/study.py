"""Self-study: who gave an answer that is not golden turns it into one that is, or complains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from errata.web.ids import new_id
from errata.web.refusals import Refusal
from errata.web.workbench import complaints, events, items, sql, texts
from errata.web.workbench.items import Item


def answers_of(connection: Connection, item_id: str) -> dict[str, list[str]]:
    """What each annotator answered, by who they are."""
    found = sql.find_all(
        connection,
        "SELECT s.user_id, a.target FROM answers a JOIN submissions s ON s.id = a.submission_id"
        f" JOIN tasks t ON t.id = s.task_id AND t.kind = 'annotate' AND {items.COUNTS}"
        " WHERE a.item_id = :id ORDER BY s.id, a.position",
        id=item_id,
    )
    answers: dict[str, list[str]] = {}
    for row in found:
        answers.setdefault(row.user_id, []).append(row.target)
    return answers


def wrong_answers(connection: Connection, item_id: str, user_id: str) -> list[str]:
    """Those answers of somebody that are not golden."""
    golden = set(map(texts.same, items.golden_of(connection, item_id)))
    given = answers_of(connection, item_id).get(user_id, [])
    return [target for target in given if texts.same(target) not in golden]


def assign(connection: Connection, item: Item, now: float) -> None:
    """Give everybody with a wrong answer a task of their own."""
    golden = set(map(texts.same, items.golden_of(connection, item.id)))
    for user_id, targets in answers_of(connection, item.id).items():
        if all(texts.same(target) in golden for target in targets):
            continue
        record: dict[str, Any] = {"id": new_id(now), "project_id": item.project_id, "item_id": item.id, "kind": "study"}
        record |= {"user_id": user_id, "state": "open", "version": 1, "made_at": now}
        sql.insert(connection, "tasks", record)
        events.add(connection, item.project_id, "study.assigned", now, item_id=item.id, task=record["id"], to=user_id)


def check_answers(targets: Sequence[str], item: Item, golden: Sequence[str]) -> list[str]:
    """The answers, each of which must be golden."""
    if not targets:
        raise Refusal(422, "give an answer that is a golden reference, or complain")
    cleaned = [texts.clean_answer(target, item.source) for target in targets]
    right = set(map(texts.same, golden))
    for target in cleaned:
        if texts.same(target) not in right:
            raise Refusal(422, f"{target[:80]!r} is no golden reference: make it one of them, or complain")
    return cleaned


def complain(
    connection: Connection, item: Item, task_id: str, user_id: str, target: str, reason: str, now: float
) -> None:
    """Insist on an answer that was not accepted."""
    reason = texts.clean_prose(reason, "the reason")
    if not reason:
        raise Refusal(422, "a complaint needs a reason")
    wrong = {texts.same(one): one for one in wrong_answers(connection, item.id, user_id)}
    if texts.same(target) not in wrong:
        raise Refusal(422, "a complaint is about an answer of your own that was not accepted")
    complained = wrong[texts.same(target)]
    complaints.complain(connection, item.project_id, item.id, task_id, user_id, complained, reason, now)


def reconsider(connection: Connection, item: Item, complaint: complaints.Complaint, state: str, now: float) -> None:
    """After a complaint was decided: who is right by now need not study, and who complained in vain must go on."""
    still_wrong = bool(wrong_answers(connection, item.id, complaint.user_id))
    if state == complaints.REJECTED or still_wrong:
        _open_again(connection, complaint.task_id)
    waiting = sql.find_all(
        connection,
        "SELECT id, user_id FROM tasks WHERE item_id = :id AND kind = 'study' AND state = 'open'",
        id=item.id,
    )
    for task in waiting:
        if not wrong_answers(connection, item.id, task.user_id):
            sql.change(connection, "UPDATE tasks SET state = 'dropped' WHERE id = :id", id=task.id)
            facts = {"task": task.id, "to": task.user_id}
            events.add(connection, item.project_id, "study.dropped", now, item_id=item.id, **facts)


def own_answers(connection: Connection, item_id: str, user_id: str) -> list[dict[str, Any]]:
    """What somebody answered, whether it was accepted, and what the reviewers said of it."""
    golden = set(map(texts.same, items.golden_of(connection, item_id)))
    said = {
        texts.same(row.target): row.comment
        for row in sql.find_all(
            connection, "SELECT target, comment FROM verdicts WHERE item_id = :id ORDER BY made_at, id", id=item_id
        )
    }
    decided = {texts.same(one.target): one for one in complaints.complaints_of(connection, item_id, user_id)}
    mine = []
    for target in answers_of(connection, item_id).get(user_id, []):
        key = texts.same(target)
        shown: dict[str, Any] = {"target": target, "is_accepted": key in golden, "comment": said.get(key, "")}
        if key in decided:
            shown["complaint"] = {"state": decided[key].state, "decision": decided[key].decision}
        mine.append(shown)
    return mine


def _open_again(connection: Connection, task_id: str) -> None:
    sql.change(
        connection,
        "UPDATE tasks SET state = 'open', done_at = NULL, held_until = NULL, version = version + 1 WHERE id = :id",
        id=task_id,
    )
