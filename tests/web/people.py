"""People of tests: they all have the same password, and log in through the real routes."""

from __future__ import annotations

import time
from functools import cache
from typing import Any

from sqlalchemy import Engine

from errata.web.accounts import people
from errata.web.accounts.accounts import CSRF_HEADER
from errata.web.accounts.passwords import Passwords
from errata.web.database import writing

PASSWORD = "correct horse battery"


@cache
def hashed_password() -> str:
    return Passwords().hash(PASSWORD)


def add_person(app_or_engine: Any, name: str, *, is_owner: bool = False) -> None:
    """Give somebody an account, in a database or in that of an app."""
    engine = app_or_engine if isinstance(app_or_engine, Engine) else app_or_engine.state.tools.engine
    with writing(engine) as connection:
        people.add_person(connection, name, hashed_password(), time.time(), is_owner=is_owner)


def log_in(client: Any, name: str) -> dict[str, str]:
    """The headers that requests of this client need from now on; its cookie says who it is."""
    response = client.post("/accounts/login", json={"name": name, "password": PASSWORD})
    assert response.status_code == 200, response.text
    return {CSRF_HEADER: response.json()["csrf"]}
