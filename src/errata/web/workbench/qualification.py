"""The qualification round: annotators first correct sentences whose right answers are known.

An answer is right when every sentence given equals a golden reference, white space aside. It counts for annotators of
projects that have such items; owners and reviewers need none.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from random import Random
from typing import Any

from sqlalchemy import Connection

from errata.web.workbench import events, members, sql, texts
from errata.web.workbench.members import Member
from errata.web.workbench.projects import Project

QUALIFYING = "qualifying"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far somebody is in their round."""

    n_done: int
    n_right: int
    n_of: int
    state: str

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def standing(connection: Connection, project: Project, member: Member) -> str:
    """The state of a member, and `qualifying` for one who has to qualify first."""
    has_round = member.role == members.ANNOTATOR and member.state == members.ACTIVE
    return QUALIFYING if has_round and round_size(connection, project) else member.state


def may_work(connection: Connection, project: Project, user_id: str) -> bool:
    """Whether somebody has qualified where that is asked for."""
    member = members.find_member(connection, project.id, user_id)
    return member is not None and standing(connection, project, member) not in (
        QUALIFYING,
        members.FAILED,
        members.REMOVED,
    )


def round_size(connection: Connection, project: Project) -> int:
    """How many items a round has: as many as the settings say, or as there are."""
    n_items = sql.count(connection, f"SELECT count(*) FROM items i WHERE {_ITEMS}", project_id=project.id)
    return min(n_items, project.settings.n_qualify)


def progress(connection: Connection, project: Project, member: Member) -> Progress:
    """How many items of the present round somebody did, and how many of them right."""
    tasks = sql.find_all(
        connection,
        "SELECT id, item_id FROM tasks WHERE user_id = :user_id AND project_id = :project_id AND kind = 'qualify'"
        " AND about = :attempt AND state = 'done'",
        user_id=member.user_id,
        project_id=project.id,
        attempt=str(member.attempt),
    )
    n_right = sum(_is_right(connection, task.id, task.item_id) for task in tasks)
    return Progress(len(tasks), n_right, round_size(connection, project), standing(connection, project, member))


def draw(connection: Connection, project: Project, member: Member, rng: Random) -> str | None:
    """A random item that is not done in this round; those that no earlier round had come first."""
    found = sql.find_all(
        connection,
        "SELECT i.id, (SELECT count(*) FROM tasks t WHERE t.item_id = i.id AND t.kind = 'qualify'"
        " AND t.user_id = :user_id) AS n_seen"
        f" FROM items i WHERE {_ITEMS} AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.item_id = i.id"
        " AND t.kind = 'qualify' AND t.user_id = :user_id AND t.about = :attempt AND t.state <> 'open')",
        project_id=project.id,
        user_id=member.user_id,
        attempt=str(member.attempt),
    )
    fewest = min((row.n_seen for row in found), default=0)
    fresh = sorted(row.id for row in found if row.n_seen == fewest)
    return rng.choice(fresh) if fresh else None


def is_current(connection: Connection, project_id: str, user_id: str, attempt: str) -> bool:
    """Whether somebody is in this round."""
    member = members.find_member(connection, project_id, user_id)
    return member is not None and member.state == members.ACTIVE and str(member.attempt) == attempt


def conclude(connection: Connection, project: Project, member: Member, now: float) -> Progress:
    """The progress after an answer; the last one of a round decides."""
    reached = progress(connection, project, member)
    if reached.n_done < reached.n_of:
        return reached
    is_passed = reached.n_right >= project.settings.share * reached.n_of
    state = members.QUALIFIED if is_passed else members.FAILED
    members.set_state(connection, member, state)
    facts: dict[str, Any] = {"n_right": reached.n_right, "n_of": reached.n_of, "attempt": member.attempt}
    events.add(connection, project.id, f"member.{state}", now, user_id=member.user_id, **facts)
    return Progress(reached.n_done, reached.n_right, reached.n_of, state)


_ITEMS = "i.project_id = :project_id AND i.purpose = 'qualify' AND i.state <> 'withdrawn'"


def _is_right(connection: Connection, task_id: str, item_id: str) -> bool:
    answers = sql.find_all(
        connection,
        "SELECT a.target FROM answers a JOIN submissions s ON s.id = a.submission_id WHERE s.task_id = :id",
        id=task_id,
    )
    golden = sql.find_all(connection, "SELECT target FROM golden WHERE item_id = :id", id=item_id)
    right = {texts.same(row.target) for row in golden}
    return bool(answers) and all(texts.same(row.target) in right for row in answers)
