"""The server's database: SQLite in a file, or PostgreSQL by URL, brought to the current shape by numbered steps."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import URL, Connection, Engine, QueuePool, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from errata.errors import DataError, MissingExtra, UsageError

# Step n makes the shape n + 1 of the shape n; a step that was released never changes.
STEPS: tuple[Sequence[str], ...] = (
    (
        """CREATE TABLE words (
            username VARCHAR(200) NOT NULL,
            dictionary VARCHAR(200) NOT NULL,
            word VARCHAR(200) NOT NULL,
            added_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
            PRIMARY KEY (username, dictionary, word)
        )""",
    ),
)
# What makes a transaction the only one that changes anything; on PostgreSQL any number that nobody else locks.
LOCKS = {"sqlite": "BEGIN IMMEDIATE", "postgresql": "SELECT pg_advisory_xact_lock(76120)"}

# Without a limit, a machine that is gone keeps a thread waiting for minutes.
CONNECT_SECONDS = 10


def open_database(url: str) -> Engine:
    """The database at an SQLAlchemy URL, in the current shape; it is made if it is not there."""
    try:
        # `postgresql://` means the driver that the extra installs.
        parsed = make_url(url)
        if parsed.drivername == "postgresql":
            parsed = parsed.set(drivername="postgresql+psycopg")
        # Errors reach the log: what a statement was executed with (users' names and words) must not.
        engine = create_engine(parsed, hide_parameters=True, **_options(parsed))
    except (ArgumentError, NoSuchModuleError) as error:
        raise UsageError(f"{url!r} is no database URL (such as sqlite:///words.db): {error}") from error
    except ModuleNotFoundError as error:
        raise MissingExtra(error.name or "the database driver", "postgres") from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
    try:
        migrate(engine)
    except SQLAlchemyError as error:
        where = parsed.render_as_string(hide_password=True)
        raise DataError(f"cannot open the database {where}: {str(error).splitlines()[0]}") from error
    return engine


def _options(url: URL) -> dict[str, Any]:
    if url.get_backend_name() != "sqlite":
        return {"pool_pre_ping": True, "connect_args": {"connect_timeout": CONNECT_SECONDS}}
    if url.database in (None, "", ":memory:"):  # one connection is one such database: every thread must have that one
        shared = {"check_same_thread": False}
        return {"poolclass": QueuePool, "pool_size": 1, "max_overflow": 0, "connect_args": shared}
    return {}


def _set_up_sqlite(connection: Any, _: Any) -> None:
    """Readers and one writer at a time, each waiting for the other."""
    connection.execute("PRAGMA busy_timeout = 10000")
    with suppress(sqlite3.OperationalError):  # another server is doing it, and the database remembers
        connection.execute("PRAGMA journal_mode = WAL")


def take_turns(connection: Connection) -> None:
    """Begin a transaction that waits for others that have done so, whatever server they are of."""
    if connection.dialect.name in LOCKS:
        connection.exec_driver_sql(LOCKS[connection.dialect.name])


def migrate(engine: Engine) -> None:
    """Take the steps the database has not seen: all of them or none, and one server at a time."""
    with engine.begin() as connection:
        take_turns(connection)
        connection.execute(text("CREATE TABLE IF NOT EXISTS shape (version INTEGER NOT NULL)"))
        version = connection.execute(text("SELECT max(version) FROM shape")).scalar() or 0
        if version > len(STEPS):
            known = f"this version of errata knows {len(STEPS)}: update errata"
            raise DataError(f"the database has shape {version}; {known}")
        for number, step in enumerate(STEPS[version:], version + 1):
            for statement in step:
                connection.execute(text(statement))
            connection.execute(text("INSERT INTO shape VALUES (:version)"), {"version": number})
