"""What the routes of accounts share: reading bodies, and cookies."""

from __future__ import annotations

from typing import Any, TypeVar

from fastapi import Request, Response
from fastapi.responses import JSONResponse

from errata.web.accounts.accounts import COOKIE
from errata.web.accounts.bodies import MAX_VALUES, Body
from errata.web.accounts.people import Person
from errata.web.accounts.sessions import LONGEST, Entered
from errata.web.json_body import read_json
from errata.web.parts import Tools
from errata.web.requests import read_body

Model = TypeVar("Model", bound=Body)

# No script reads the cookie, and no page of another site makes the browser send it.
FLAGS: dict[str, Any] = {"path": "/", "httponly": True, "samesite": "strict"}


async def read(request: Request, tools: Tools, model: type[Model]) -> Model:
    """The body of a request."""
    content = await read_body(request)
    content_type = request.headers.get("content-type", "")
    return await tools.lanes.choose(content).run(read_json, content_type, content, model, MAX_VALUES)


def enter(request: Request, entered: Entered, **more: Any) -> Response:
    """Tell somebody who they are, and have the browser keep their token where no script can read it."""
    response = JSONResponse({"user": describe(entered.person), "csrf": entered.csrf, **more})
    response.set_cookie(COOKIE, entered.token, max_age=int(LONGEST), secure=_is_secure(request), **FLAGS)
    return response


def leave(request: Request) -> Response:
    """Have the browser forget its token."""
    response = JSONResponse({})
    response.delete_cookie(COOKIE, secure=_is_secure(request), **FLAGS)
    return response


def describe(person: Person) -> dict[str, str | bool]:
    """A person as JSON."""
    return {"id": person.id, "name": person.name, "is_owner": person.is_owner, "language": person.language}


def address_of(request: Request) -> str:
    """The address of the client; behind a proxy, what the proxy says."""
    return request.client.host if request.client else ""


def _is_secure(request: Request) -> bool:
    return request.url.scheme == "https"
