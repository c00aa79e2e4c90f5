"""People in front of an app: each with a client of their own, logged in through the real routes."""

from __future__ import annotations

from contextlib import ExitStack
from random import Random
from typing import Any

from fastapi.testclient import TestClient
from people import add_person, log_in
from table_corrector import load_table

from errata.web.app import create_app
from errata.web.database import writing
from errata.web.settings import Settings
from errata.web.workbench import members

API = "/workbench/api"


class Visitor:
    """A person's client: paths are those under the API, answers are JSON."""

    def __init__(self, client: TestClient, headers: dict[str, str]) -> None:
        self.client, self.headers = client, headers

    def ask(self, method: str, path: str, *, status: int = 200, **options: Any) -> Any:
        response = self.client.request(method, API + path, headers=self.headers, **options)
        assert response.status_code == status, response.text
        return response.json()

    def get(self, path: str, **options: Any) -> Any:
        return self.ask("GET", path, **options)

    def post(self, path: str, body: Any = None, **options: Any) -> Any:
        return self.ask("POST", path, json={} if body is None else body, **options)

    def patch(self, path: str, body: Any, **options: Any) -> Any:
        return self.ask("PATCH", path, json=body, **options)

    def put(self, path: str, body: Any, **options: Any) -> Any:
        return self.ask("PUT", path, json=body, **options)

    def bring(self, project_id: str, content: str | bytes, query: str = "", **options: Any) -> Any:
        data = content.encode() if isinstance(content, str) else content
        return self.ask("POST", f"/projects/{project_id}/import?{query}", content=data, **options)

    @property
    def id(self) -> str:
        return str(self.client.get("/accounts/me").json()["user"]["id"])


class Visitors(ExitStack):
    """An app over table correctors, and the people who visit it; `now` is its time."""

    def __init__(self, database_url: str, now: float = 1_000_000.0) -> None:
        super().__init__()
        self.now = now
        settings = Settings(models={"en": "en", "zh": "zh"}, database=database_url, access_log=False)
        self.app = create_app(settings, load=load_table, clock=self.tick, rng=Random(0))
        self.enter_context(TestClient(self.app))
        self._known: dict[str, Visitor] = {}

    def tick(self) -> float:
        self.now += 0.01
        return self.now

    def visit(self, name: str) -> Visitor:
        if name not in self._known:
            client = TestClient(self.app, base_url="http://127.0.0.1")
            add_person(self.app, name, is_owner="owner" in name)
            self._known[name] = Visitor(client, log_in(client, name))
        return self._known[name]

    def make_project(self, owner: str, *names: str, **body: Any) -> str:
        """A project with these people in it, by their names (`reviewer-1`)."""
        body = {"name": "A project", "kind": "rewrite", "language": "en", **body}
        project_id = str(self.visit(owner).post("/projects", body)["id"])
        for name in names:
            user_id, role = self.visit(name).id, name.partition("-")[0]
            with writing(self.app.state.tools.engine) as connection:
                members.join(connection, project_id, user_id, role, self.now)
        return project_id
