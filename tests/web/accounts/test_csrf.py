"""A request that writes comes from a page of the session, or is refused."""

from __future__ import annotations

from typing import Any

import pytest
from account_checks import add_project
from people import PASSWORD, add_person, log_in

from errata.web.accounts.accounts import CSRF_HEADER

WRITING = {
    "logout": ("POST", "/accounts/logout", {}),
    "password": ("POST", "/accounts/password", {"old": PASSWORD, "new": "another good one"}),
    "language": ("POST", "/accounts/language", {"language": "zh"}),
    "look": ("POST", "/accounts/invitation", {"token": "x"}),
    "join": ("POST", "/accounts/join", {"token": "x"}),
    "invite": ("POST", "/workbench/api/projects/PROJECT/invitations", {"role": "reviewer"}),
    "revoke": ("DELETE", "/workbench/api/projects/PROJECT/invitations/x", {}),
}


@pytest.mark.parametrize("route", WRITING.values(), ids=WRITING)
def test_nothing_is_written_without_the_token_of_the_session(app: Any, open_client: Any, route: Any) -> None:
    method, path, body = route
    add_person(app, "owner-1")
    project_id = add_project(app, "owner-1")
    client, other = open_client(), open_client()
    own, others = log_in(client, "owner-1"), log_in(other, "owner-1")
    address = path.replace("PROJECT", project_id)
    for headers in ({}, {CSRF_HEADER: ""}, {CSRF_HEADER: "wrong"}, {CSRF_HEADER: "é".encode()}, others):
        refused = client.request(method, address, json=body, headers=headers)
        assert refused.status_code == 403 and CSRF_HEADER in refused.json()["detail"]
    me = client.get("/accounts/me").json()
    assert me["user"]["language"] == "" and me["csrf"] == own[CSRF_HEADER]
    assert client.get(f"/workbench/api/projects/{project_id}/invitations").json() == []
    assert client.request(method, address, json=body, headers=own).status_code in (200, 404)


def test_every_route_that_writes_is_in_the_table(app: Any) -> None:
    """Logging in is not: a session that is there must keep nobody out."""
    paths = {
        (method, getattr(route, "path", "").replace("{project_id}", "PROJECT").replace("{invitation_id}", "x"))
        for route in find_routes(app)
        for method in getattr(route, "methods", None) or ()
        if method not in ("GET", "HEAD")
    }
    ours = {(method, path) for method, path in paths if path.startswith("/accounts") or "/invitations" in path}
    assert ours - {("POST", "/accounts/login")} == {(method, path) for method, path, _ in WRITING.values()}


def find_routes(app: Any) -> list[Any]:
    """Every route of an app, also those of the routers that parts bring."""
    routers = [getattr(one, "original_router", None) for one in app.routes]
    return [*app.routes, *(route for router in routers if router for route in router.routes)]


def test_only_json_logs_in(app: Any, visitor: Any) -> None:
    """A form of another site can send these, and no other kinds."""
    add_person(app, "annotator-1")
    body = '{"name": "annotator-1", "password": "' + PASSWORD + '"}'
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a", ""):
        response = visitor.post("/accounts/login", content=body, headers={"Content-Type": kind})
        assert response.status_code == 415 and "set-cookie" not in response.headers
