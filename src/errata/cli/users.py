"""`errata users`: the accounts of a server."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from errata.errors import DataError, MissingExtra, UsageError

if TYPE_CHECKING:
    from errata.web.accounts.people import Person
    from errata.web.accounts.register import Register

STDIN = Path("-")

app = typer.Typer(
    name="users",
    help="People who may log in to a server: add, list, close accounts, set passwords.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="The name somebody logs in with.")]
Data = Annotated[Path | None, typer.Option(help="Folder of the server's database, as errata serve has it.")]
Db = Annotated[str, typer.Option(help="Database URL instead, as errata serve has it.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
PasswordFile = Annotated[
    Path | None, typer.Option(help="File with the password on its only line (- is standard input); else it is asked.")
]


@app.command("add")
def add(
    name: Name,
    owner: Annotated[bool, typer.Option("--owner", help="Let them make projects.")] = False,
    password_file: PasswordFile = None,
    data: Data = None,
    db: Db = "",
    as_json: AsJson = False,
) -> None:
    """Add somebody. The first one of a server should be an owner, who then invites the others.

    Example: errata users add owner-1 --owner
    """
    from errata.text.arguments import as_text

    with _open_register(data, db, is_new=True) as register:
        shown = register.check_free(as_text(name))
        person = register.add(shown, _read_password(password_file), is_owner=owner)
    _tell(person, "can log in now", as_json)


@app.command("list")
def list_people(data: Data = None, db: Db = "", as_json: AsJson = False) -> None:
    """List everybody: since when, whether they may make projects, whether the account is closed.

    Example: errata users list
    """
    from errata.cli.json_text import format_json

    with _open_register(data, db) as register:
        listed = register.list()
    if as_json:
        fields = ("id", "name", "is_owner", "language")
        rows = [
            {
                **{field: getattr(one.person, field) for field in fields},
                "made_at": one.made_at,
                "closed_at": one.closed_at,
            }
            for one in listed
        ]
        typer.echo(format_json(rows, 2))
        return
    for one in listed:
        role = "owner" if one.person.is_owner else ""
        state = "" if one.closed_at is None else "closed"
        # The name comes last: how wide it is depends on the terminal.
        typer.echo(f"{date.fromtimestamp(one.made_at)}  {role:5}  {state:6}  {one.person.name}")
    if not listed:
        typer.echo("nobody has an account: errata users add NAME --owner", err=True)


@app.command("password")
def password(
    name: Name, password_file: PasswordFile = None, data: Data = None, db: Db = "", as_json: AsJson = False
) -> None:
    """Give somebody a new password. Wherever they are logged in, they have to log in again.

    Example: errata users password annotator-1
    """
    from errata.text.arguments import as_text

    with _open_register(data, db) as register:
        person = register.find(as_text(name))
        register.set_password(person, _read_password(password_file))
    _tell(person, "has a new password", as_json)


@app.command("close")
def close(name: Name, data: Data = None, db: Db = "", as_json: AsJson = False) -> None:
    """Close an account. What the person wrote stays, under their name, which nobody else can take.

    Example: errata users close annotator-1
    """
    from errata.text.arguments import as_text

    with _open_register(data, db) as register:
        person = register.find(as_text(name))
        register.close(person)
    _tell(person, "cannot log in any more", as_json)


def _tell(person: Person, what: str, as_json: bool) -> None:
    from errata.cli.json_text import format_json

    if as_json:
        typer.echo(format_json({"id": person.id, "name": person.name, "is_owner": person.is_owner}, 2))
    else:
        typer.echo(f"{person.name} {what}", err=True)


@contextmanager
def _open_register(data: Path | None, db: str, *, is_new: bool = False) -> Iterator[Register]:
    """The accounts of the server with these options; what is refused is an error of the command."""
    from errata.cli.serve import database_in, find_database

    try:
        from errata.web.accounts.register import Register
        from errata.web.database import open_database
        from errata.web.refusals import Refusal
    except ModuleNotFoundError as error:
        raise MissingExtra(error.name or "the web server", "serve") from error

    engine = open_database((db or database_in(data)) if is_new else find_database(data, db))
    try:
        yield Register(engine, time.time)
    except Refusal as refusal:
        kind = UsageError if refusal.status == 422 else DataError  # 422: a name or a password that nobody can have
        raise kind(refusal.message) from refusal
    finally:
        engine.dispose()


def _read_password(path: Path | None) -> str:
    """The password in a file; without one it is asked twice."""
    if path is None:
        if not sys.stdin.isatty():
            raise UsageError("there is no terminal to ask for the password: give --password-file FILE (- is stdin)")
        return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True))
    try:
        content = sys.stdin.buffer.read() if path == STDIN else path.read_bytes()
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: the password is not UTF-8") from error
    if len(lines) != 1:
        raise DataError(f"{path} has {len(lines)} lines: put the password on the only one")
    return lines[0]
