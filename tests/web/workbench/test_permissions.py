"""Every route of the workbench, tried by every role and by people who have no business there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from visitors import API, Visitors

from errata.web.workbench.members import ROLES

# Those without a membership first; whoever may do it last, because some things can be done once.
PEOPLE = ("nobody", "stranger-1", "other-owner", "annotator-2", "reviewer-1", "owner-1", "annotator-1")
ANYBODY, SITE_OWNER, HOLDER = "anybody", "site owner", "holder"

# (method, path) → who may: an action of the table of permissions, or one of the words above.
ROUTES: dict[tuple[str, str], str] = {
    ("GET", "/projects"): ANYBODY,
    ("POST", "/projects"): SITE_OWNER,
    ("GET", "/guidelines"): ANYBODY,
    ("GET", "/projects/{project_id}"): "see",
    ("PATCH", "/projects/{project_id}"): "change",
    ("POST", "/projects/{project_id}/import"): "import",
    ("GET", "/projects/{project_id}/members"): "members",
    ("PATCH", "/projects/{project_id}/members/{user_id}"): "members",
    ("GET", "/projects/{project_id}/items"): "items",
    ("GET", "/projects/{project_id}/events"): "events",
    ("POST", "/items/{item_id}/assign"): "items",
    ("GET", "/items/{item_id}"): "items",
    ("PATCH", "/items/{item_id}"): "items",
    ("POST", "/projects/{project_id}/tasks/next"): "work",
    ("POST", "/edits"): "see",
    ("GET", "/projects/{project_id}/answers"): "work",
    ("GET", "/tasks/{task_id}"): HOLDER,
    ("PUT", "/tasks/{task_id}/draft"): HOLDER,
    ("POST", "/tasks/{task_id}/extend"): HOLDER,
    ("POST", "/tasks/{task_id}/suggest"): HOLDER,
    ("POST", "/tasks/{task_id}/submit"): HOLDER,
    ("POST", "/tasks/{task_id}/take-back"): HOLDER,
    ("POST", "/items/{item_id}/take-away"): "items",
    ("POST", "/tasks/{task_id}/release"): HOLDER,
    ("POST", "/projects/{project_id}/delete"): "delete",
    # Other parts of the server, where they are there.
    ("GET", "/projects/{project_id}/invitations"): "invite",
    ("POST", "/projects/{project_id}/invitations"): "invite",
    ("DELETE", "/projects/{project_id}/invitations/{invitation_id}"): "invite",
    ("GET", "/projects/{project_id}/figures"): "figures",
    ("GET", "/projects/{project_id}/export"): "export",
}


@dataclass
class World:
    """A project in which the first annotator holds a task, and another project of another owner."""

    visitors: Visitors
    project_id: str
    task: dict[str, Any]

    def body(self, method: str, path: str) -> dict[str, Any]:
        """What the request needs to be a good one."""
        owner = self.visitors.visit("owner-1")
        version = owner.get(f"/projects/{self.project_id}")["version"]
        item_version = owner.get(f"/items/{self.task['item']['id']}")["item"]["version"]
        task_version = self.visitors.visit("annotator-1").get(f"/tasks/{self.task['id']}")["version"]
        bodies: dict[tuple[str, str], dict[str, Any]] = {
            ("POST", "/projects"): {"name": "x", "kind": "rewrite", "language": "en"},
            ("PATCH", "/projects/{project_id}"): {"version": version, "name": "Another name"},
            ("PATCH", "/projects/{project_id}/members/{user_id}"): {"role": "annotator"},
            ("PATCH", "/items/{item_id}"): {"version": item_version, "n_wanted": 3},
            ("POST", "/items/{item_id}/assign"): {"user_id": self.visitors.visit("annotator-2").id},
            ("POST", "/items/{item_id}/take-away"): {"task_id": self.task["id"]},
            ("POST", "/projects/{project_id}/delete"): {"name": "Another name"},
            ("POST", "/edits"): {"project_id": self.project_id, "source": "a b", "target": "a c"},
            ("PUT", "/tasks/{task_id}/draft"): {"version": task_version, "draft": {}},
            ("POST", "/tasks/{task_id}/submit"): {"version": task_version, "key": "k", "status": "error_free"},
            ("POST", "/projects/{project_id}/invitations"): {"role": "annotator"},
        }
        return bodies.get((method, path), {})

    def ask(self, name: str, method: str, path: str) -> int:
        """The status that somebody gets."""
        address = API + path.format(
            project_id=self.project_id,
            user_id=self.visitors.visit("annotator-2").id,
            item_id=self.task["item"]["id"],
            task_id=self.task["id"],
            invitation_id="0" * 26,
        )
        if path.endswith("/import"):
            given: dict[str, Any] = {"content": b"Some text.\n"}
        else:
            given = {} if method in ("GET", "DELETE") else {"json": self.body(method, path)}
        if name == "nobody":
            client, headers = TestClient(self.visitors.app, base_url="http://127.0.0.1"), {}
        else:
            client, headers = self.visitors.visit(name).client, self.visitors.visit(name).headers
        query = "?format=jsonl" if path.endswith("/export") else ""
        return client.request(method, address + query, headers=headers, **given).status_code


def expected(name: str, rule: str) -> int:
    if name == "nobody":
        return 401
    if rule == ANYBODY:
        return 200
    if rule == SITE_OWNER:
        return 200 if "owner" in name else 403
    if rule == HOLDER:
        return 200 if name == "annotator-1" else 404
    role = name.partition("-")[0]
    if name == "other-owner" or role not in ROLES:
        return 404
    return 200 if role == "owner" or rule in ("see", "work") else 403


@pytest.fixture
def world(database_url: str) -> Iterator[World]:
    with Visitors(database_url) as visitors:
        members = ("annotator-1", "annotator-2", "reviewer-1")
        settings = {"suggestions": True}
        project_id = visitors.make_project("owner-1", *members, settings=settings)
        visitors.make_project("other-owner")
        owner = visitors.visit("owner-1")
        owner.bring(project_id, "He go home.\nShe go home.\n", "name=a.txt")
        owner.patch(f"/projects/{project_id}", {"version": 1, "state": "running"})
        task = visitors.visit("annotator-1").post(f"/projects/{project_id}/tasks/next")["task"]
        yield World(visitors, project_id, task)


def find_routes(visitors: Visitors) -> set[tuple[str, str]]:
    """The routes under the API that the app has, of whatever part."""
    found = set()
    # Newer versions of FastAPI keep an included router as one route.
    included = [getattr(route, "original_router", None) for route in visitors.app.routes]
    inner = [route for router in included if router is not None for route in router.routes]
    for route in [*visitors.app.routes, *inner]:
        if isinstance(route, APIRoute) and route.path.startswith(API):
            found |= {(method, route.path.removeprefix(API)) for method in route.methods}
    return found


def test_every_cell(world: World) -> None:
    routes = find_routes(world.visitors)
    assert len(routes) >= 20 and routes <= ROUTES.keys(), "a route without a row: say who may use it"
    # What ends a task comes last.
    order = [route for route in ROUTES if route in routes]
    wrong = {}
    for method, path in order:
        for name in PEOPLE:
            status = world.ask(name, method, path)
            wanted = expected(name, ROUTES[method, path])
            # The owner asks for an invitation that is not there.
            if method == "DELETE" and wanted == 200:
                wanted = 404
            # Only an archived project is deleted.
            if path.endswith("/delete") and wanted == 200:
                wanted = 409
            if path == "/tasks/{task_id}/release" and wanted == 200:
                assert status == 200
            elif status != wanted:
                wrong[name, method, path] = (status, wanted)
    assert not wrong


def test_what_is_not_yours_looks_like_what_is_not_there(world: World) -> None:
    stranger = world.visitors.visit("stranger-1")
    for there, missing in (
        (f"/projects/{world.project_id}", "/projects/" + "0" * 26),
        (f"/tasks/{world.task['id']}", "/tasks/" + "0" * 26),
        (f"/items/{world.task['item']['id']}", "/items/" + "0" * 26),
        (f"/projects/{world.project_id}/events", f"/projects/{'0' * 26}/events"),
    ):
        assert stranger.get(there, status=404) == stranger.get(missing, status=404)


def test_blind_means_blind(world: World) -> None:
    """An annotator sees nothing of what others answered: not in the task, nor by asking for items or members."""
    holder, other = world.visitors.visit("annotator-1"), world.visitors.visit("annotator-2")
    secret = "He ran to the secret home."
    sent = {"version": 1, "key": "s", "status": "corrected", "answers": [secret], "comment": "secret remark"}
    holder.post(f"/tasks/{world.task['id']}/submit", sent)
    shown = str(other.post(f"/projects/{world.project_id}/tasks/next"))
    shown += str(other.get(f"/projects/{world.project_id}")) + str(other.get("/projects"))
    assert "secret" not in shown and "annotator-1" not in shown


def test_a_writing_request_needs_the_token_of_its_session(world: World) -> None:
    owner = world.visitors.visit("owner-1")
    for headers in ({}, {"X-Errata-CSRF": "other"}):
        response = owner.client.post(f"{API}/projects/{world.project_id}/tasks/next", headers=headers, json={})
        assert response.status_code == 403
