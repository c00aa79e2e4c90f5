"""Plain SQL with named values, the same on SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, TextClause, text

_text = cache(text)


def find_all(connection: Connection, statement: str, **values: Any) -> Sequence[Any]:
    """Every row that a query gives."""
    return connection.execute(_clause(statement), values).all()


def find_one(connection: Connection, statement: str, **values: Any) -> Any | None:
    """The first row of a query, or None."""
    return connection.execute(_clause(statement), values).first()


def count(connection: Connection, statement: str, **values: Any) -> int:
    """The number that a query asks for."""
    return int(connection.execute(_clause(statement), values).scalar_one() or 0)


def change(connection: Connection, statement: str, **values: Any) -> int:
    """How many rows a statement changed."""
    return connection.execute(_clause(statement), values).rowcount


def insert(connection: Connection, table: str, *records: Mapping[str, Any]) -> None:
    """Add records, which all have the same columns."""
    if records:
        columns = list(records[0])
        marks = ", ".join(f":{column}" for column in columns)
        statement = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"
        connection.execute(_clause(statement), [dict(record) for record in records])


def _clause(statement: str) -> TextClause:
    return _text(statement)
