"""The routes under `/accounts`: log in, log out, who am I, passwords."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response

from errata.web.accounts import sessions
from errata.web.accounts.accounts import COOKIE
from errata.web.accounts.answers import address_of, describe, enter, leave, read
from errata.web.accounts.bodies import LanguageBody, LoginBody, PasswordBody
from errata.web.accounts.invitation_routes import add_guests, add_owners
from errata.web.accounts.people import set_language
from errata.web.database import writing
from errata.web.parts import Tools


def add(app: FastAPI, tools: Tools) -> None:
    """Add the routes under `/accounts`, and those of invitations."""
    router = APIRouter(include_in_schema=False)
    _add_sessions(router, tools)
    _add_own(router, tools)
    add_owners(router, tools)
    add_guests(router, tools)
    app.include_router(router)


def _add_sessions(router: APIRouter, tools: Tools) -> None:
    accounts, logins = tools.accounts, tools.accounts.logins

    @router.post("/accounts/login")
    async def log_in(request: Request) -> Response:
        # Without a CSRF token: a session that is still there, perhaps not the person's own, must keep nobody out. A
        # form of another site cannot send JSON, and its cookie would be no cookie of this site.
        body = await read(request, tools, LoginBody)
        old_token = request.cookies.get(COOKIE, "")
        entered = await accounts.hashing.run(logins.log_in, body.name, body.password, address_of(request), old_token)
        return enter(request, entered)

    @router.post("/accounts/logout")
    async def log_out(request: Request) -> Response:
        session = await accounts.find_session(request)
        if session:
            await tools.database.run(_end, tools, session.digest)
        return leave(request)

    @router.get("/accounts/me")
    async def me(request: Request) -> dict[str, Any]:
        session = await accounts.require_session(request)
        return {"user": describe(session.person), "csrf": session.csrf}


def _add_own(router: APIRouter, tools: Tools) -> None:
    accounts, logins = tools.accounts, tools.accounts.logins

    @router.post("/accounts/password")
    async def change_password(request: Request) -> dict[str, Any]:
        session = await accounts.require_session(request)
        body = await read(request, tools, PasswordBody)
        await accounts.hashing.run(logins.change_password, session, body.old, body.new)
        return {}

    @router.post("/accounts/language")
    async def change_language(request: Request) -> dict[str, Any]:
        person = await accounts.require(request)
        body = await read(request, tools, LanguageBody)
        await tools.database.run(_set_language, tools, person.id, body.language)
        return {}


def _end(tools: Tools, token_digest: str) -> None:
    with writing(tools.engine) as connection:
        sessions.end(connection, token_digest)


def _set_language(tools: Tools, user_id: str, language: str) -> None:
    with writing(tools.engine) as connection:
        set_language(connection, user_id, language)
