"""A server that is attacked: a project with people of every kind, and the good request for every route."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from people import PASSWORD
from starlette.routing import Mount
from visitors import API, Visitor, Visitors

from errata.web.accounts.register import Register

STRANGER, LONER, OTHER, REMOVED, CLOSED = "stranger", "loner-1", "owner-2", "annotator-9", "annotator-8"
ANNOTATOR, REVIEWER, OWNER = "annotator-1", "reviewer-1", "owner-1"
# Who may do least comes first: some things can be done once.
PEOPLE = (STRANGER, CLOSED, LONER, OTHER, REMOVED, "annotator-2", REVIEWER, OWNER, ANNOTATOR)
Route = tuple[str, str]

# What a good request has; versions, tokens and ids are filled in.
BODIES: dict[Route, dict[str, Any]] = {
    ("POST", "/accounts/login"): {"name": "nobody-1"},  # half of one: guessing makes everybody wait
    ("POST", "/accounts/password"): {"old": PASSWORD, "new": PASSWORD},
    ("POST", "/accounts/language"): {"language": "en"},
    ("POST", "/accounts/invitation"): {"token": ""},
    ("POST", "/accounts/join"): {"token": ""},
    ("POST", "/projects"): {"name": "x", "kind": "rewrite", "language": "en", "guidelines": "x", "settings": {}},
    ("PATCH", "/projects/{project_id}"): {
        "version": 0,
        "name": "A name",
        "guidelines": "x",
        "settings": {"k": 4, "qualification": {"n": 20, "share": 0.9}, "lease_minutes": 30, "suggestions": True},
    },
    ("PATCH", "/projects/{project_id}/members/{user_id}"): {"role": "annotator", "state": "qualified"},
    ("PATCH", "/items/{item_id}"): {"version": 0, "n_wanted": 4},
    ("POST", "/items/{item_id}/take-away"): {"task_id": ""},
    ("POST", "/items/{item_id}/assign"): {"user_id": ""},
    ("POST", "/projects/{project_id}/delete"): {"name": "A name"},
    ("POST", "/edits"): {"project_id": "", "item_id": "", "source": "他了", "target": "他的"},
    ("PUT", "/tasks/{task_id}/draft"): {"version": 0, "draft": {"a": 1}},
    ("POST", "/tasks/{task_id}/submit"): {
        "version": 0,
        "key": "k",
        "status": "corrected",
        "answers": ["他回了家。"],
        "seconds": 1,
        "comment": "x",
        "is_suggested": False,
    },
    ("POST", "/projects/{project_id}/tasks/next"): {"kind": "annotate"},
    ("POST", "/projects/{project_id}/invitations"): {"role": "annotator", "n_uses": 1, "days": 1},
}


@dataclass
class World:
    """The first annotator holds a task; another was taken out while holding one, and one account was closed."""

    visitors: Visitors
    ids: dict[str, str]
    token: str

    def visit(self, name: str) -> Visitor:
        if name == STRANGER:
            return Visitor(TestClient(self.visitors.app, base_url="http://127.0.0.1"), {})
        return self.visitors.visit(name)

    @property
    def is_sqlite(self) -> bool:
        return bool(self.visitors.app.state.tools.engine.dialect.name == "sqlite")

    def take_task(self) -> str:
        """The address of a task that the annotator holds, the one from before or another."""
        task = self.visit(ANNOTATOR).post(f"/projects/{self.ids['project_id']}/tasks/next")["task"]
        self.ids |= {"task_id": task["id"], "item_id": task["item"]["id"]}
        return f"/tasks/{task['id']}"

    def archive(self) -> None:
        """Put the project away; only then it can be deleted."""
        path = f"/projects/{self.ids['project_id']}"
        version = self.visit(OWNER).get(path)["version"]
        self.visit(OWNER).patch(path, {"version": version, "state": "archived"})

    def address(self, path: str) -> str:
        return path.format(**self.ids)

    def body(self, route: Route) -> dict[str, Any] | None:
        """What the request needs to be a good one; None where it has no JSON."""
        method, path = route
        place = path.removeprefix(API)
        if method in ("GET", "HEAD") or place in ("/projects/{project_id}/import", "/tasks/{task_id}/suggest"):
            return None
        body = dict(BODIES.get((method, place), {}))
        if "token" in body:
            body["token"] = self.token
        if "version" in body:
            body["version"] = self._version(place)
        return {name: self.ids.get(name, value) for name, value in body.items()}

    def _version(self, place: str) -> int:
        name = ANNOTATOR if place.startswith("/tasks/") else OWNER
        thing = "/".join(place.split("/")[:3])
        found = self.visit(name).get(self.address(thing))
        return int(found.get("item", found)["version"] if place.startswith("/items") else found["version"])

    def ask(self, name: str, route: Route, headers: dict[str, str] | None = None) -> Any:
        """The answer to the good request of somebody."""
        method, path = route
        visitor, body = self.visit(name), self.body(route)
        given = (
            {"content": "我们走了。\n".encode()} if path.endswith("/import") else {} if body is None else {"json": body}
        )
        query = {"format": "jsonl"} if path.endswith("/export") else None
        sent = {**visitor.headers, **(headers or {})}
        return visitor.client.request(method, self.address(path), headers=sent, params=query, **given)


def begin(database_url: str) -> Iterator[World]:
    with Visitors(database_url) as visitors:
        members = (ANNOTATOR, "annotator-2", REVIEWER, REMOVED, CLOSED)
        settings = {"suggestions": True, "k": 4}
        # In Chinese: the extractor of English takes seconds to load.
        project_id = visitors.make_project(OWNER, *members, language="zh", settings=settings)
        visitors.make_project(OTHER)
        visitors.visit(LONER)
        owner = visitors.visit(OWNER)
        owner.bring(project_id, "".join(f"他们{number}回家了。\n" for number in range(60)), "name=a.txt")
        owner.patch(f"/projects/{project_id}", {"version": 1, "state": "running"})
        visitors.visit(REMOVED).post(f"/projects/{project_id}/tasks/next")
        task = visitors.visit(ANNOTATOR).post(f"/projects/{project_id}/tasks/next")["task"]
        owner.patch(f"/projects/{project_id}/members/{visitors.visit(REMOVED).id}", {"state": "removed"})
        invited = f"/projects/{project_id}/invitations"
        invitation, revoked = (owner.post(invited, {"role": "annotator", "n_uses": 9}) for _ in range(2))
        register = Register(visitors.app.state.tools.engine, visitors.tick)
        visitors.visit(CLOSED)
        register.close(register.find(CLOSED))
        ids = {"project_id": project_id, "user_id": visitors.visit("annotator-2").id, "item_id": task["item"]["id"]}
        ids |= {"task_id": task["id"], "invitation_id": revoked["id"]}
        yield World(visitors, ids, invitation["link"].partition("#")[2])


def find_routes(app: Any) -> list[Any]:
    """Every route and folder of an app, also those of the routers that parts bring."""
    routers = [getattr(one, "original_router", None) for one in app.routes]
    return [*app.routes, *(route for router in routers if router for route in router.routes)]


def list_routes(app: Any) -> set[Route]:
    """(method, path) of everything that can be asked for, but files of folders."""
    found = set()
    for route in find_routes(app):
        if isinstance(route, APIRoute) or (hasattr(route, "methods") and not isinstance(route, Mount)):
            found |= {(method, route.path) for method in route.methods or ()}
    return found
