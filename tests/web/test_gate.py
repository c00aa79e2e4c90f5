"""Whose requests are let in: by the name they call the server, and by the site a browser makes them for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from table_corrector import load_table

from errata.web.gate import host_name

CHECK = {"language": "en", "text": "We go."}
ANN = {"username": "ann"}
EXTENSION = "chrome-extension://oldceeleldhonbafppcapldpdifcinji"
ALLOWED = "https://example.org"


@pytest.fixture(scope="module")
def gated() -> Iterator[Any]:
    """A client of a server that goes by another name too, and lets two origins ask."""
    from fastapi.testclient import TestClient

    from errata.web.app import create_app
    from errata.web.settings import Settings

    settings = Settings(models={"en": "en"}, hosts=("errata.example", "127.0.0.1"), cors=(ALLOWED, EXTENSION))
    with TestClient(create_app(settings, load=load_table), base_url="http://127.0.0.1:8081") as client:
        yield client


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8081", 200),
        ("localhost", 200),
        ("LocalHost.:80", 200),
        ("[::1]:8081", 200),
        ("192.168.1.7:8081", 200),
        ("[fe80::1]", 200),
        ("errata.example", 200),
        ("Errata.Example:443", 200),
        ("0.0.0.0:8081", 403),
        ("0.0.0.0.", 403),
        ("[::]:8081", 403),
        ("[0:0:0:0:0:0:0:0]", 403),
        ("[::ffff:0.0.0.0]", 403),
        ("0", 403),
        ("evil.example", 403),
        ("127.0.0.1.evil.example", 403),
        ("evil.localhost", 403),
        ("xerrata.example", 403),
        ("", 400),
        ("evil@127.0.0.1", 400),
        ("[::1", 400),
    ],
)
@pytest.mark.parametrize("path", ["/", "/healthz", "/v1/info", "/v2/languages", "/static/playground.js", "/nothing"])
def test_a_server_answers_to_its_names_only(gated: Any, path: str, host: str, status: int) -> None:
    response = gated.get(path, headers={"Host": host})
    assert response.status_code == (404 if path == "/nothing" and status == 200 else status)
    if status == 403:
        assert "--allow-host" in response.text


@pytest.mark.parametrize(("told", "host"), [("0.0.0.0", "0.0.0.0:8081"), ("::", "[::]:8081")])
def test_a_server_that_listens_everywhere_goes_by_that_address(told: str, host: str) -> None:
    from fastapi.testclient import TestClient

    from errata.web.app import create_app
    from errata.web.settings import Settings

    with TestClient(create_app(Settings(models={"en": "en"}, hosts=(told,)), load=load_table)) as client:
        assert client.get("/v1/info", headers={"Host": host}).status_code == 200


def test_two_names_are_none(gated: Any) -> None:
    assert gated.get("/v1/info", headers=[("Host", "localhost"), ("Host", "evil.example")]).status_code == 400


def test_any_name_is_taken_if_told_so() -> None:
    from fastapi.testclient import TestClient

    from errata.web.app import create_app
    from errata.web.settings import Settings

    app = create_app(Settings(models={"en": "en"}, hosts=("*",)), load=load_table)
    with TestClient(app, base_url="http://whatever.example") as client:
        assert client.get("/v1/info").status_code == 200


@pytest.mark.parametrize(
    ("headers", "is_let_in"),
    [
        ({}, True),  # an editor, curl
        ({"Origin": "http://127.0.0.1:8081"}, True),
        ({"Origin": "http://127.0.0.1:8081", "Sec-Fetch-Site": "same-origin"}, True),
        ({"Origin": "https://proxy.example", "Sec-Fetch-Site": "same-origin"}, True),
        ({"Sec-Fetch-Site": "none"}, True),
        ({"Origin": ALLOWED}, True),
        ({"Origin": ALLOWED, "Sec-Fetch-Site": "cross-site"}, True),
        ({"Origin": EXTENSION, "Sec-Fetch-Site": "cross-site"}, True),
        ({"Origin": "https://evil.example"}, False),
        ({"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}, False),
        ({"Origin": "null"}, False),
        ({"Origin": "http://127.0.0.1:3000"}, False),
        ({"Origin": "http://127.0.0.1:3000", "Sec-Fetch-Site": "same-site"}, False),
        ({"Origin": "moz-extension://1234"}, False),
        ({"Sec-Fetch-Site": "cross-site"}, False),  # an image, a script, a form of old
        ({"Origin": "https://example.org.evil.example"}, False),
    ],
)
def test_pages_of_other_sites_are_refused(gated: Any, headers: dict[str, str], is_let_in: bool) -> None:
    answers = [
        gated.post("/v2/words/add", data={"word": "freind", **ANN}, headers=headers),
        gated.post("/v2/words/delete", data={"word": "freind", **ANN}, headers=headers),
        gated.get("/v2/words", params=ANN, headers=headers),
        gated.post("/v2/check", data={**CHECK, **ANN}, headers=headers),
        gated.get("/v2/check", params=CHECK, headers=headers),
        gated.post("/v1/correct", json={"text": "We go."}, headers=headers),
    ]
    assert {answer.status_code for answer in answers} == {200 if is_let_in else 403}
    if not is_let_in:
        assert answers[0].text.startswith("Error: ") and "--cors" in answers[0].text
        assert "--cors" in answers[-1].json()["detail"]
    assert gated.get("/", headers=headers).status_code == 200  # a link to the page works from everywhere


def test_a_form_of_another_site_changes_nothing(gated: Any) -> None:
    form = {"Origin": "https://evil.example", "Content-Type": "application/x-www-form-urlencoded"}
    assert gated.post("/v2/words/add", content=b"username=ann&word=evil", headers=form).status_code == 403
    assert "evil" not in gated.get("/v2/words", params=ANN).json()["words"]


@pytest.mark.parametrize(
    ("address", "is_refused"),
    [
        ("/workbench/api/projects/%00", True),
        ("/workbench/api/projects/x%00y/items", True),
        ("/%00", True),
        ("/accounts/me?name=a%00", True),
        ("/workbench/api/projects?offset=%00", True),
        ("/workbench/api/projects?offset=%2500", False),
        ("/v2/check?language=en&text=a%00b", False),  # any text can be checked
    ],
)
def test_no_database_is_asked_for_a_nul(gated: Any, address: str, is_refused: bool) -> None:
    assert (gated.get(address).status_code == 400) == is_refused


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("a", "a"),
        ("A.b:1", "a.b"),
        ("a:", "a"),
        ("[::1]:1", "::1"),
        ("a:b", None),
        ("", None),
        (":1", None),
        ("a/b", None),
    ],
)
def test_the_name_in_a_host_header(host: str, name: str | None) -> None:
    assert host_name(host) == name
