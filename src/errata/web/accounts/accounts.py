"""Who asks: the session of a request, for every part of the server."""

from __future__ import annotations

import secrets
from contextlib import suppress

from fastapi import Request
from sqlalchemy import Engine
from sqlalchemy.exc import InternalError, OperationalError

from errata.web.accounts import sessions
from errata.web.accounts.joining import Joining
from errata.web.accounts.logins import Logins
from errata.web.accounts.passwords import Passwords
from errata.web.accounts.people import Person
from errata.web.accounts.sessions import Session
from errata.web.clock import Clock
from errata.web.database import reading, writing
from errata.web.refusals import Refusal
from errata.web.threads import Threads

COOKIE, CSRF_HEADER = "errata_session", "X-Errata-CSRF"
# What only reads: a page of another site gains nothing by asking for it, since it cannot read the answer.
READING = frozenset({"GET", "HEAD"})
# Passwords that are hashed at a time, and that may wait: the last one waits for some two seconds. A class may log in
# at once; a flood gets 503, and whoever is logged in does not notice it.
HASH_THREADS, HASH_QUEUE = 2, 62


class Accounts:
    """The people of a server. `find` and `require` say who asks; what hashes passwords runs in `hashing`."""

    def __init__(self, engine: Engine, database: Threads, clock: Clock, passwords: Passwords | None = None) -> None:
        self._engine, self._database, self._clock = engine, database, clock
        self.passwords = passwords or Passwords()
        self.logins = Logins(engine, self.passwords, clock)
        self.joining = Joining(engine, self.passwords, clock)
        self.hashing = Threads("hashing", n_threads=HASH_THREADS, capacity=HASH_THREADS + HASH_QUEUE)

    async def find(self, request: Request) -> Person | None:
        """Who asks; None is somebody who is not logged in. See `find_session`."""
        session = await self.find_session(request)
        return session.person if session else None

    async def require(self, request: Request) -> Person:
        """Who asks; refused where nobody is logged in. See `find_session`."""
        return (await self.require_session(request)).person

    async def require_session(self, request: Request) -> Session:
        session = await self.find_session(request)
        if session is None:
            raise Refusal(401, "log in first")
        return session

    async def find_session(self, request: Request) -> Session | None:
        """The session of a request. One that may write is refused unless it carries the session's own CSRF token."""
        token = request.cookies.get(COOKIE, "")
        session = await self._database.run(self._find, token) if token else None
        if session and request.method not in READING:
            shown = request.headers.get(CSRF_HEADER, "").encode()
            if not secrets.compare_digest(shown, session.csrf.encode()):
                raise Refusal(403, f"this request is of another session (see {CSRF_HEADER}): reload the page")
        return session

    def close(self) -> None:
        self.hashing.close()

    def _find(self, token: str) -> Session | None:
        now = self._clock()
        with reading(self._engine) as connection:
            session = sessions.find(connection, token, now)
        if session and sessions.is_to_be_seen(session, now):
            # Not now is soon enough: who only reads need not wait for an import, nor for room on the disk.
            with suppress(Refusal, OperationalError, InternalError), writing(self._engine, seconds=0) as connection:
                sessions.see(connection, session, now)
        return session
