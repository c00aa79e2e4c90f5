"""Making projects and importing into them, for `errata annotate`."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import SystemRandom
from typing import Any

from sqlalchemy import Connection, Engine

from errata.errors import DataError, ErrataError, UsageError
from errata.formats.files import STANDARD, display_name, read_lines
from errata.web.database import reading, writing
from errata.web.refusals import Refusal
from errata.web.workbench import imports, items, projects, sql
from errata.web.workbench.exports.reading import is_history, read_history
from errata.web.workbench.projects import Project


def make_project(
    engine: Engine,
    owner_id: str,
    name: str,
    settings: dict[str, Any],
    files: Sequence[Path],
    gold: Sequence[Path],
    form: str,
    references: str,
    *,
    again: bool = False,
) -> dict[str, Any]:
    """A new project with the sentences of files; all of it, or nothing."""
    language = settings["language"]
    parsed = [(items.QUALIFY, parse(path, language, form, items.QUALIFY)) for path in gold]
    parsed += [(items.WORK, parse(path, language, form, items.WORK)) for path in files]
    now = time.time()
    with writing(engine) as connection:
        project = projects.make_project(
            connection,
            owner_id,
            now,
            name=name,
            kind=settings["kind"],
            language=language,
            settings={"k": settings["k"]},
        )
        told = [
            _store(connection, project, owner_id, one, now, purpose, references, again=again) for purpose, one in parsed
        ]
        if settings["run"]:
            projects.change_project(connection, project, owner_id, now, version=project.version, state=projects.RUNNING)
    return {"id": project.id, "name": project.name, "n_items": sum(one["n_items"] for one in told), "files": told}


def refuse_same_name(engine: Engine, name: str) -> None:
    """Refuse a name that a project has already: commands could not tell them apart."""
    with reading(engine) as connection:
        try:
            projects.refuse_same_name(connection, name)
        except Refusal as refusal:
            raise DataError(f"{refusal.message}: choose another name, or give --again") from refusal


def import_into(
    engine: Engine,
    project: Project,
    files: Sequence[Path],
    form: str,
    purpose: str,
    references: str,
    *,
    again: bool = False,
) -> dict[str, Any]:
    """Add the sentences of files to a project, all or none."""
    if purpose not in items.PURPOSES:
        raise UsageError(f"--purpose is {' or '.join(items.PURPOSES)}, not {purpose!r}")
    parsed = [parse(path, project.language, form, purpose) for path in files]
    with writing(engine) as connection:
        made_by = sql.find_one(connection, "SELECT made_by FROM projects WHERE id = :id", id=project.id)
        assert made_by is not None
        now = time.time()
        told = [
            _store(connection, project, made_by.made_by, one, now, purpose, references, again=again) for one in parsed
        ]
    sums = {key: sum(one[key] for one in told) for key in ("n_items", "n_known")}
    return {"id": project.id, "name": project.name, **sums, "files": told}


def parse(path: Path, language: str, form: str, purpose: str) -> imports.Parsed:
    """The sentences of a file; every fault that was found is told."""
    try:
        content = sys.stdin.buffer.read() if str(path) == STANDARD else path.read_bytes()
    except OSError as error:
        raise DataError(f"{display_name(path)}: {error.strerror or error}") from error
    parsed = imports.parse_file(content, name=display_name(path), language=language, format=form, purpose=purpose)
    if parsed.problems:
        lines = [
            f"{path}:{one.line}: {one.message}" if one.line else f"{path}: {one.message}" for one in parsed.problems
        ]
        raise DataError("\n".join([*lines, "nothing was imported"]))
    return parsed


def _store(
    connection: Connection,
    project: Project,
    user_id: str,
    parsed: imports.Parsed,
    now: float,
    purpose: str,
    references: str,
    *,
    again: bool,
) -> dict[str, Any]:
    if references not in (imports.LEAVE, imports.GOLDEN):
        raise UsageError(f"--references is {imports.LEAVE} or {imports.GOLDEN}, not {references!r}")
    options = {"purpose": purpose, "references": references}
    try:
        told = imports.store(connection, project, user_id, parsed, now, SystemRandom(), again=again, **options)
    except Refusal as refusal:
        if "n_known" not in refusal.facts:
            raise
        raise DataError(f"{refusal.message} (--again imports them once more)") from refusal
    return {"file": parsed.name, **{key: told[key] for key in ("format", "n_items", "n_known", "n_passages")}}


def read_history_lines(files: Sequence[Path]) -> list[str] | None:
    """The lines of the first file if it is a project's history."""
    if not files or str(files[0]) == STANDARD:
        return None
    with suppress(ErrataError):  # other faults are told by whoever reads the file as something else
        lines = list(read_lines(files[0]))
        if lines and is_history(lines[0]):
            return lines
    return None


def make_project_of_history(engine: Engine, owner_id: str, name: str, lines: list[str], origin: str) -> dict[str, Any]:
    """A project as it was, under this name."""
    with writing(engine) as connection:
        project_id = read_history(connection, lines, owner_id, time.time(), origin=origin, name=name)
        n_items = sql.count(connection, "SELECT count(*) FROM items WHERE project_id = :id", id=project_id)
    return {"id": project_id, "name": name, "n_items": n_items, "files": []}


def find_all(engine: Engine) -> list[dict[str, Any]]:
    """The projects with how many of their sentences are done."""
    with reading(engine) as connection:
        found = sql.find_all(
            connection,
            "SELECT p.id, p.name, p.kind, p.language, p.state, p.made_at,"
            " sum(CASE WHEN i.state = 'done' THEN 1 ELSE 0 END) AS done, count(i.id) AS sentences"
            " FROM projects p LEFT JOIN items i ON i.project_id = p.id AND i.purpose = 'work'"
            " AND i.state <> 'withdrawn' GROUP BY p.id, p.name, p.kind, p.language, p.state, p.made_at"
            " ORDER BY p.made_at, p.id",
        )
    return [{**row._mapping, "done": int(row.done), "sentences": int(row.sentences)} for row in found]
