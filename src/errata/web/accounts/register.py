"""The register of accounts, for whoever runs the server: add, list, close, new passwords."""

from __future__ import annotations

from sqlalchemy import Engine

from errata.errors import find_nearest
from errata.web.accounts import people, sessions
from errata.web.accounts.names import check_name, fold_name
from errata.web.accounts.passwords import Passwords, check_password
from errata.web.accounts.people import Listed, Person
from errata.web.clock import Clock
from errata.web.database import reading, writing
from errata.web.refusals import Refusal


class Register:
    """Everybody with an account in a database."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self._engine, self._clock = engine, clock

    def check_free(self, name: str) -> str:
        """The name as it will be shown; refused where somebody has it."""
        shown = check_name(name)
        with reading(self._engine) as connection:
            if people.find_account(connection, shown):
                raise Refusal(409, f"name: {shown} is taken; choose another")
        return shown

    def add(self, name: str, password: str, *, is_owner: bool) -> Person:
        """A new person, whose password is checked and hashed."""
        hashed = Passwords().hash(check_password(password, name))
        with writing(self._engine) as connection:
            return people.add_person(connection, name, hashed, self._clock(), is_owner=is_owner)

    def find(self, name: str) -> Person:
        """Whoever has the name; refused where nobody has it, or the account is closed."""
        with reading(self._engine) as connection:
            account = people.find_account(connection, name)
            names = [one.person.name for one in people.list_people(connection)]
        if account is None:
            near = find_nearest(fold_name(name), names)
            raise Refusal(
                404, f"nobody is called {name!r}; {f'did you mean {near}?' if near else 'see errata users list'}"
            )
        if account.closed_at is not None:
            raise Refusal(409, f"the account of {account.person.name} is closed")
        return account.person

    def set_password(self, person: Person, password: str) -> None:
        """Give somebody another password; their sessions end."""
        hashed = Passwords().hash(check_password(password, person.name))
        with writing(self._engine) as connection:
            people.set_password(connection, person.id, hashed)
            sessions.end_all(connection, person.id)

    def close(self, person: Person) -> None:
        """Let somebody in no more; their sessions end, what they wrote stays."""
        with writing(self._engine) as connection:
            people.close_account(connection, person.id, self._clock())
            sessions.end_all(connection, person.id)

    def list(self) -> list[Listed]:
        with reading(self._engine) as connection:
            return people.list_people(connection)
