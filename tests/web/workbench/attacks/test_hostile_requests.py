"""Values that no page sends, in every field, query and id: nothing breaks, and nobody hears of libraries."""

from __future__ import annotations

import json
import logging
import re
from typing import Any

import pytest
from attacked import ANNOTATOR, BODIES, OWNER, Route, World
from visitors import API

SECRET = "sEcReT-9f2c"
# Values as JSON: some cannot be written otherwise.
VALUES = [
    "null",
    "true",
    "-1",
    "1.5",
    "9223372036854775808",
    "9" * 4000,
    "9" * 5000,
    "1e999",
    "NaN",
    "-Infinity",
    '""',
    '"\\u0000"',
    f'"a{SECRET}\\u0000b"',
    '"\\ud800"',
    '"\\u2028\\u202e\\ufeff"',
    json.dumps(f"'; DROP TABLE users; -- {SECRET}"),
    json.dumps(f'" OR 1=1 /* {SECRET}'),
    '"%s %(x)s :id {0} ${x} \\\\"',
    json.dumps("<script>alert(1)</script>" * 3),
    json.dumps("字" * 60_000),
    "[]",
    "{}",
    '["x", 1, null]',
    '{"__proto__": 1, "\\ud800": 2}',
    "[" * 800 + "]" * 800,
    '{"a":' * 300 + "1" + "}" * 300,
]
# Those that a server could take and a database could not; the others come no further with one than with another.
STORED = [value for value in VALUES if value not in ("null", "true", "1.5", "1e999", "NaN", "-Infinity", "[]", "{}")]
PIECES = [
    "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "%00",
    "x%00",
    "%ff%fe",
    "%ed%a0%80",
    "'",
    "%27%20OR%201=1--",
    "%0d%0aX-Evil:%201",
    "x" * 5000,
    "%F0%9F%98%80" * 26,
    "{project_id}",
    "*",
    "0" * 26 + "%20",
    "%2a",
]
LIBRARIES = re.compile(
    r"pydantic|NoneType|Traceback|sqlalchemy|psycopg|sqlite|int_parsing"
    r"|dictionary or instance|Input should|[A-Z]\w+Error"
)


def check(response: Any, *about: Any) -> None:
    """The answer is one line for people, and the server is well."""
    assert response.status_code < 500, (*about, response.text[:200])
    assert "x-evil" not in response.headers
    if response.status_code >= 400:
        detail = response.json()["detail"]
        assert isinstance(detail, str) and len(detail) < 600 and "\n" not in detail, about
        assert not LIBRARIES.search(detail), (*about, detail)


def address_of(world: World, place: str) -> str:
    return world.address(place if place.startswith("/accounts") else API + place)


@pytest.mark.parametrize("route", [route for route in BODIES if route[1] != "/accounts/password"], ids=" ".join)
def test_no_value_of_any_field_breaks_anything(
    stored_world: World, route: Route, caplog: pytest.LogCaptureFixture
) -> None:
    world, (method, place) = stored_world, route
    visitor = world.visit(ANNOTATOR if place.startswith("/tasks") else OWNER)
    headers = {**visitor.headers, "Content-Type": "application/json"}

    def send(body: str, *about: Any) -> int:
        response = visitor.client.request(method, address_of(world, place), headers=headers, content=body.encode())
        check(response, route, *about)
        return int(response.status_code)

    values = VALUES if world.is_sqlite else STORED
    with caplog.at_level(logging.DEBUG):
        for name in [*BODIES[route], "unknown", "\ud800"]:
            world.take_task()
            good = world.body((method, place if place.startswith("/accounts") else API + place))
            assert good is not None
            for value in values:
                status = send(json.dumps({**good, name: SECRET}).replace(f'"{SECRET}"', value), name, value[:60])
                if status == 200 and "version" in good:
                    world.take_task()
                    good = world.body((method, API + place)) or {}
        for body in values:
            assert send(body, body[:60]) >= 400 or body == "{}"
    assert SECRET not in caplog.text
    assert world.visit(OWNER).get(f"/projects/{world.ids['project_id']}")["role"] == "owner"
    assert visitor.get("/projects")


def test_a_task_stays_usable_whatever_its_draft_was(stored_world: World) -> None:
    """A draft can be read that cannot be written again: its owner would never see the task any more."""
    annotator = stored_world.visit(ANNOTATOR)
    task = stored_world.take_task()
    for depth in (1, 19, 21, 240, 260, 900):
        version = annotator.get(task)["version"]
        body = f'{{"version": {version}, "draft": {{"a": {"[" * depth}{"]" * depth}}}}}'
        headers = {**annotator.headers, "Content-Type": "application/json"}
        response = annotator.client.put(f"{API}{task}/draft", headers=headers, content=body)
        assert response.status_code == (200 if depth < 20 else 422)
        assert annotator.post(f"/projects/{stored_world.ids['project_id']}/tasks/next")["task"]["id"]


@pytest.mark.parametrize("value", ["", "-1", "1e3", "9" * 30, "１", "x'--", "%00", "%ed%a0%80", "a%0d%0ab", "[]"])
def test_no_query_breaks_anything(stored_world: World, value: str) -> None:
    owner = stored_world.visit(OWNER)
    project = f"{API}/projects/{stored_world.ids['project_id']}"
    names = {
        "events": ("before", "limit"),
        "items": ("offset", "limit", "state"),
        "export": ("format", "state", "purpose", "names", "gold_for", "answers_of", "stage"),
    }
    for path, asked in names.items():
        for name in asked:
            check(owner.client.get(f"{project}/{path}?{name}={value}"), path, name)
    check(owner.client.get(f"{API}/guidelines?kind={value}&language={value}"))
    for name in ("purpose", "references", "name", "format"):
        address = f"{project}/import?{name}={value}"
        check(owner.client.post(address, headers=owner.headers, content="我走了。".encode()), name)


@pytest.mark.parametrize("piece", PIECES)
def test_no_id_breaks_anything(stored_world: World, piece: str) -> None:
    owner = stored_world.visit(OWNER)
    project = f"{API}/projects/{stored_world.ids['project_id']}"
    for method, address in (
        ("GET", f"{API}/projects/{piece}"),
        ("GET", f"{API}/projects/{piece}/export"),
        ("GET", f"{API}/projects/{piece}/invitations"),
        ("GET", f"{API}/items/{piece}"),
        ("GET", f"{API}/tasks/{piece}"),
        ("POST", f"{API}/tasks/{piece}/release"),
        ("PATCH", f"{project}/members/{piece}"),
        ("DELETE", f"{project}/invitations/{piece}"),
    ):
        response = owner.client.request(method, address, headers=owner.headers, json={})
        check(response, method, piece[:40])
        assert response.status_code in (307, 400, 404, 405), (method, address[:80], response.status_code)


HOSTILE_NAMES = [
    'x"; filename="evil.exe',
    "../../../etc/cron.d/x",
    '=HYPERLINK("http://evil")',
    "a;b=c, d",
    "\u202egpj.exe",
    "名字%0d%0aSet-Cookie: a=b",
    "." * 200,
    "é" * 200,
]


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_the_name_of_a_download_is_one_name(calm_world: World, name: str) -> None:
    owner = calm_world.visit(OWNER)
    project = f"/projects/{calm_world.ids['project_id']}"
    owner.patch(project, {"version": owner.get(project)["version"], "name": name})
    response = owner.client.get(f"{API}{project}/export?format=jsonl", headers=owner.headers)
    header = response.headers["content-disposition"]
    assert re.fullmatch(
        r"attachment; filename=\"[A-Za-z0-9_-]+\.jsonl\"; filename\*=UTF-8''[\w.%~-]+", header, re.ASCII
    )
    assert "set-cookie" not in response.headers and response.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("name", ["a\r\nX: y", "a\nb", "a\0b", "\x1b[31m", "a\x85b"])
def test_no_name_has_line_breaks_or_commands(calm_world: World, name: str) -> None:
    owner, project = calm_world.visit(OWNER), f"/projects/{calm_world.ids['project_id']}"
    owner.patch(project, {"version": owner.get(project)["version"], "name": name}, status=422)
