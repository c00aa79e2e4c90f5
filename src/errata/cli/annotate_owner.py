"""`errata annotate invite`, `archive` and `delete`: what an owner does with a project, without a browser."""

from __future__ import annotations

import re
import sys
import time
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from errata.cli.annotate_database import AsJson, Data, Db, find_open_project, find_project, open_workbench
from errata.cli.serve import PORT
from errata.errors import UsageError

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from errata.web.workbench.projects import Project

ROLES = ("annotator", "reviewer", "owner")
# A link that nobody can follow is lost: it is shown once.
_ADDRESS = re.compile(r"https?://[^\s/?#]+(/[^\s?#]*)?")
LOCAL = f"http://127.0.0.1:{PORT}"

Name = Annotated[str, typer.Argument(metavar="PROJECT", help="Its name or id.")]


def invite(
    project: Name,
    role: Annotated[str, typer.Option(help="annotator, reviewer or owner.")] = "annotator",
    uses: Annotated[int, typer.Option(min=1, max=1000, help="How many people may use the link.")] = 1,
    days: Annotated[int, typer.Option(min=1, max=365, help="For how many days it works.")] = 14,
    address: Annotated[str, typer.Option(metavar="URL", help="Where people reach the server.")] = LOCAL,
    data: Data = None,
    db: Db = "",
    as_json: AsJson = False,
) -> None:
    """Print a link that lets people into a project. It is shown once: the database keeps only its digest.

    Example: errata annotate invite Essays --uses 30 --address http://192.0.2.7:8081
    """
    from errata.cli.json_text import format_json

    if role not in ROLES:
        raise UsageError(f"--role is {', '.join(ROLES[:-1])} or {ROLES[-1]}, not {role!r}")
    if not _ADDRESS.fullmatch(address):
        raise UsageError(f"--address is where people reach the server, such as {LOCAL}, not {address!r}")
    with open_workbench(data, db) as engine:
        from errata.web.accounts import invitations
        from errata.web.accounts.sessions import DAY
        from errata.web.database import writing

        found, now = find_open_project(engine, project), time.time()
        with writing(engine) as connection:
            made_by, options = _owner_of(connection, found), {"n_uses": uses, "days": days}
            id_, token = invitations.make(connection, found.id, made_by, role, now=now, **options)
    link = address.rstrip("/") + invitations.LINK + token
    if as_json:
        told = {"id": id_, "project": {"id": found.id, "name": found.name}, "role": role, **options}
        typer.echo(format_json({**told, "expires_at": now + days * DAY, "link": link}, 2))
        return
    typer.echo(link)
    until = datetime.fromtimestamp(now + days * DAY).strftime("%Y-%m-%d")
    people = "1 person" if uses == 1 else f"{uses} people"
    typer.echo(f"{found.name}: lets in {people} as {role} until {until}; the link is not shown again", err=True)
    if address == LOCAL:
        typer.echo("it works on this computer alone: --address says where others reach the server", err=True)


def archive(
    project: Name,
    undo: Annotated[bool, typer.Option("--undo", help="Bring it back: it is paused then.")] = False,
    data: Data = None,
    db: Db = "",
    as_json: AsJson = False,
) -> None:
    """Put a project away: only its owners see it, and nothing is lost.

    Example: errata annotate archive Essays
    """
    from errata.cli.json_text import format_json

    with open_workbench(data, db) as engine:
        from errata.web.database import writing
        from errata.web.workbench import projects

        found = find_project(engine, project)
        is_archived = found.state == projects.ARCHIVED
        if is_archived != undo:
            kind = "archived already" if is_archived else "not archived"
            raise UsageError(f"{found.name} is {kind}")
        state = projects.PAUSED if undo else projects.ARCHIVED
        with writing(engine) as connection:
            owner_id = _owner_of(connection, found)
            projects.change_project(connection, found, owner_id, time.time(), version=found.version, state=state)
    if as_json:
        typer.echo(format_json({"id": found.id, "name": found.name, "state": state}, 2))
    else:
        typer.echo(f"{found.name} is {state} now", err=True)


def delete(
    project: Name,
    name: Annotated[str, typer.Option(help="The name of the project once more; else it is asked.")] = "",
    data: Data = None,
    db: Db = "",
    as_json: AsJson = False,
) -> None:
    """Delete an archived project for good, with all sentences, answers and reviews. Export it first.

    Example: errata annotate delete Essays --name Essays
    """
    from errata.cli.json_text import format_json

    with open_workbench(data, db) as engine:
        from errata.web.database import reading
        from errata.web.workbench import projects, removal, sql

        found = find_project(engine, project)
        typed = name or _ask_name(found.name)
        with reading(engine) as connection:
            n_items = sql.count(connection, "SELECT count(*) FROM items WHERE project_id = :id", id=found.id)
        removal.delete_project(engine, lambda connection: projects.get_project(connection, found.id), typed)
    told: dict[str, Any] = {"id": found.id, "name": found.name, "n_items": n_items}
    typer.echo(format_json(told, 2) if as_json else f"{found.name} is deleted: {n_items} sentences", err=not as_json)


def _ask_name(name: str) -> str:
    if not sys.stdin.isatty():
        raise UsageError(f"to delete a project for good, give its name once more: --name {name!r}")
    return str(typer.prompt(f"Type the name of the project to delete it for good ({name})", err=True))


def _owner_of(connection: Connection, project: Project) -> str:
    """Who made a project: what a command does is done in their name."""
    from errata.web.workbench import sql

    row = sql.find_one(connection, "SELECT made_by FROM projects WHERE id = :id", id=project.id)
    assert row is not None
    return str(row.made_by)
