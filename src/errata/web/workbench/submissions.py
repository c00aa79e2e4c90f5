"""Submissions: what people send when a task is done. They are only ever added, and the same key adds nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from errata.web.ids import new_id
from errata.web.refusals import Refusal
from errata.web.workbench import (
    complaints,
    events,
    items,
    members,
    projects,
    qualification,
    review,
    slots,
    sql,
    study,
    tasks,
    texts,
)
from errata.web.workbench.items import Item
from errata.web.workbench.projects import Project
from errata.web.workbench.tasks import Task

CORRECTED, ERROR_FREE, NOT_ANNOTATABLE, SKIPPED = "corrected", "error_free", "not_annotatable", "skipped"
STATUSES = (CORRECTED, ERROR_FREE, NOT_ANNOTATABLE, SKIPPED)
# Nobody works a whole day on one sentence; browsers that slept say so.
MAX_SECONDS = 86_400.0


@dataclass(frozen=True, slots=True)
class Submission:
    """What a person sends for a task, of whatever kind; each kind reads its own fields."""

    version: int
    key: str
    seconds: float = 0.0
    status: str = ""
    answers: Sequence[str] = ()
    comment: str = ""
    is_suggested: bool = False
    verdicts: Sequence[review.Verdict] = ()
    added: Sequence[str] = ()
    complaint: str | None = None
    target: str = ""
    is_upheld: bool | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a submission: the reply, or the draft that was kept because the task is lost."""

    reply: dict[str, Any]
    is_lost: bool = False


@dataclass(frozen=True, slots=True)
class _Record:
    """The row of a submission with its answers; `is_dropped` frees the slot."""

    status: str
    answers: Sequence[str] = ()
    is_suggested: bool = False
    is_dropped: bool = False


def submit(connection: Connection, task_id: str, user_id: str, given: Submission, now: float) -> Outcome:
    """Write what somebody sends, once.

    A lost lease does not matter while nobody else took the slot. Otherwise the text is kept as a draft.
    """
    tasks.get_task(connection, task_id, user_id)  # who was taken out gets no answer any more, not even an old one
    if earlier := _find_earlier(connection, task_id, user_id, given.key):
        return Outcome(earlier)
    slots.expire(connection, now)
    task = tasks.get_task(connection, task_id, user_id)
    project = projects.get_project(connection, task.project_id)
    if task.state in ("done", "dropped"):
        raise tasks.conflict(task, "the task is done already")
    if not tasks.keep_hold(connection, task, project, now):
        draft = _draft(given)
        tasks.keep_text(connection, task, draft)
        return Outcome({"detail": "somebody else has the sentence by now; your text is kept", "draft": draft}, True)
    if given.version != task.version:
        raise tasks.conflict(task, "another window saved something else meanwhile")
    item = items.get_item(connection, task.item_id)
    comment = texts.clean_prose(given.comment, "the comment")
    record = _WORK[task.kind](connection, task, item, given, now)
    submission_id = _write(connection, task, given, record, comment, now)
    slots.settle_item(connection, item.id, now)
    reply: dict[str, Any] = {"is_done": True}
    if task.kind == "qualify":
        reply["qualified"] = _qualify(connection, project, user_id, now)
    sql.change(
        connection,
        "UPDATE submissions SET reply = :reply WHERE id = :id",
        reply=json.dumps(reply),
        id=submission_id,
    )
    return Outcome(reply)


def _annotate(connection: Connection, task: Task, item: Item, given: Submission, now: float) -> _Record:
    if given.status not in STATUSES:
        raise Refusal(422, f"an answer is one of {', '.join(STATUSES)}")
    if given.status == SKIPPED:
        if task.kind == "qualify":
            raise Refusal(422, "a sentence of the qualification round cannot be skipped")
        if not given.comment.strip():
            raise Refusal(422, "say in the comment why you skip the sentence")
        return _Record(SKIPPED, is_dropped=True)
    if given.status == NOT_ANNOTATABLE:
        return _Record(NOT_ANNOTATABLE)
    if given.status == ERROR_FREE:
        return _Record(ERROR_FREE, [item.source])
    answers = _distinct(texts.clean_answer(target, item.source) for target in given.answers)
    if not 0 < len(answers) <= texts.MAX_ANSWERS:
        raise Refusal(422, f"give one to {texts.MAX_ANSWERS} answers")
    if len(answers) == 1 and texts.same(answers[0]) == texts.same(item.source):
        return _Record(ERROR_FREE, [item.source])
    return _Record(CORRECTED, answers, given.is_suggested or _was_suggested(connection, task, answers))


def _review(connection: Connection, task: Task, item: Item, given: Submission, now: float) -> _Record:
    answers = review.collect_answers(connection, item.id)
    asked = review.Review(given.verdicts, given.added, given.status or CORRECTED)
    checked = review.check_review(asked, answers, item.source)
    review.conclude(connection, item, task.id, task.user_id, checked, now)
    return _Record(checked.status, checked.added)


def _study(connection: Connection, task: Task, item: Item, given: Submission, now: float) -> _Record:
    if given.complaint is not None:
        study.complain(connection, item, task.id, task.user_id, given.target, given.complaint, now)
        return _Record("complained")
    golden = items.golden_of(connection, item.id)
    return _Record(CORRECTED, _distinct(study.check_answers(given.answers, item, golden)))


def _judge(connection: Connection, task: Task, item: Item, given: Submission, now: float) -> _Record:
    if given.is_upheld is None:
        raise Refusal(422, "say whether the complaint is upheld")
    complaint = complaints.get_complaint(connection, task.about)
    state = complaints.UPHELD if given.is_upheld else complaints.REJECTED
    decision = texts.clean_prose(given.comment, "the comment")
    complaints.decide(connection, item.project_id, complaint, task.user_id, state, decision, now)
    if given.is_upheld:
        verdict = review.Verdict(complaint.target, True, decision)
        record = review.verdict_record(item.id, task.id, task.user_id, verdict, is_added=False, now=now)
        sql.insert(connection, "verdicts", record)
        golden = [*items.golden_of(connection, item.id), complaint.target]
        items.set_golden(connection, item.id, golden, "review", now)
    study.reconsider(connection, item, complaint, state, now)
    return _Record(state)


_WORK = {"annotate": _annotate, "qualify": _annotate, "review": _review, "study": _study, "judge": _judge}


def _write(connection: Connection, task: Task, given: Submission, record: _Record, comment: str, now: float) -> str:
    submission_id = new_id(now)
    sql.insert(
        connection,
        "submissions",
        {
            "id": submission_id,
            "task_id": task.id,
            "item_id": task.item_id,
            "user_id": task.user_id,
            "version": task.version + 1,
            "request_key": given.key,
            "status": record.status,
            "comment": comment,
            "seconds": min(max(given.seconds, 0.0), MAX_SECONDS),
            "is_suggested": int(record.is_suggested),
            "made_at": now,
        },
    )
    answers = (
        {"id": new_id(now), "submission_id": submission_id, "item_id": task.item_id, "position": n, "target": target}
        for n, target in enumerate(record.answers)
    )
    sql.insert(connection, "answers", *answers)
    sql.change(
        connection,
        "UPDATE tasks SET state = :state, version = version + 1, held_until = NULL, draft = '', done_at = :now"
        " WHERE id = :id",
        state="dropped" if record.is_dropped else "done",
        now=now,
        id=task.id,
    )
    facts = {"task": task.id, "kind": task.kind, "submission": submission_id, "status": record.status}
    events.add(connection, task.project_id, "task.submitted", now, user_id=task.user_id, item_id=task.item_id, **facts)
    return submission_id


def _find_earlier(connection: Connection, task_id: str, user_id: str, key: str) -> dict[str, Any] | None:
    """The reply to the submission with this key, if there was one."""
    if not 0 < len(key) <= 64 or texts.find_fault(key):
        raise Refusal(422, "a submission needs a key of 1 to 64 characters, another one each time")
    row = sql.find_one(
        connection,
        "SELECT task_id, reply FROM submissions WHERE user_id = :user_id AND request_key = :key",
        user_id=user_id,
        key=key,
    )
    if row is None:
        return None
    if row.task_id != task_id:
        raise Refusal(422, "the key was used for another task: make a new one for each submission")
    reply: dict[str, Any] = json.loads(row.reply)
    return reply


def _qualify(connection: Connection, project: Project, user_id: str, now: float) -> dict[str, Any]:
    member = members.find_member(connection, project.id, user_id)
    assert member is not None
    return qualification.conclude(connection, project, member, now).as_json()


def _was_suggested(connection: Connection, task: Task, answers: Sequence[str]) -> bool:
    """Whether one of the answers is what the corrector suggested for this task."""
    found = sql.find_all(
        connection,
        "SELECT facts FROM events WHERE item_id = :item_id AND user_id = :user_id AND kind = 'suggestion.given'",
        item_id=task.item_id,
        user_id=task.user_id,
    )
    suggested = {texts.same(json.loads(row.facts)["target"]) for row in found}
    return any(texts.same(target) in suggested for target in answers)


def _distinct(targets: Any) -> list[str]:
    """The texts without those that are the same as an earlier one."""
    found: dict[str, str] = {}
    for target in targets:
        found.setdefault(texts.same(target), target)
    return list(found.values())


def _draft(given: Submission) -> dict[str, Any]:
    """What somebody wanted to submit, without comments: only texts to copy."""
    draft: dict[str, Any] = {"status": given.status, "answers": list(given.answers)}
    if given.verdicts or given.added:
        judged = [{"target": verdict.target, "is_accepted": verdict.is_accepted} for verdict in given.verdicts]
        draft |= {"verdicts": judged, "added": list(given.added)}
    return draft
