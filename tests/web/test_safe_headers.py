"""What browsers are told they may do with an answer, and who may read it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.responses import HTMLResponse
from table_corrector import load_table

from errata.web.app import create_app
from errata.web.headers import CONTENT_SECURITY_POLICY, SAFE_HEADERS
from errata.web.settings import Settings

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
ALLOWED = "https://example.org"
PRIVATE_PATHS = ("/accounts/me", "/workbench/api/projects")


@pytest.fixture(scope="module")
def served() -> Iterator[Any]:
    """A client of an app with pages that are there, broken, or private."""
    # Without the parts whose paths are taken below.
    app = create_app(
        Settings(models={"en": "en"}, cors=(ALLOWED,)), load_table, ["v1", "languagetool", "operations", "playground"]
    )

    @app.get("/own-page")
    async def own_page() -> HTMLResponse:
        return HTMLResponse("<p>x", headers={"Content-Security-Policy": "default-src 'none'"})

    @app.get("/workbench/api/broken")
    @app.get("/broken")
    async def broken() -> None:
        raise KeyError("colour")

    @app.get("/accounts/me")
    @app.get("/workbench/api/projects")
    @app.post("/workbench/api/projects")
    @app.put("/workbench/api/projects")
    @app.patch("/workbench/api/projects")
    @app.delete("/workbench/api/projects")
    @app.get("/workbench/home")
    async def private() -> dict[str, str]:
        return {"name": "annotator-1"}

    with TestClient(app, base_url="http://127.0.0.1:8081", raise_server_exceptions=False) as client:
        yield client


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 200),
        ("/static/playground.js", 200),
        ("/static/none.js", 404),
        ("/nothing", 404),
        ("/broken", 500),
        ("/workbench/api/broken", 500),
        ("/accounts/me", 200),
        ("/v1/info", 200),
        ("/v2/check", 400),
        ("/healthz", 200),
    ],
)
def test_every_answer_has_the_headers_once(served: Any, path: str, status: int) -> None:
    answer = served.get(path, headers=BROWSER)
    assert answer.status_code == status
    for name, value in SAFE_HEADERS.items():
        assert answer.headers.get_list(name) == [value]


def test_refusals_at_the_gate_have_them_too(served: Any) -> None:
    refused = served.get("/", headers={**BROWSER, "Host": "evil.example"})
    assert refused.status_code == 403 and refused.headers["content-security-policy"] == CONTENT_SECURITY_POLICY


def test_a_page_may_be_stricter(served: Any) -> None:
    assert served.get("/own-page").headers.get_list("content-security-policy") == ["default-src 'none'"]


def test_the_policy_keeps_scripts_of_others_out() -> None:
    rules = dict(rule.split(" ", 1) for rule in CONTENT_SECURITY_POLICY.split("; "))
    assert rules["default-src"] == "'self'" and "script-src" not in rules
    assert rules["frame-ancestors"] == rules["base-uri"] == rules["object-src"] == "'none'"
    assert "unsafe" not in CONTENT_SECURITY_POLICY and "*" not in CONTENT_SECURITY_POLICY


@pytest.mark.parametrize("path", [*PRIVATE_PATHS, "/workbench/api/broken", "/workbench/api/none", "/accounts/none"])
def test_nobody_keeps_what_is_private(served: Any, path: str) -> None:
    assert served.get(path).headers.get_list("cache-control") == ["no-store"]


def test_pages_may_be_kept_if_they_are_asked_for_again(served: Any) -> None:
    assert served.get("/").headers["cache-control"] == "no-cache"
    assert "cache-control" not in served.get("/v1/info").headers


@pytest.mark.parametrize("path", [*PRIVATE_PATHS, "/", "/static/playground.js", "/workbench/home", "/healthz", "/v1"])
def test_only_the_apis_have_cors(served: Any, path: str) -> None:
    asked = {"Origin": ALLOWED, "Access-Control-Request-Method": "POST"}
    for answer in (served.options(path, headers=asked), served.get(path, headers={"Origin": ALLOWED})):
        assert not [name for name in answer.headers if name.startswith("access-control-")]
    assert served.get("/v1/info", headers={"Origin": ALLOWED}).headers["access-control-allow-origin"] == ALLOWED


OTHER_SITES = [
    {"Origin": "https://evil.example"},
    {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
    {"Origin": ALLOWED},  # it may ask the APIs
    {"Origin": ALLOWED, "Sec-Fetch-Site": "cross-site"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:3000", "Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site"},
]


@pytest.mark.parametrize("headers", OTHER_SITES)
def test_other_sites_may_not_read_what_is_private(served: Any, headers: dict[str, str]) -> None:
    for path in PRIVATE_PATHS:
        refused = served.get(path, headers=headers)
        assert refused.status_code == 403 and "pages of other sites may not ask here" in refused.json()["detail"]
    assert served.get("/", headers=headers).status_code == 200


@pytest.mark.parametrize("headers", OTHER_SITES)
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "FROBNICATE"])
def test_other_sites_write_nothing(served: Any, method: str, headers: dict[str, str]) -> None:
    for path in ("/workbench/api/projects", "/accounts/me", "/", "/nothing", "/workbench/home"):
        assert served.request(method, path, headers=headers).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://127.0.0.1:8081"},
        {"Origin": "http://127.0.0.1:8081", "Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
def test_our_own_pages_and_programs_may(served: Any, method: str, headers: dict[str, str]) -> None:
    assert served.request(method, "/workbench/api/projects", headers=headers).json() == {"name": "annotator-1"}
