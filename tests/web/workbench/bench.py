"""A project with people in it, without HTTP: the domain's functions with a clock and chance that tests turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any

from sqlalchemy import Connection, Engine

from errata.web.database import open_database, reading, writing
from errata.web.ids import new_id
from errata.web.workbench import (
    answers,
    assigning,
    imports,
    items,
    members,
    permissions,
    projects,
    review,
    sql,
    submissions,
    tasks,
    views,
)
from errata.web.workbench.submissions import Outcome, Submission


def add_user(connection: Connection, name: str, now: float) -> str:
    """The id of a new account that nobody can log in to."""
    user_id = new_id(now)
    record = {"id": user_id, "name": name, "folded_name": name, "password": "", "is_owner": 0, "made_at": now}
    sql.insert(connection, "users", record)
    return user_id


@dataclass
class Bench:
    """One running project; people go by their names, which have a prefix where a database has several projects."""

    engine: Engine
    kind: str = "rewrite"
    language: str = "en"
    settings: dict[str, Any] = field(default_factory=dict)
    now: float = 1_000_000.0
    rng: Random = field(default_factory=lambda: Random(0))
    people: dict[str, str] = field(default_factory=dict)
    project_id: str = ""
    prefix: str = ""
    keys: Any = field(default_factory=lambda: count())

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction, some time after the last one."""
        self.now += 0.01
        with writing(self.engine) as connection:
            yield connection

    def begin(self, lines: Sequence[str], *names: str) -> Bench:
        """Make the project with these sentences and people (`annotator-1`, `reviewer-1` …), and let it run."""
        with self.writing() as connection:
            self.people["owner"] = add_user(connection, self.prefix + "owner", self.now)
            project = projects.make_project(
                connection,
                self.people["owner"],
                self.now,
                name="A project",
                kind=self.kind,
                language=self.language,
                settings=self.settings,
            )
            self.project_id = project.id
        for name in names:
            self.add(name)
        if lines:
            self.bring("\n".join(lines) + "\n")
        self.change(state="running")
        return self

    def add(self, name: str, role: str | None = None) -> None:
        with self.writing() as connection:
            self.people[name] = add_user(connection, self.prefix + name, self.now)
            members.join(connection, self.project_id, self.people[name], role or name.partition("-")[0], self.now)

    def bring(self, content: str, *, name: str = "some.txt", **options: Any) -> dict[str, Any]:
        purpose = options.get("purpose", "work")
        form = options.pop("format", "auto")
        parsed = imports.parse_file(content.encode(), name=name, language=self.language, format=form, purpose=purpose)
        with self.writing() as connection:
            project = projects.get_project(connection, self.project_id)
            return imports.store(connection, project, self.people["owner"], parsed, self.now, self.rng, **options)

    def change(self, **changes: Any) -> None:
        with self.writing() as connection:
            project = projects.get_project(connection, self.project_id)
            projects.change_project(
                connection, project, self.people["owner"], self.now, version=project.version, **changes
            )

    def claim(self, name: str, *kinds: str) -> tasks.Claim:
        with self.writing() as connection:
            project = projects.get_project(connection, self.project_id)
            member = permissions.require(connection, self.people[name], self.project_id, "work")
            return tasks.claim(connection, project, member, kinds or tasks.KINDS, self.now, self.rng)

    def take(self, name: str, *kinds: str) -> dict[str, Any]:
        """The task that somebody gets, as the page sees it."""
        claim = self.claim(name, *kinds)
        assert claim.task_id is not None, claim.reason
        return self.view(name, claim.task_id)

    def view(self, name: str, task_id: str) -> dict[str, Any]:
        with reading(self.engine) as connection:
            task = tasks.get_task(connection, task_id, self.people[name])
            return views.view_task(connection, task).content

    def submit(self, name: str, task: dict[str, Any], *, key: str | None = None, **given: Any) -> Outcome:
        version = given.pop("version", task["version"])
        sent = Submission(version, f"key-{next(self.keys)}" if key is None else key, **given)
        with self.writing() as connection:
            return submissions.submit(connection, task["id"], self.people[name], sent, self.now)

    def take_back(self, name: str, task_id: str) -> dict[str, Any]:
        """Somebody's answer as a task they hold again."""
        with self.writing() as connection:
            answers.take_back(connection, task_id, self.people[name], self.now)
        return self.view(name, task_id)

    def take_away(self, item_id: str, task_id: str) -> None:
        with self.writing() as connection:
            item = items.get_item(connection, item_id)
            assigning.take_away(connection, item, task_id, self.people["owner"], self.now)

    def assign(self, item_id: str, name: str) -> None:
        with self.writing() as connection:
            item = items.get_item(connection, item_id)
            assigning.assign(connection, item, self.people[name], self.people["owner"], self.now)

    def own_answers(self, name: str) -> list[dict[str, Any]]:
        with reading(self.engine) as connection:
            project = projects.get_project(connection, self.project_id)
            listed: list[dict[str, Any]] = answers.list_own(connection, project, self.people[name])["answers"]
        return listed

    def answer(self, name: str, *targets: str, **given: Any) -> dict[str, Any]:
        """Somebody annotates the next item: the task they had."""
        task = self.take(name, "annotate")
        status = given.pop("status", "corrected")
        self.submit(name, task, status=status, answers=targets or [task["item"]["source"] + "!"], **given)
        return task

    def review(self, name: str, accept: Sequence[str] = (), added: Sequence[str] = ()) -> dict[str, Any]:
        """Somebody reviews the next item and accepts these answers alone."""
        task = self.take(name, "review")
        verdicts = [
            review.Verdict(answer["target"], answer["target"] in accept)
            for answer in task["answers"]
            if answer["status"] != "not_annotatable"
        ]
        self.submit(name, task, status="corrected", verdicts=verdicts, added=added)
        return task

    def items(self) -> list[dict[str, Any]]:
        with reading(self.engine) as connection:
            found: list[dict[str, Any]] = items.list_items(connection, self.project_id, limit=500)["items"]
        return [item for item in found if item["purpose"] == "work"]

    def golden(self, item_id: str) -> list[str]:
        with reading(self.engine) as connection:
            return items.golden_of(connection, item_id)

    def rows(self, statement: str, **values: Any) -> list[Any]:
        with reading(self.engine) as connection:
            return list(sql.find_all(connection, statement, **values))


def open_bench(database_url: str, **options: Any) -> Bench:
    return Bench(open_database(database_url), **options)
