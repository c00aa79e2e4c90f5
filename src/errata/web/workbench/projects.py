"""Projects: what they are, how they are set, and who has what to do in them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection

from errata.web.ids import new_id
from errata.web.refusals import Refusal
from errata.web.workbench import events, guidelines, members, slots, sql, texts
from errata.web.workbench.permissions import ARCHIVED as ARCHIVED
from errata.web.workbench.permissions import no_project

DRAFT, RUNNING, PAUSED, FINISHED = "draft", "running", "paused", "finished"
STATES = (DRAFT, RUNNING, PAUSED, FINISHED, ARCHIVED)
MAX_K, MAX_QUALIFY, MAX_LEASE_MINUTES = 20, 1_000, 7 * 24 * 60


@dataclass(frozen=True, slots=True)
class Settings:
    """How a project is worked on: `k` annotators for an item, who must first get a `share` of `n` gold items right."""

    k: int = 3
    n_qualify: int = 20
    share: float = 0.9
    suggestions: bool = False
    lease_minutes: float = 30.0
    blind: bool = True

    @property
    def lease(self) -> float:
        """Seconds that a task is held without a sign of life."""
        return 60 * self.lease_minutes

    def as_json(self) -> dict[str, Any]:
        known = asdict(self)
        qualification = {"n": known.pop("n_qualify"), "share": known.pop("share")}
        return {"k": known.pop("k"), "qualification": qualification, **known}

    def updated(self, given: Mapping[str, Any]) -> Settings:
        """These settings with what is given in their place; refused where it makes no sense."""
        known = self.as_json()
        qualification = given.get("qualification", {})
        if not isinstance(qualification, Mapping):
            raise Refusal(422, 'settings: qualification is an object such as {"n": 20, "share": 0.9}')
        for name in [*(given.keys() - known.keys()), *(qualification.keys() - known["qualification"].keys())]:
            raise Refusal(422, f"settings: there is no {str(name)[:50]!r} (there are {', '.join(known)})")
        merged = {**known, **given, "qualification": {**known["qualification"], **qualification}}
        return Settings(
            k=int(_number(merged["k"], "k", 1, MAX_K, is_whole=True)),
            n_qualify=int(_number(merged["qualification"]["n"], "qualification.n", 0, MAX_QUALIFY, is_whole=True)),
            share=_number(merged["qualification"]["share"], "qualification.share", 0, 1),
            suggestions=_flag(merged["suggestions"], "suggestions"),
            lease_minutes=_number(merged["lease_minutes"], "lease_minutes", 1, MAX_LEASE_MINUTES),
            blind=_flag(merged["blind"], "blind"),
        )


@dataclass(frozen=True, slots=True)
class Project:
    """A project as the database has it."""

    id: str
    name: str
    kind: str
    language: str
    state: str
    guidelines: str
    settings: Settings
    version: int

    def as_json(self) -> dict[str, Any]:
        """What every member may know of it."""
        known = {name: getattr(self, name) for name in ("id", "name", "kind", "language", "state", "version")}
        return {**known, "guidelines": self.guidelines, "settings": self.settings.as_json()}


def make_project(
    connection: Connection,
    user_id: str,
    now: float,
    *,
    name: str,
    kind: str,
    language: str,
    text: str | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Project:
    """A new project, owned by who makes it; `text` are its guidelines, by default the template's."""
    template = guidelines.template(kind, language)
    shown = template if text is None else texts.clean_prose(text, "the guidelines", texts.MAX_GUIDELINES)
    name = texts.clean_line(name, "the name", texts.MAX_NAME)
    project = Project(new_id(now), name, kind, language, DRAFT, shown, Settings().updated(settings or {}), 1)
    record = {**asdict(project), "settings": json.dumps(project.settings.as_json()), "made_by": user_id, "made_at": now}
    sql.insert(connection, "projects", record)
    events.add(connection, project.id, "project.made", now, user_id=user_id, name=name, kind=kind, language=language)
    members.join(connection, project.id, user_id, members.OWNER, now)
    return project


def get_project(connection: Connection, project_id: str) -> Project:
    """The project with this id; whether somebody may see it is asked of `permissions`."""
    row = sql.find_one(
        connection,
        "SELECT id, name, kind, language, state, guidelines, settings, version FROM projects WHERE id = :id",
        id=project_id,
    )
    if row is None:
        raise no_project()
    return Project(**{**row._mapping, "settings": Settings().updated(json.loads(row.settings))})


def refuse_same_name(connection: Connection, name: str, user_id: str | None = None) -> None:
    """Refuse the name of a project that is there already: of those that somebody owns, or of all.

    Whoever makes a project is told of no project of others.
    """
    found = sql.find_all(
        connection,
        "SELECT p.id, p.name FROM projects p WHERE :user_id = '' OR EXISTS (SELECT 1 FROM members m"
        " WHERE m.project_id = p.id AND m.user_id = :user_id AND m.role = 'owner' AND m.state <> 'removed')"
        " ORDER BY p.id",
        user_id=user_id or "",
    )
    wanted = texts.same(name).casefold()
    for row in found:
        if texts.same(row.name).casefold() == wanted:
            raise Refusal(409, f"there is a project called {row.name} already", facts={"same_name": row.id})


def projects_of(connection: Connection, user_id: str) -> list[tuple[Project, members.Member]]:
    """The projects somebody is a member of, the latest first; those put away are for their owners alone."""
    found = sql.find_all(
        connection,
        "SELECT m.project_id, m.user_id, m.role, m.state, m.attempt FROM members m JOIN projects p"
        " ON p.id = m.project_id WHERE m.user_id = :user_id AND m.state <> 'removed'"
        f" AND (p.state <> '{ARCHIVED}' OR m.role = '{members.OWNER}') ORDER BY m.project_id DESC",
        user_id=user_id,
    )
    return [(get_project(connection, row.project_id), members.Member(*row)) for row in found]


def change_project(
    connection: Connection,
    project: Project,
    user_id: str,
    now: float,
    *,
    version: int,
    name: str | None = None,
    state: str | None = None,
    text: str | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Project:
    """The project with another name, state, guidelines or settings; 409 where somebody else changed it meanwhile.

    Another `k` holds for every item that is still annotated and had the old one; nobody who works loses their slot.
    """
    if version != project.version:
        raise Refusal(409, "somebody changed the project meanwhile", facts={"current": project.as_json()})
    if state is not None and state not in STATES:
        raise Refusal(422, f"a project is in one of the states {', '.join(STATES)}")
    changed = Project(
        project.id,
        project.name if name is None else texts.clean_line(name, "the name", texts.MAX_NAME),
        project.kind,
        project.language,
        state or project.state,
        project.guidelines if text is None else texts.clean_prose(text, "the guidelines", texts.MAX_GUIDELINES),
        project.settings.updated(settings or {}),
        project.version + 1,
    )
    sql.change(
        connection,
        "UPDATE projects SET name = :name, state = :state, guidelines = :guidelines, settings = :settings,"
        " version = :version WHERE id = :id",
        id=project.id,
        name=changed.name,
        state=changed.state,
        guidelines=changed.guidelines,
        settings=json.dumps(changed.settings.as_json()),
        version=changed.version,
    )
    if changed.settings.k != project.settings.k:
        slots.change_k(connection, project.id, project.settings.k, changed.settings.k, now)
    events.add(connection, project.id, "project.changed", now, user_id=user_id, **_differences(project, changed))
    return changed


def count_items(connection: Connection, project_id: str) -> dict[str, int]:
    """How many items are in each state; those of the qualification round stand under `qualify`."""
    found = sql.find_all(
        connection,
        "SELECT CASE WHEN purpose = 'qualify' AND state <> 'withdrawn' THEN 'qualify' ELSE state END AS state,"
        " count(*) AS n FROM items WHERE project_id = :id GROUP BY 1",
        id=project_id,
    )
    counts = dict.fromkeys(("annotating", "reviewing", "done", "withdrawn", "qualify"), 0)
    return counts | {row.state: int(row.n) for row in found}


def _differences(before: Project, after: Project) -> dict[str, Any]:
    """What changed, as the audit trail keeps it; guidelines are long, so only that they changed."""
    facts: dict[str, Any] = {"version": after.version}
    for name in ("name", "state"):
        if getattr(before, name) != getattr(after, name):
            facts[name] = getattr(after, name)
    if before.guidelines != after.guidelines:
        facts["guidelines"] = len(after.guidelines)
    if before.settings != after.settings:
        facts["settings"] = after.settings.as_json()
    return facts


def _number(value: Any, name: str, least: float, most: float, *, is_whole: bool = False) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not least <= value <= most or (is_whole and value != int(value)):
        kind = "whole number" if is_whole else "number"
        raise Refusal(422, f"settings: {name} is a {kind} from {least} to {most}")
    return float(value)


def _flag(value: Any, name: str) -> bool:
    if not isinstance(value, bool):
        raise Refusal(422, f"settings: {name} is true or false")
    return value
