"""What people do with passwords: log in, change them. Hashing takes long, so all of it has threads of its own."""

from __future__ import annotations

from sqlalchemy import Engine

from errata.web.accounts import sessions, throttle
from errata.web.accounts.passwords import Passwords, check_password
from errata.web.accounts.people import Account, find_account, set_password
from errata.web.accounts.sessions import Entered, Session
from errata.web.accounts.tokens import digest
from errata.web.clock import Clock
from errata.web.database import writing
from errata.web.refusals import Refusal

# The same for a name nobody has, a wrong password and a closed account.
WRONG = "the name or the password is wrong"


class Logins:
    """Lets people in who know their password. Each method hashes, and writes to the database before and after it."""

    def __init__(self, engine: Engine, passwords: Passwords, clock: Clock) -> None:
        self._engine, self._passwords, self._clock = engine, passwords, clock

    def log_in(self, name: str, password: str, address: str, old_token: str) -> Entered:
        """A new session, whatever token the browser had; its old session ends."""
        own = throttle.by_name(name)
        with writing(self._engine) as connection:
            tries = throttle.begin_try(connection, (own, throttle.by_address(address)), self._clock())
            account = find_account(connection, name)
        is_right = self._passwords.verify(account.password if account else None, password)
        if account is None or not is_right:
            raise Refusal(401, WRONG)
        renewed = self._passwords.hash(password) if self._passwords.is_outdated(account.password) else None
        with writing(self._engine) as connection:
            if not _is_unchanged(account, find_account(connection, name)):
                raise Refusal(401, WRONG)
            throttle.strike_out(connection, tries)
            throttle.forget(connection, own)
            if renewed:
                set_password(connection, account.person.id, renewed)
            sessions.end(connection, digest(old_token))
            return sessions.begin(connection, account.person, self._clock())

    def change_password(self, session: Session, old: str, new: str) -> None:
        """Keep a new password; the person's other sessions end."""
        person = session.person
        check_password(new, person.name)
        own = throttle.by_person(person.id)
        with writing(self._engine) as connection:
            throttle.begin_try(connection, (own,), self._clock())
            account = find_account(connection, person.name)
        if account is None or not self._passwords.verify(account.password, old):
            raise Refusal(403, "old: the password is wrong")
        hashed = self._passwords.hash(new)
        with writing(self._engine) as connection:
            if not _is_unchanged(account, find_account(connection, person.name)):
                raise Refusal(409, "the password was changed meanwhile; log in again")
            throttle.forget(connection, own)
            set_password(connection, person.id, hashed)
            sessions.end_all(connection, person.id, kept=session.digest)


def _is_unchanged(before: Account, now: Account | None) -> bool:
    """Whether what was found right still is: hashing takes long enough for somebody to close the account meanwhile."""
    return now is not None and now.closed_at is None and now.password == before.password
