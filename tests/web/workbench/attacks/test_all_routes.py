"""Every route of the server, tried by everybody: a route without a row here fails."""

from __future__ import annotations

from typing import Any

import pytest
from attacked import (
    ANNOTATOR,
    CLOSED,
    LONER,
    OTHER,
    OWNER,
    PEOPLE,
    REMOVED,
    REVIEWER,
    STRANGER,
    Route,
    World,
    list_routes,
)
from visitors import API

from errata.web.accounts.accounts import CSRF_HEADER

# Who is let in: everybody, whoever has a session, owners of the site, members, the project's owner, who holds the task.
OPEN, SESSION, SITE_OWNER, MEMBER, OWNER_ONLY, HOLDER = "open", "session", "site owner", "member", "owner", "holder"
SESSIONS = {LONER, OTHER, REMOVED, "annotator-2", REVIEWER, OWNER, ANNOTATOR}
LET_IN: dict[str, set[str]] = {
    OPEN: set(PEOPLE),
    SESSION: SESSIONS,
    SITE_OWNER: {OWNER, OTHER},
    MEMBER: {"annotator-2", REVIEWER, OWNER, ANNOTATOR},
    OWNER_ONLY: {OWNER},
    HOLDER: {ANNOTATOR},
}
PROJECT = f"{API}/projects/{{project_id}}"
TASK, ITEM = f"{API}/tasks/{{task_id}}", f"{API}/items/{{item_id}}"
PAGES = ("", "account", "join", "login", "new", "owner", "project", "review", "work")

# In this order: what ends a task or a session comes last.
ROWS: dict[Route, str] = {
    **{("GET", path): OPEN for path in ("/", "/openapi.json", "/healthz", "/readyz", "/metrics")},
    **{("HEAD", path): OPEN for path in ("/", "/openapi.json", "/healthz", "/readyz")},
    **{(method, f"/workbench/{page}"): OPEN for page in PAGES for method in ("GET", "HEAD")},
    **{("GET", f"/v1/{path}"): OPEN for path in ("info",)},
    **{("POST", f"/v1/{path}"): OPEN for path in ("correct",)},
    **{
        ("GET", f"/v2/{path}"): OPEN
        for path in ("check", "languages", "maxtextlength", "info", "configinfo", "healthcheck", "words")
    },
    **{("POST", f"/v2/{path}"): OPEN for path in ("check", "words/add", "words/delete")},
    ("POST", "/accounts/login"): OPEN,
    ("POST", "/accounts/invitation"): OPEN,
    ("GET", "/accounts/me"): SESSION,
    ("POST", "/accounts/language"): SESSION,
    ("GET", f"{API}/projects"): SESSION,
    ("GET", f"{API}/guidelines"): SESSION,
    ("POST", f"{API}/projects"): SITE_OWNER,
    ("GET", PROJECT): MEMBER,
    ("POST", f"{ITEM}/assign"): OWNER_ONLY,
    ("POST", f"{PROJECT}/tasks/next"): MEMBER,
    ("POST", f"{API}/edits"): MEMBER,
    ("GET", f"{PROJECT}/answers"): MEMBER,
    ("PATCH", PROJECT): OWNER_ONLY,
    ("POST", f"{PROJECT}/import"): OWNER_ONLY,
    ("GET", f"{PROJECT}/members"): OWNER_ONLY,
    ("PATCH", f"{PROJECT}/members/{{user_id}}"): OWNER_ONLY,
    ("GET", f"{PROJECT}/items"): OWNER_ONLY,
    ("GET", f"{PROJECT}/events"): OWNER_ONLY,
    ("GET", f"{PROJECT}/figures"): OWNER_ONLY,
    ("GET", f"{PROJECT}/export"): OWNER_ONLY,
    ("GET", f"{PROJECT}/invitations"): OWNER_ONLY,
    ("POST", f"{PROJECT}/invitations"): OWNER_ONLY,
    ("GET", ITEM): OWNER_ONLY,
    ("PATCH", ITEM): OWNER_ONLY,
    ("GET", TASK): HOLDER,
    ("PUT", f"{TASK}/draft"): HOLDER,
    ("POST", f"{TASK}/extend"): HOLDER,
    ("POST", f"{TASK}/suggest"): HOLDER,
    ("POST", f"{TASK}/submit"): HOLDER,
    ("POST", f"{TASK}/take-back"): HOLDER,
    ("POST", f"{ITEM}/take-away"): OWNER_ONLY,
    ("POST", f"{TASK}/release"): HOLDER,
    ("POST", "/accounts/password"): SESSION,
    ("DELETE", f"{PROJECT}/invitations/{{invitation_id}}"): OWNER_ONLY,
    ("POST", "/accounts/join"): SESSION,
    ("POST", f"{PROJECT}/delete"): OWNER_ONLY,  # once it is archived, which hides it from everybody else
    ("POST", "/accounts/logout"): OPEN,
}
WRITING = [route for route in ROWS if route[0] not in ("GET", "HEAD") and route[1].startswith(("/accounts", API))]
# Joining is for those whom no owner took out; looking at a link and logging in need no session.
DELETE = ("POST", f"{PROJECT}/delete")
# Two have joined by then; and after the owner, there is nothing left to be forbidden.
LAST = {(LONER, DELETE): 403, (OTHER, DELETE): 403, (ANNOTATOR, DELETE): 404}
EXCEPTIONS = {(REMOVED, ("POST", "/accounts/join")): 403, **LAST}


def refusal(name: str, route: Route) -> int:
    """The status of whoever is not let in."""
    if name in (STRANGER, CLOSED):
        return 401
    is_member = name in LET_IN[MEMBER]
    is_told = route == ("POST", f"{API}/projects") or (ROWS[route] == OWNER_ONLY and is_member)
    return 403 if is_told else 404


def test_every_route_has_a_row(calm_world: World) -> None:
    assert list_routes(calm_world.visitors.app) == ROWS.keys()


def test_everybody_tries_everything(world: World) -> None:
    wrong: dict[Any, Any] = {}
    for route, rule in ROWS.items():
        for name in PEOPLE:
            if (name, route) == (OWNER, DELETE):
                world.archive()
            response = world.ask(name, route)
            wanted = EXCEPTIONS.get((name, route), None if name in LET_IN[rule] else refusal(name, route))
            status = response.status_code
            # A good request is let in, or found wrong by the route itself (`/v2/check` without a text).
            is_right = status == wanted if wanted else status < 300 or (rule == OPEN and status in (400, 401, 415, 422))
            if not is_right:
                wrong[name, route] = status, wanted or "let in", response.text[:100]
    assert not wrong


SITES = {
    "origin": {"Origin": "https://evil.example"},
    "no origin": {"Origin": "null"},
    "other port": {"Origin": "http://127.0.0.1:8000"},
    "cross-site": {"Sec-Fetch-Site": "cross-site"},
    "same site": {"Sec-Fetch-Site": "same-site", "Origin": "http://127.0.0.1"},
}


@pytest.mark.parametrize("site", SITES.values(), ids=SITES)
def test_no_page_of_another_site_writes(calm_world: World, site: dict[str, str]) -> None:
    """Not even one that has stolen the CSRF token, and whose browser sends the cookie."""
    for route in WRITING:
        for name in (OWNER, ANNOTATOR):
            assert calm_world.ask(name, route, site).status_code == 403, route


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_no_page_of_another_site_reads_what_is_private(calm_world: World, site: str) -> None:
    for route, rule in ROWS.items():
        if route[0] == "GET" and rule != OPEN:
            response = calm_world.ask(OWNER, route, {"Sec-Fetch-Site": site})
            assert response.status_code == 403 and "access-control-allow-origin" not in response.headers, route


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "json"])
def test_what_a_form_can_send_is_no_json(calm_world: World, kind: str) -> None:
    """A form sends three kinds without asking first; an import is no JSON, so its CSRF token alone guards it."""
    for route in WRITING:
        visitor = calm_world.visit(ANNOTATOR if ROWS[route] == HOLDER else OWNER)
        body = calm_world.body(route)
        if body is None or route[0] != "POST" or route[1].endswith(("/extend", "/release", "/take-back", "/logout")):
            continue
        response = visitor.client.post(
            calm_world.address(route[1]), content=b'{"x": 1}', headers={**visitor.headers, "Content-Type": kind}
        )
        assert response.status_code == 415, route


def test_every_writing_route_needs_the_token_of_its_session(calm_world: World) -> None:
    """Neither none, nor that of another person, nor several of which one is right."""
    foreign = calm_world.visit(OTHER).headers[CSRF_HEADER]
    for route in WRITING:
        if route != ("POST", "/accounts/login"):
            own = calm_world.visit(OWNER).headers[CSRF_HEADER]
            for token in ("", foreign, own[:-1], f"{own}, {own}", own.upper() + "x"):
                assert calm_world.ask(OWNER, route, {CSRF_HEADER: token}).status_code == 403, (route, token)


def test_no_header_makes_one_method_another(calm_world: World) -> None:
    owner = calm_world.visit(OWNER)
    for header in ("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"):
        shown = owner.client.get(f"{calm_world.address(PROJECT)}?_method=DELETE", headers={header: "DELETE"})
        assert shown.status_code == 200 and shown.json()["name"] == "A project"
        hidden = owner.client.post(calm_world.address(PROJECT), headers={**owner.headers, header: "PATCH"}, json={})
        assert hidden.status_code == 405


def test_other_methods_are_refused_without_a_word_of_what_is_there(calm_world: World) -> None:
    owner = calm_world.visit(OWNER)
    for method in ("HEAD", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "BREW"):
        for _, path in ROWS:
            if path.startswith(("/accounts", API)):
                response = owner.client.request(method, calm_world.address(path), headers=owner.headers)
                assert response.status_code == 405 and "回家" not in response.text, (method, path)
                assert "access-control-allow-origin" not in response.headers
