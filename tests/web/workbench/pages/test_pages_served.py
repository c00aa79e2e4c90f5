"""How the pages are served: at their addresses, with the headers that keep them to this server, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

PAGES = Path(__file__).parents[4] / "src" / "errata" / "web" / "workbench" / "pages"
ADDRESSES = ["", "login", "join", "project", "work", "review", "owner", "new", "account"]


@pytest.mark.parametrize("name", ADDRESSES)
def test_a_page_has_its_address_and_headers(client: Any, name: str) -> None:
    response = client.get(f"/workbench/{name}")
    assert response.status_code == 200 and response.headers["content-type"].startswith("text/html")
    assert response.text == (PAGES / f"{name or 'index'}.html").read_text("utf-8")
    assert "default-src 'self'" in response.headers["content-security-policy"]
    assert client.head(f"/workbench/{name}").status_code == 200


def test_every_page_of_the_folder_is_in_the_table() -> None:
    assert {path.stem for path in PAGES.glob("*.html")} == {name or "index" for name in ADDRESSES}


def test_the_address_without_a_slash_leads_to_the_first_page(client: Any) -> None:
    assert client.get("/workbench").text == (PAGES / "index.html").read_text("utf-8")


@pytest.mark.parametrize("name", ["work.js", "workbench.css", "messages/common.js"])
def test_scripts_and_styles_are_asked_for_again_after_an_update(client: Any, name: str) -> None:
    response = client.get(f"/workbench/static/{name}")
    assert response.status_code == 200 and response.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("name", ["__init__.py", "..%2froutes.py", "../routes.py", "messages", "nothing.js"])
def test_nothing_else_is_served(client: Any, name: str) -> None:
    assert client.get(f"/workbench/static/{name}").status_code == 404
