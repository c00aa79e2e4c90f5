"""Who guesses waits: each failure makes the next try wait longer.

A try is written down before it is judged, and struck out if it was right: many at once cannot slip through.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address

from sqlalchemy import Connection, bindparam, text

from errata.web.accounts.names import fold_name
from errata.web.accounts.tokens import digest
from errata.web.ids import new_id
from errata.web.refusals import Refusal

# Failures count for an hour; the longest wait lets some 550 guesses a day at one name through.
WINDOW, LONGEST_WAIT = 3600.0, 300
# Failures before waits begin. A whole class may share one address.
FREE_BY_NAME, FREE_BY_ADDRESS, FREE_BY_JOINING, FREE_BY_INVITATION = 5, 100, 20, 50
# One household or one machine has this many leading bits of an IPv6 address, and all addresses behind them.
IPV6_BITS = 64

_FAILURES = text("SELECT count(*) AS n, max(made_at) AS latest FROM failed_logins WHERE subject = :subject")
_ADD = text("INSERT INTO failed_logins (id, subject, made_at) VALUES (:id, :subject, :now)")
_CLEAN = text("DELETE FROM failed_logins WHERE made_at <= :now - :window")
_STRIKE_OUT = text("DELETE FROM failed_logins WHERE id IN :ids").bindparams(bindparam("ids", expanding=True))
_FORGET = text("DELETE FROM failed_logins WHERE subject = :subject")


@dataclass(frozen=True, slots=True)
class Subject:
    """What failures are counted for, and how many of them are free."""

    key: str
    n_free: int


def by_name(name: str) -> Subject:
    """Of names only digests are kept: people type their passwords into the wrong field."""
    return Subject(f"name:{digest(fold_name(name))}", FREE_BY_NAME)


def by_person(user_id: str) -> Subject:
    return Subject(f"person:{user_id}", FREE_BY_NAME)


def by_address(address: str) -> Subject:
    return Subject(f"address:{_network(address)}", FREE_BY_ADDRESS)


def by_joining(address: str) -> Subject:
    return Subject(f"joining:{_network(address)}", FREE_BY_JOINING)


def by_invitation(token: str) -> Subject:
    return Subject(f"invitation:{digest(token)}", FREE_BY_INVITATION)


def begin_try(connection: Connection, subjects: Collection[Subject], now: float) -> list[str]:
    """The ids of a try, for `strike_out`; refused while one of the subjects has to wait."""
    connection.execute(_CLEAN, {"now": now, "window": WINDOW})
    wait = max(_seconds_to_wait(connection, subject, now) for subject in subjects)
    if wait > 0:
        seconds = math.ceil(wait)
        unit = "second" if seconds == 1 else "seconds"
        raise Refusal(429, f"too many tries have failed; try again in {seconds} {unit}", retry_after=seconds)
    rows = [{"id": new_id(now), "subject": subject.key, "now": now} for subject in subjects]
    connection.execute(_ADD, rows)
    return [str(row["id"]) for row in rows]


def strike_out(connection: Connection, ids: Collection[str]) -> None:
    """The try was no failure."""
    connection.execute(_STRIKE_OUT, {"ids": list(ids)})


def forget(connection: Connection, subject: Subject) -> None:
    """All earlier failures are forgiven."""
    connection.execute(_FORGET, {"subject": subject.key})


def _seconds_to_wait(connection: Connection, subject: Subject, now: float) -> float:
    row = connection.execute(_FAILURES, {"subject": subject.key}).one()
    n_over = row.n - subject.n_free
    if n_over < 0:
        return 0.0
    wait = min(LONGEST_WAIT, 2 ** min(n_over, 20))
    return float(min(wait, row.latest + wait - now))  # a clock that was set back makes nobody wait for longer


def _network(address: str) -> str:
    """The address, or of an IPv6 address the part that one client cannot change."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return digest(address)
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return f"{IPv6Address(int(parsed) >> IPV6_BITS << IPV6_BITS)}/{IPV6_BITS}"
