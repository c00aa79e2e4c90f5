"""People: the rows of `users`."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, text

from errata.web.accounts.names import check_name, fold_name, is_name
from errata.web.ids import new_id
from errata.web.refusals import Refusal

LANGUAGES = ("en", "zh")

_FIND = text("SELECT id, name, is_owner, language, password, closed_at FROM users WHERE folded_name = :folded_name")
_LIST = text("SELECT id, name, is_owner, language, made_at, closed_at FROM users ORDER BY folded_name")
_ADD = text(
    "INSERT INTO users (id, name, folded_name, password, is_owner, language, made_at)"
    " VALUES (:id, :name, :folded_name, :password, :is_owner, '', :now) ON CONFLICT (folded_name) DO NOTHING"
)
_SET_PASSWORD = text("UPDATE users SET password = :password WHERE id = :id")
_SET_LANGUAGE = text("UPDATE users SET language = :language WHERE id = :id")
_CLOSE = text("UPDATE users SET closed_at = :now WHERE id = :id AND closed_at IS NULL")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with an account; `is_owner` may make projects. `language` is that of their pages, '' the browser's."""

    id: str
    name: str
    is_owner: bool
    language: str


@dataclass(frozen=True, slots=True)
class Account:
    """A person, what is kept of their password, and since when the account is closed."""

    person: Person
    password: str
    closed_at: float | None


@dataclass(frozen=True, slots=True)
class Listed:
    """A person as `errata users list` shows them."""

    person: Person
    made_at: float
    closed_at: float | None


def add_person(connection: Connection, name: str, password: str, now: float, *, is_owner: bool = False) -> Person:
    """A new person with a hashed password; refused where somebody has the name already, or had it."""
    person = Person(new_id(now), check_name(name), is_owner, "")
    row = {"id": person.id, "name": person.name, "folded_name": fold_name(name), "password": password, "now": now}
    if not connection.execute(_ADD, {**row, "is_owner": int(is_owner)}).rowcount:
        raise Refusal(409, f"name: {person.name} is taken; choose another")
    return person


def find_account(connection: Connection, name: str) -> Account | None:
    """The account of a name, however it is written."""
    if not is_name(name):
        return None
    row = connection.execute(_FIND, {"folded_name": fold_name(name)}).one_or_none()
    if row is None:
        return None
    return Account(Person(row.id, row.name, bool(row.is_owner), row.language), row.password, row.closed_at)


def list_people(connection: Connection) -> list[Listed]:
    """Everybody, those with closed accounts too, in order of their names."""
    return [
        Listed(Person(row.id, row.name, bool(row.is_owner), row.language), row.made_at, row.closed_at)
        for row in connection.execute(_LIST)
    ]


def set_password(connection: Connection, user_id: str, password: str) -> None:
    """Keep another hashed password."""
    connection.execute(_SET_PASSWORD, {"id": user_id, "password": password})


def set_language(connection: Connection, user_id: str, language: str) -> None:
    connection.execute(_SET_LANGUAGE, {"id": user_id, "language": language})


def close_account(connection: Connection, user_id: str, now: float) -> None:
    """Let the person in no more; the name stays theirs, and so does what they wrote."""
    connection.execute(_CLOSE, {"id": user_id, "now": now})
