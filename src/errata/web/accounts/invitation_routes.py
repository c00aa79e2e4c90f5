"""The routes of invitations: owners make, list and revoke them for their projects, people follow them."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from errata.web.accounts import invitations
from errata.web.accounts.accounts import COOKIE
from errata.web.accounts.answers import address_of, describe, enter, read
from errata.web.accounts.bodies import InvitationBody, JoinBody, TokenBody
from errata.web.accounts.people import Person
from errata.web.database import reading, writing
from errata.web.parts import Tools
from errata.web.refusals import Refusal
from errata.web.workbench import events, permissions

OF_PROJECT = "/workbench/api/projects/{project_id}/invitations"


def add_owners(router: APIRouter, tools: Tools) -> None:
    """Add the routes for owners of projects."""
    accounts = tools.accounts

    @router.post(OF_PROJECT)
    async def make(request: Request, project_id: str) -> dict[str, Any]:
        person = await accounts.require(request)
        body = await read(request, tools, InvitationBody)
        return await tools.database.run(_make, tools, project_id, person, body)

    @router.get(OF_PROJECT)
    async def list_all(request: Request, project_id: str) -> list[dict[str, Any]]:
        person = await accounts.require(request)
        return await tools.database.run(_list, tools, project_id, person)

    @router.delete(f"{OF_PROJECT}/{{invitation_id}}")
    async def revoke(request: Request, project_id: str, invitation_id: str) -> dict[str, Any]:
        person = await accounts.require(request)
        await tools.database.run(_revoke, tools, project_id, person, invitation_id)
        return {}


def add_guests(router: APIRouter, tools: Tools) -> None:
    """Add the routes for people who were sent a link."""
    accounts, joining = tools.accounts, tools.accounts.joining

    @router.post("/accounts/invitation")
    async def look(request: Request) -> dict[str, Any]:
        person = await accounts.find(request)
        body = await read(request, tools, TokenBody)
        invitation, is_member = await tools.database.run(joining.look, body.token, person)
        return {
            "project": {"id": invitation.project_id, "name": invitation.project_name},
            "role": invitation.role,
            "expires_at": invitation.expires_at,
            "is_known": person is not None,
            "is_member": is_member,
        }

    @router.post("/accounts/join")
    async def join(request: Request) -> Response:
        session = await accounts.find_session(request)
        body = await read(request, tools, JoinBody)
        if body.name is not None and body.password is not None:
            arguments = body.token, body.name, body.password, address_of(request), request.cookies.get(COOKIE, "")
            entered, project_id = await accounts.hashing.run(joining.join_newly, *arguments)
            return enter(request, entered, project_id=project_id)
        if body.name is not None or body.password is not None:
            raise Refusal(422, "give a name and a password, or neither if you are logged in")
        if session is None:
            raise Refusal(401, "log in first, or give a name and a password for a new account")
        project_id = await tools.database.run(joining.join, body.token, session.person)
        return JSONResponse({"user": describe(session.person), "csrf": session.csrf, "project_id": project_id})


def _make(tools: Tools, project_id: str, person: Person, body: InvitationBody) -> dict[str, Any]:
    now = tools.clock()
    with writing(tools.engine) as connection:
        permissions.require(connection, person.id, project_id, "invite")
        invitation_id, token = invitations.make(
            connection, project_id, person.id, body.role, n_uses=body.n_uses, days=body.days, now=now
        )
    return {"id": invitation_id, "link": invitations.LINK + token}


def _list(tools: Tools, project_id: str, person: Person) -> list[dict[str, Any]]:
    now = tools.clock()
    with reading(tools.engine) as connection:
        permissions.require(connection, person.id, project_id, "invite")
        found = invitations.list_all(connection, project_id)
    shown = ("id", "role", "n_uses", "n_left", "made_by", "made_at", "expires_at")
    return [{**{name: getattr(one, name) for name in shown}, "state": one.state(now)} for one in found]


def _revoke(tools: Tools, project_id: str, person: Person, invitation_id: str) -> None:
    now = tools.clock()
    with writing(tools.engine) as connection:
        permissions.require(connection, person.id, project_id, "invite")
        invitations.revoke(connection, project_id, invitation_id, now)
        events.add(connection, project_id, "invitation.revoked", now, user_id=person.id, invitation=invitation_id)
