"""The whole database as one file, and back: SQLite and PostgreSQL alike, from either to the other.

The file is JSON lines: a head, for each table its name, columns and rows in the order of their keys, and a last line
with the digest of all lines before it. Who is logged in is not in it: an old backup must not bring back sessions that
people have ended.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, MetaData, Table, inspect, text
from sqlalchemy.exc import SQLAlchemyError

from errata.errors import DataError, FormatError
from errata.formats import strict_json
from errata.formats.files import PathLike, display_name, open_for_writing, read_lines
from errata.web.database import STEPS, open_database, reading, take_steps, writing

KIND = "errata-backup"
VERSION = 1
# The table of steps that were taken, and those of people who are logged in or tried to be.
SHAPE = "shape"
LEFT_OUT = frozenset({"sessions", "failed_logins"})
# Rows read or written at once.
BATCH = 500


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup holds: when it was made, the shape of the database, rows by table, and the digest."""

    made_at: float
    shape: int
    tables: dict[str, int]
    digest: str

    def as_dict(self) -> dict[str, Any]:
        return {"made_at": self.made_at, "shape": self.shape, "tables": self.tables, "digest": self.digest}


def write_backup(engine: Engine, path: PathLike, *, clock: Callable[[], float] = time.time) -> Backup:
    """Write the database as it is at one moment, while others go on working; the file appears once it is complete."""
    made_at = clock()
    digest, tables = hashlib.sha256(), dict[str, int]()
    with reading(engine) as connection, open_for_writing(path) as stream:

        def write(value: Any) -> None:
            line = _dump(value)
            digest.update(line.encode())
            stream.write(line)

        shape = _find_shape(connection)
        write({"kind": KIND, "version": VERSION, "made_at": made_at, "shape": shape})
        for table in _find_tables(connection):
            write({"table": table.name, "columns": [column.name for column in table.columns]})
            tables[table.name] = 0
            for row in _read_rows(connection, table):
                tables[table.name] += 1
                write(row)
        stream.write(_dump({"digest": digest.hexdigest(), "tables": tables}))
    return Backup(made_at, shape, tables, digest.hexdigest())


def read_backup(engine: Engine, path: PathLike, *, replace: bool = False) -> Backup:
    """Fill the database with a backup, all of it or nothing; one that has rows is refused unless told to `replace` it.

    A backup of an older shape gets the steps that came since.
    """
    name = display_name(path)
    lines = _Lines(read_lines(path), name)
    head = _read_head(lines, name)
    try:
        with writing(engine) as connection:
            if not replace:
                _refuse_rows(connection)
            _make_shape(connection, head["shape"])
            tables = _write_tables(connection, lines)
            take_steps(connection, head["shape"], len(STEPS))
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise DataError(f"{name}: line {lines.number} does not fit the database: {reason}") from error
    return Backup(head["made_at"], head["shape"], tables, lines.digest.hexdigest())


class _Lines:
    """The values of the lines of a file, its digest so far and the number of the line."""

    def __init__(self, lines: Iterable[str], name: str) -> None:
        self._lines, self.name = iter(lines), name
        self.number, self.digest = 0, hashlib.sha256()

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        line = next(self._lines, None)
        if line is None:
            raise self.fault("the file ends before its digest: it is not complete")
        self.number += 1
        try:
            value = strict_json.loads(line)
        except ValueError as error:
            raise self.fault(f"this is no line of a backup ({error})") from None
        if not (isinstance(value, dict) and "digest" in value):
            self.digest.update(line.encode())
        return value

    def fault(self, message: str) -> FormatError:
        return FormatError(self.name, self.number or None, message)

    def finish(self, last: dict[str, Any], tables: dict[str, int]) -> None:
        """Refuse a file whose content is not what was written, or that goes on."""
        if last["digest"] != self.digest.hexdigest():
            raise self.fault("the digest does not fit: the file was changed or is damaged")
        if last.get("tables") != tables:
            raise self.fault("rows are missing: the file was changed or is damaged")
        if next(self._lines, None) is not None:
            raise self.fault("the file goes on after its digest")


def _read_head(lines: _Lines, name: str) -> dict[str, Any]:
    head = next(lines)
    if not isinstance(head, dict) or head.get("kind") != KIND:
        raise FormatError(name, 1, "this is no backup of errata (errata annotate backup makes one)")
    if head.get("version") != VERSION or not isinstance(head.get("shape"), int):
        raise FormatError(name, 1, f"a backup of version {head.get('version')}, this errata reads {VERSION}")
    if not 0 < head["shape"] <= len(STEPS):
        known = f"this version of errata knows {len(STEPS)}: update errata"
        raise DataError(f"{name}: the backup has shape {head['shape']}; {known}")
    return head


def _write_tables(connection: Connection, lines: _Lines) -> dict[str, int]:
    """Insert the rows; how many each table got."""
    known = {table.name: table for table in _find_tables(connection)}
    tables: dict[str, int] = {}
    statement: Any = None
    columns: Sequence[str] = ()
    waiting: list[dict[str, Any]] = []
    for value in lines:
        if isinstance(value, list) and len(value) == len(columns) and tables:
            waiting.append(dict(zip(columns, value, strict=True)))
            tables[next(reversed(tables))] += 1
            if len(waiting) < BATCH:
                continue
        elif not isinstance(value, dict):
            raise lines.fault("a row that does not fit the columns of its table")
        if waiting:
            connection.execute(statement, waiting)
            waiting = []
        if isinstance(value, dict) and "digest" in value:
            lines.finish(value, tables)
            return tables
        if isinstance(value, dict):
            columns = _check_table(value, known, lines)
            statement, tables[value["table"]] = _insertion(value["table"], columns), 0
    raise AssertionError("lines end in a digest or an error")


def _check_table(value: dict[str, Any], known: dict[str, Table], lines: _Lines) -> list[str]:
    """The columns that the backup has of a table; those and the table must be the database's."""
    table, columns = known.get(str(value.get("table"))), value.get("columns")
    if table is None or columns != [column.name for column in table.columns]:
        raise lines.fault(f"the table {str(value.get('table'))[:100]!r} is not as this shape of the database has it")
    return [column.name for column in table.columns]


def _insertion(table: str, columns: Sequence[str]) -> Any:
    places = ", ".join(f":{column}" for column in columns)
    return text(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})")


def _find_tables(connection: Connection) -> list[Table]:
    """The tables that a backup has, each after those its rows refer to."""
    return [table for table in _own_tables(connection) if table.name not in (SHAPE, *LEFT_OUT)]


def _own_tables(connection: Connection) -> list[Table]:
    """The tables of the database that are errata's: others may keep theirs beside them."""
    scratch = open_database("sqlite://")
    names = set(inspect(scratch).get_table_names())
    scratch.dispose()
    metadata = MetaData()
    metadata.reflect(connection, only=lambda name, _: name in names)
    return metadata.sorted_tables


def _read_rows(connection: Connection, table: Table) -> Iterator[list[Any]]:
    columns = ", ".join(column.name for column in table.columns)
    order = ", ".join(column.name for column in table.primary_key)
    statement = text(f"SELECT {columns} FROM {table.name} ORDER BY {order}")
    options = {"stream_results": True, "yield_per": BATCH}
    for row in connection.execute(statement, execution_options=options):
        yield [str(value) if isinstance(value, datetime) else value for value in row]


def _find_shape(connection: Connection) -> int:
    return int(connection.execute(text(f"SELECT max(version) FROM {SHAPE}")).scalar_one())


def _refuse_rows(connection: Connection) -> None:
    for table in _find_tables(connection):
        if connection.execute(text(f"SELECT 1 FROM {table.name} LIMIT 1")).first() is not None:
            message = f"the database is not empty (it has {table.name})"
            raise DataError(f"{message}: restore into an empty one, or say --replace to lose what is in it")


def _make_shape(connection: Connection, shape: int) -> None:
    """Make the tables anew, in the shape that the backup has; what was in them is gone."""
    for table in reversed(_own_tables(connection)):
        connection.execute(text(f"DROP TABLE {table.name}"))
    connection.execute(text(f"CREATE TABLE {SHAPE} (version INTEGER NOT NULL)"))
    take_steps(connection, 0, shape)


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"
