"""What tests of accounts ask, of the server and of its database."""

from __future__ import annotations

from typing import Any

from sqlalchemy import text

from errata.web.database import reading, writing
from errata.web.ids import new_id
from errata.web.workbench import members


def ask(app: Any, query: str, **values: Any) -> list[Any]:
    """Rows of the app's database."""
    with reading(app.state.tools.engine) as connection:
        return list(connection.execute(text(query), values))


def try_to_log_in(client: Any, name: str, password: str) -> Any:
    return client.post("/accounts/login", json={"name": name, "password": password})


def id_of(app: Any, name: str) -> str:
    return str(ask(app, "SELECT id FROM users WHERE name = :name", name=name)[0].id)


def add_project(app: Any, owner: str, name: str = "Essays") -> str:
    """The id of a project that a person owns."""
    project_id, user_id = new_id(1.0), id_of(app, owner)
    row = "INSERT INTO projects VALUES (:id, :name, 'rewrite', 'en', 'running', '', '{}', 1, :user_id, 1)"
    with writing(app.state.tools.engine) as connection:
        connection.execute(text(row), {"id": project_id, "name": name, "user_id": user_id})
        members.join(connection, project_id, user_id, "owner", 1.0)
    return project_id


def set_member(app: Any, project_id: str, name: str, *, role: str, state: str = "active") -> None:
    with writing(app.state.tools.engine) as connection:
        user_id = id_of(app, name)
        members.join(connection, project_id, user_id, role, 1.0)
        values = {"project_id": project_id, "user_id": user_id, "state": state}
        connection.execute(
            text("UPDATE members SET state = :state WHERE project_id = :project_id AND user_id = :user_id"), values
        )
