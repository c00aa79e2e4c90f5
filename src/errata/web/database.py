"""The server's database: SQLite in a file, or PostgreSQL by URL, brought to the current shape by numbered steps."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Any

from sqlalchemy import URL, Connection, Engine, QueuePool, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from errata.errors import DataError, MissingExtra, UsageError
from errata.web.refusals import no_database
from errata.web.steps import step_1_words, step_2_accounts, step_3_workbench, step_4_deletion

# Step n makes the shape n + 1 of the shape n: SQL statements, or a function of a connection.
Step = Sequence[str] | Callable[[Connection], None]
STEPS: tuple[Step, ...] = (
    step_1_words.STATEMENTS,
    step_2_accounts.STATEMENTS,
    step_3_workbench.STATEMENTS,
    step_4_deletion.STATEMENTS,
)

# What makes transactions wait for each other on PostgreSQL: any number that nobody else locks.
LOCK = 76120
# The option of a connection that begins transactions which only read.
READS = "errata_reads"

# The option of an engine that is the lock its writers take in turn, and how long they wait for it (seconds), as long as
# for another process. SQLite itself lets each look again after ever longer pauses: of eight threads that wrote without
# pause, one waited seven seconds where the lock took one.
TURN, TURN_SECONDS = "errata_turn", 10

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
        engine.update_execution_options(**{TURN: Lock()})
    except (ArgumentError, NoSuchModuleError) as error:
        known = "sqlite:///server.db or postgresql://user@host/errata"
        raise UsageError(f"{url!r} is no database URL that errata knows (such as {known})") from error
    except ModuleNotFoundError as error:
        raise MissingExtra(error.name or "the database driver", "postgres") from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    try:
        migrate(engine)
    except SQLAlchemyError as error:
        engine.dispose()
        where = make_url(url).render_as_string(hide_password=True)
        raise DataError(f"cannot open the database {where}: {_reason(error)}") from error
    except DataError:
        engine.dispose()
        raise
    return engine


def _reason(error: SQLAlchemyError) -> str:
    """What the database itself says, in one line, without the names of classes."""
    own = error.orig if isinstance(error, DBAPIError) else error
    return str(own).splitlines()[0]


def _options(url: URL) -> dict[str, Any]:
    if url.get_backend_name() != "sqlite":
        return {"pool_pre_ping": True, "connect_args": {"connect_timeout": CONNECT_SECONDS}}
    if url.database in (None, "", ":memory:"):  # one connection is one such database: every thread must have that one
        shared = {"check_same_thread": False}
        return {"poolclass": QueuePool, "pool_size": 1, "max_overflow": 0, "connect_args": shared}
    return {}


def _set_up_sqlite(connection: Any, _: Any) -> None:
    """Readers and one writer at a time, each waiting for the other."""
    connection.isolation_level = None  # `_begin_sqlite` begins transactions, not the driver
    connection.execute(f"PRAGMA busy_timeout = {1000 * TURN_SECONDS}")
    connection.execute("PRAGMA foreign_keys = ON")
    with suppress(sqlite3.OperationalError):  # another server is doing it, and the database remembers
        connection.execute("PRAGMA journal_mode = WAL")


def _begin_sqlite(connection: Connection) -> None:
    """Take the lock at once: two transactions that read first and write then would both have read the same."""
    reads = connection.get_execution_options().get(READS, False)
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A transaction that only reads: what it sees stays as it was, and nobody waits for it."""
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            connection = connection.execution_options(**{READS: True})
        else:
            connection = connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        yield connection


@contextmanager
def writing(engine: Engine, *, seconds: float = TURN_SECONDS) -> Iterator[Connection]:
    """A transaction that waits for all others of `writing`, whatever server they are of: what it read stays so.

    `seconds` is how long it waits for those of this process.
    """
    with _turn(engine, seconds), engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")
        yield connection


@contextmanager
def _turn(engine: Engine, seconds: float) -> Iterator[None]:
    """One writer of this process at a time."""
    lock: Lock = engine.get_execution_options()[TURN]
    if not lock.acquire(timeout=seconds):
        raise no_database()
    try:
        yield
    finally:
        lock.release()


def migrate(engine: Engine) -> None:
    """Take the steps the database has not seen: all of them or none, and one server at a time."""
    with writing(engine) as connection:
        connection.execute(text("CREATE TABLE IF NOT EXISTS shape (version INTEGER NOT NULL)"))
        version = connection.execute(text("SELECT max(version) FROM shape")).scalar() or 0
        if version > len(STEPS):
            known = f"this version of errata knows {len(STEPS)}: update errata"
            raise DataError(f"the database has shape {version}; {known}")
        take_steps(connection, version, len(STEPS))


def take_steps(connection: Connection, first: int, last: int) -> None:
    """Bring the database from the shape `first` to the shape `last`."""
    for number, step in enumerate(STEPS[first:last], first + 1):
        _take(step, connection)
        connection.execute(text("INSERT INTO shape VALUES (:version)"), {"version": number})


def _take(step: Step, connection: Connection) -> None:
    if callable(step):
        step(connection)
        return
    for statement in step:
        connection.execute(text(statement))
