"""What people did in a project, as the figures count it: one look at the database, and plain records after that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, Engine, text

from errata.web.database import reading
from errata.web.refusals import Refusal
from errata.web.workbench.figures.lacking import count_lacking
from errata.web.workbench.gold import GoldItem, read_items
from errata.web.workbench.items import COUNTS
from errata.web.workbench.texts import same

WORK, ANNOTATE, STUDY = "work", "annotate", "study"
CORRECTED, ERROR_FREE, NOT_ANNOTATABLE, SKIPPED = "corrected", "error_free", "not_annotatable", "skipped"

_SUBMISSIONS = f"""SELECT s.id, s.task_id, s.item_id, s.user_id, t.kind, s.status, s.seconds, s.is_suggested, s.made_at
    FROM submissions s JOIN tasks t ON t.id = s.task_id
    WHERE t.project_id = :project_id AND (t.kind <> '{ANNOTATE}' OR {COUNTS}) ORDER BY s.task_id, s.version"""
_ANSWERS = """SELECT a.submission_id, a.target FROM answers a JOIN items i ON i.id = a.item_id
    WHERE i.project_id = :project_id ORDER BY a.submission_id, a.position"""
_TASKS = "SELECT kind, state, count(*) AS n FROM tasks WHERE project_id = :project_id GROUP BY kind, state"
_PEOPLE = """SELECT DISTINCT u.id, u.name FROM users u JOIN tasks t ON t.user_id = u.id
    WHERE t.project_id = :project_id"""
_WANTED = """SELECT sum(n_wanted) FROM items
    WHERE project_id = :project_id AND purpose = 'work' AND state <> 'withdrawn'"""
_NEWEST = "SELECT max(number) FROM events WHERE project_id = :project_id"


@dataclass(frozen=True, slots=True)
class Submission:
    """What somebody submitted for an item; `is_latest` is False where they have changed it since."""

    item_id: str
    user_id: str
    kind: str
    status: str
    answers: tuple[str, ...]
    seconds: float
    is_suggested: bool
    made_at: float
    is_latest: bool = True


@dataclass(frozen=True, slots=True)
class Record:
    """A project with its items in order, its submissions, tasks by state, names of people, and whom it lacks."""

    project_id: str
    language: str
    newest: int
    items: tuple[GoldItem, ...]
    submissions: tuple[Submission, ...]
    tasks: dict[str, dict[str, int]]
    names: dict[str, str]
    n_wanted: int
    lacking: dict[str, int]

    def latest(self, kind: str) -> list[Submission]:
        """What people submitted for tasks of a kind in its last version, of items that are to be corrected."""
        wanted = {item.id for item in self.items if item.purpose == WORK}
        return [one for one in self.submissions if one.kind == kind and one.is_latest and one.item_id in wanted]


def find_newest(connection: Connection, project_id: str) -> int:
    """The number of the newest event: as long as it stays, so do the figures."""
    return int(connection.execute(text(_NEWEST), {"project_id": project_id}).scalar() or 0)


def read_record(engine: Engine, project_id: str) -> Record:
    """The record of a project, as it is at one moment."""
    with reading(engine) as connection:
        values = {"project_id": project_id}
        project = connection.execute(text("SELECT language FROM projects WHERE id = :project_id"), values).first()
        if project is None:
            raise Refusal(404, "there is no such project, or you are no member of it")
        return Record(
            project_id,
            project.language,
            find_newest(connection, project_id),
            tuple(read_items(connection, project_id)),
            tuple(_read_submissions(connection, project_id)),
            _count_tasks(connection, project_id),
            {row.id: row.name for row in connection.execute(text(_PEOPLE), values)},
            int(connection.execute(text(_WANTED), values).scalar() or 0),
            count_lacking(connection, project_id),
        )


def _read_submissions(connection: Connection, project_id: str) -> list[Submission]:
    answers: dict[str, list[str]] = {}
    for row in connection.execute(text(_ANSWERS), {"project_id": project_id}):
        answers.setdefault(row.submission_id, []).append(row.target)
    rows = connection.execute(text(_SUBMISSIONS), {"project_id": project_id}).all()
    last = {row.task_id: row.id for row in rows}
    return [
        Submission(
            row.item_id,
            row.user_id,
            row.kind,
            row.status,
            tuple(answers.get(row.id, ())),
            float(row.seconds),
            bool(row.is_suggested),
            float(row.made_at),
            last[row.task_id] == row.id,
        )
        for row in rows
    ]


def _count_tasks(connection: Connection, project_id: str) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for row in connection.execute(text(_TASKS), {"project_id": project_id}):
        counts.setdefault(row.kind, {})[row.state] = int(row.n)
    return {kind: dict(sorted(states.items())) for kind, states in sorted(counts.items())}


@dataclass(frozen=True, slots=True)
class Sample:
    """One answer of a person to a judged item: what is scored."""

    item: GoldItem
    target: str

    @property
    def is_golden(self) -> bool:
        return same(self.target) in set(map(same, self.item.golden))


def find_samples(record: Record, *, after_study: bool) -> dict[str, list[Sample]]:
    """The answers of each annotator to items with golden references, in the order of the items; each is one sample.

    `after_study` puts the answers of self-study in the place of those that were not accepted.
    """
    studied = {(one.user_id, one.item_id): one.answers for one in record.latest(STUDY) if one.status == CORRECTED}
    given: dict[str, dict[str, Sequence[str]]] = {}
    for one in record.latest(ANNOTATE):
        if one.status in (CORRECTED, ERROR_FREE):
            given.setdefault(one.item_id, {})[one.user_id] = one.answers
    samples: dict[str, list[Sample]] = {}
    for item in (item for item in record.items if item.is_judged and item.golden):
        for user_id, answers in sorted(given.get(item.id, {}).items()):
            own = [Sample(item, target) for target in answers]
            better = studied.get((user_id, item.id), ()) if after_study and own else ()
            samples.setdefault(user_id, []).extend(_improve(own, better))
    return dict(sorted(samples.items()))


def _improve(samples: list[Sample], better: Sequence[str]) -> list[Sample]:
    """The samples with those that were not accepted replaced by better ones."""
    if not better:
        return samples
    kept = [one for one in samples if one.is_golden]
    known = {same(one.target) for one in kept}
    return kept + [replace(samples[0], target=target) for target in better if same(target) not in known]


def count_states(items: Sequence[GoldItem], purpose: str) -> dict[str, int]:
    """How many items of a purpose are in which state."""
    return dict(sorted(Counter(item.state for item in items if item.purpose == purpose).items()))
