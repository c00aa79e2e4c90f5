"""Sessions: who is logged in, by the digest of the token in their cookie."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, text

from errata.web.accounts.people import Person
from errata.web.accounts.tokens import digest, new_token

DAY = 86_400.0
# A session ends so many seconds after its last request, and so many after it began.
IDLE, LONGEST = 14 * DAY, 60 * DAY
# When somebody was last here is written once in so many seconds: not every request needs to write.
SEEN_EVERY = 60.0
# Sessions of one person; the one seen longest ago ends when there are more.
MAX_SESSIONS = 20

_FIND = text(
    "SELECT sessions.digest, sessions.csrf, sessions.seen_at, users.id, users.name, users.is_owner, users.language"
    " FROM sessions JOIN users ON users.id = sessions.user_id"
    " WHERE sessions.digest = :digest AND users.closed_at IS NULL"
    " AND sessions.expires_at > :now AND sessions.seen_at > :now - :idle"
)
_ADD = text(
    "INSERT INTO sessions (digest, user_id, csrf, made_at, seen_at, expires_at)"
    " VALUES (:digest, :user_id, :csrf, :now, :now, :expires_at)"
)
_SEE = text("UPDATE sessions SET seen_at = :now WHERE digest = :digest AND seen_at < :now")
_END = text("DELETE FROM sessions WHERE digest = :digest")
_END_ALL = text("DELETE FROM sessions WHERE user_id = :user_id AND digest <> :kept")
_CLEAN = text("DELETE FROM sessions WHERE expires_at <= :now OR seen_at <= :now - :idle")
_CROWD_OUT = text(
    "DELETE FROM sessions WHERE user_id = :user_id AND digest NOT IN"
    " (SELECT digest FROM sessions WHERE user_id = :user_id ORDER BY seen_at DESC, made_at DESC LIMIT :room)"
)


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who is logged in; `csrf` proves that a request comes from a page that could read it."""

    person: Person
    digest: str
    csrf: str
    seen_at: float


@dataclass(frozen=True, slots=True)
class Entered:
    """A session that has just begun, with the token for the cookie."""

    person: Person
    token: str
    csrf: str


def begin(connection: Connection, person: Person, now: float) -> Entered:
    """A new session; those that are over go."""
    entered = Entered(person, new_token(), new_token())
    connection.execute(_CLEAN, {"now": now, "idle": IDLE})
    connection.execute(_CROWD_OUT, {"user_id": person.id, "room": MAX_SESSIONS - 1})
    row = {"digest": digest(entered.token), "user_id": person.id, "csrf": entered.csrf}
    connection.execute(_ADD, {**row, "now": now, "expires_at": now + LONGEST})
    return entered


def find(connection: Connection, token: str, now: float) -> Session | None:
    """The session of a token, unless it is over or the account is closed."""
    row = connection.execute(_FIND, {"digest": digest(token), "now": now, "idle": IDLE}).one_or_none()
    if row is None:
        return None
    return Session(Person(row.id, row.name, bool(row.is_owner), row.language), row.digest, row.csrf, row.seen_at)


def is_to_be_seen(session: Session, now: float) -> bool:
    return now - session.seen_at >= SEEN_EVERY


def see(connection: Connection, session: Session, now: float) -> None:
    """Write that somebody is still here."""
    connection.execute(_SEE, {"digest": session.digest, "now": now})


def end(connection: Connection, token_digest: str) -> None:
    connection.execute(_END, {"digest": token_digest})


def end_all(connection: Connection, user_id: str, *, kept: str = "") -> None:
    """End the sessions of a person, but for the one with the digest `kept`."""
    connection.execute(_END_ALL, {"user_id": user_id, "kept": kept})
