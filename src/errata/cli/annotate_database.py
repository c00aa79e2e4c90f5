"""What the commands of `errata annotate` share: the server's database, its projects and people by name."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from errata.errors import DataError, MissingExtra, UsageError

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from errata.web.workbench.projects import Project

Data = Annotated[Path | None, typer.Option(help="Folder of the server's database, as errata serve has it.")]
Db = Annotated[str, typer.Option(help="Database URL instead, as errata serve has it.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@contextmanager
def open_workbench(data: Path | None, db: str, *, is_new: bool = False) -> Iterator[Engine]:
    """The server's database, made only where `is_new` says so; what it refuses is an error in one line."""
    from errata.cli.serve import database_in, find_database

    try:
        from errata.web.database import open_database
        from errata.web.refusals import Refusal
    except ModuleNotFoundError as error:
        raise MissingExtra(error.name or "the web server", "serve") from error
    engine = open_database((db or database_in(data)) if is_new else find_database(data, db))
    try:
        yield engine
    except Refusal as error:
        kind = UsageError if error.status == 422 else DataError  # 422: options that no project can have
        raise kind(error.message) from error
    finally:
        engine.dispose()


def find_project(engine: Engine, name: str) -> Project:
    """The project with this id, or the only one with this name."""
    from errata.web.database import reading
    from errata.web.workbench import projects, sql

    with reading(engine) as connection:
        found = sql.find_all(
            connection, "SELECT id, name FROM projects WHERE id = :name OR name = :name ORDER BY id", name=name
        )
        if len(found) == 1:
            return projects.get_project(connection, found[0].id)
    if found:
        raise UsageError(f"{len(found)} projects are called {name}: give the id ({', '.join(row.id for row in found)})")
    raise DataError(f"there is no project {name!r} in this database (errata annotate list shows them)")


def find_open_project(engine: Engine, name: str) -> Project:
    """The same; one that is archived is refused, with the command that brings it back."""
    from errata.web.workbench.permissions import ARCHIVED

    found = find_project(engine, name)
    if found.state == ARCHIVED:
        command = f"errata annotate archive {shlex.quote(name)} --undo"
        raise DataError(f"{found.name} is archived: bring it back first ({command})")
    return found


def find_owner(engine: Engine, name: str) -> str:
    """The id of the account with this name, or of the only owner of the site."""
    from errata.web.accounts import people
    from errata.web.database import reading

    with reading(engine) as connection:
        if name:
            account = people.find_account(connection, name)
            if account is None or account.closed_at is not None:
                raise DataError(f"there is no account {name!r}: errata users add {name} --owner makes one")
            return account.person.id
        owners = [one.person for one in people.list_people(connection) if one.person.is_owner and not one.closed_at]
    if len(owners) == 1:
        return owners[0].id
    if not owners:
        raise DataError("there is no owner yet: errata users add NAME --owner makes one")
    raise UsageError(f"say whose project it is: --owner {' or '.join(person.name for person in owners)}")


def find_person(engine: Engine, project: Project, name: str) -> str:
    """The id of somebody who worked in a project."""
    from errata.web.database import reading
    from errata.web.workbench import sql

    with reading(engine) as connection:
        found = sql.find_all(
            connection,
            "SELECT DISTINCT u.id, u.name FROM users u JOIN tasks t ON t.user_id = u.id"
            " WHERE t.project_id = :id ORDER BY u.name",
            id=project.id,
        )
    matches = [row.id for row in found if name in (row.id, row.name)]
    if len(matches) == 1:
        return str(matches[0])
    known = ", ".join(row.name for row in found) or "nobody yet"
    raise DataError(f"{project.name}: {len(matches)} people called {name!r} worked in it (there are: {known})")
