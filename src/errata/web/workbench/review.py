"""Review: the distinct answers to an item, and what a reviewer says of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection

from errata.web.ids import new_id
from errata.web.refusals import Refusal
from errata.web.workbench import items, sql, study, texts
from errata.web.workbench.items import Item

CORRECTED, NOT_ANNOTATABLE, IMPORTED = "corrected", "not_annotatable", "imported"


@dataclass(slots=True)
class Answer:
    """One distinct answer: its text, how it was given, and by whom."""

    id: str
    target: str
    status: str
    user_ids: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    @property
    def needs_verdict(self) -> bool:
        return self.status != NOT_ANNOTATABLE


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a reviewer says of an answer."""

    target: str
    is_accepted: bool
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Review:
    """A whole review: verdicts on all answers, further references, or the word that nobody can correct the item."""

    verdicts: Sequence[Verdict]
    added: Sequence[str]
    status: str


def collect_answers(connection: Connection, item_id: str) -> list[Answer]:
    """The distinct answers of all annotators, and references of the imported file, in the order of their texts.

    That order says nothing about who answered when.
    """
    found: dict[str, Answer] = {}
    for row in sql.find_all(connection, _ANSWERS, item_id=item_id):
        target = "" if row.target is None else row.target
        answer = found.setdefault(texts.same(target), Answer(row.id, target, row.status))
        answer.user_ids.append(row.user_id)
        answer.names.append(row.name)
    imported = "SELECT id, target FROM golden WHERE item_id = :id AND origin = 'imported' ORDER BY position"
    for row in sql.find_all(connection, imported, id=item_id):
        found.setdefault(texts.same(row.target), Answer(row.id, row.target, IMPORTED))
    return [found[key] for key in sorted(found)]


_ANSWERS = (
    "SELECT coalesce(a.id, s.id) AS id, a.target, s.status, s.user_id, u.name FROM submissions s"
    f" JOIN tasks t ON t.id = s.task_id AND t.kind = 'annotate' AND {items.COUNTS}"
    " JOIN users u ON u.id = s.user_id LEFT JOIN answers a ON a.submission_id = s.id"
    " WHERE s.item_id = :item_id AND s.status <> 'skipped' ORDER BY s.id, a.position"
)


def comments_on(connection: Connection, item_id: str) -> list[dict[str, Any]]:
    """What annotators remarked on an item, skips included."""
    found = sql.find_all(
        connection,
        "SELECT s.comment, s.status, u.name FROM submissions s"
        f" JOIN tasks t ON t.id = s.task_id AND {items.COUNTS} JOIN users u ON u.id = s.user_id"
        " WHERE s.item_id = :id AND t.kind = 'annotate' AND s.comment <> '' ORDER BY s.id",
        id=item_id,
    )
    return [{"text": row.comment, "status": row.status, "name": row.name} for row in found]


def check_review(review: Review, answers: Sequence[Answer], source: str) -> Review:
    """The review, cleaned; refused where an answer has no verdict or nothing would be golden."""
    if review.status not in (CORRECTED, NOT_ANNOTATABLE):
        raise Refusal(422, f"a review says {CORRECTED} or {NOT_ANNOTATABLE}")
    wanted = {texts.same(answer.target): answer.target for answer in answers if answer.needs_verdict}
    given = {texts.same(verdict.target): verdict for verdict in review.verdicts}
    if len(given) < len(review.verdicts):
        raise Refusal(422, "an answer has two verdicts: keep one")
    if unknown := given.keys() - wanted.keys():
        raise Refusal(422, f"nobody answered {min(unknown)[:80]!r}: a reference of your own is added, not judged")
    is_rejection = review.status == NOT_ANNOTATABLE
    if not is_rejection and (missing := wanted.keys() - given.keys()):
        raise Refusal(422, f"every answer needs a verdict; {wanted[min(missing)][:80]!r} has none")
    # The answer as people gave it, not as the reviewer's page wrote it back.
    verdicts = [
        Verdict(wanted[key], verdict.is_accepted, texts.clean_prose(verdict.comment, "the comment"))
        for key, verdict in given.items()
    ]
    added = [texts.clean_answer(target, source) for target in review.added]
    is_golden = bool(added) or any(verdict.is_accepted for verdict in verdicts)
    if is_rejection and is_golden:
        raise Refusal(422, "a sentence that cannot be annotated has no references: reject every answer")
    if not is_rejection and not is_golden:
        raise Refusal(422, "accept an answer or add a reference, or say that the sentence cannot be annotated")
    return Review(verdicts, added, review.status)


def conclude(connection: Connection, item: Item, task_id: str, user_id: str, review: Review, now: float) -> None:
    """Write verdicts and golden references, and give those who were wrong something to study."""
    accepted = [verdict.target for verdict in review.verdicts if verdict.is_accepted]
    known = {texts.same(verdict.target) for verdict in review.verdicts if verdict.is_accepted}
    added = [target for target in review.added if texts.same(target) not in known]
    records = [
        verdict_record(item.id, task_id, user_id, verdict, is_added=False, now=now) for verdict in review.verdicts
    ]
    records += [
        verdict_record(item.id, task_id, user_id, Verdict(target, True), is_added=True, now=now) for target in added
    ]
    sql.insert(connection, "verdicts", *records)
    items.set_golden(connection, item.id, [*accepted, *added], "review", now)
    sql.change(connection, "UPDATE items SET outcome = :outcome WHERE id = :id", outcome=review.status, id=item.id)
    if review.status == CORRECTED:
        study.assign(connection, item, now)


def verdict_record(
    item_id: str, task_id: str, user_id: str, verdict: Verdict, *, is_added: bool, now: float
) -> dict[str, Any]:
    return {
        "id": new_id(now),
        "item_id": item_id,
        "task_id": task_id,
        "user_id": user_id,
        "target": verdict.target,
        "is_accepted": int(verdict.is_accepted),
        "is_added": int(is_added),
        "comment": verdict.comment,
        "made_at": now,
    }
