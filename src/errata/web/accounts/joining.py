"""Joining a project with an invitation: with the account one has, or with a new one."""

from __future__ import annotations

from sqlalchemy import Connection, Engine

from errata.web.accounts import invitations, sessions, throttle
from errata.web.accounts.invitations import Invitation
from errata.web.accounts.names import check_name
from errata.web.accounts.passwords import Passwords, check_password
from errata.web.accounts.people import Person, add_person
from errata.web.accounts.sessions import Entered
from errata.web.accounts.tokens import digest
from errata.web.clock import Clock
from errata.web.database import reading, writing
from errata.web.refusals import Refusal
from errata.web.workbench import members


class Joining:
    """Lets people into projects. `join_newly` hashes a password, the others only ask the database."""

    def __init__(self, engine: Engine, passwords: Passwords, clock: Clock) -> None:
        self._engine, self._passwords, self._clock = engine, passwords, clock

    def look(self, token: str, person: Person | None) -> tuple[Invitation, bool]:
        """The invitation of a token, and whether the person is in its project already."""
        with reading(self._engine) as connection:
            invitation = invitations.find(connection, token, self._clock())
            known = members.find_member(connection, invitation.project_id, person.id) if person else None
        return invitation, known is not None and known.state != members.REMOVED

    def join(self, token: str, person: Person) -> str:
        """The project that somebody is now in."""
        with writing(self._engine) as connection:
            return self._let_in(connection, token, person)

    def join_newly(self, token: str, name: str, password: str, address: str, old_token: str) -> tuple[Entered, str]:
        """A session of a new person, and the project they are now in: both or neither.

        That a name is taken is told to those only who have an invitation, and not too often.
        """
        check_password(password, check_name(name))
        with writing(self._engine) as connection:
            subjects = throttle.by_joining(address), throttle.by_invitation(token)
            tries = throttle.begin_try(connection, subjects, self._clock())
        with reading(self._engine) as connection:  # before hashing: whoever has no invitation gets no work done
            invitations.find(connection, token, self._clock())
        hashed = self._passwords.hash(password)
        with writing(self._engine) as connection:
            person = add_person(connection, name, hashed, self._clock())
            project_id = self._let_in(connection, token, person)
            throttle.strike_out(connection, tries)
            sessions.end(connection, digest(old_token))
            return sessions.begin(connection, person, self._clock()), project_id

    def _let_in(self, connection: Connection, token: str, person: Person) -> str:
        """Use the invitation up, unless the person is in the project already and may do as much there."""
        now = self._clock()
        invitation = invitations.find(connection, token, now)
        known = members.find_member(connection, invitation.project_id, person.id)
        if known and known.state == members.REMOVED:  # an old link must not undo what an owner did
            raise Refusal(403, "an owner has taken you out of this project: ask to be put back")
        if known is None or members.ROLES.index(invitation.role) < members.ROLES.index(known.role):
            invitations.use_up(connection, invitation)
            members.join(connection, invitation.project_id, person.id, invitation.role, now)
        return invitation.project_id
