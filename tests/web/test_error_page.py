"""What people and programs read when they do not get what they asked for."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.exc import OperationalError
from table_corrector import load_table

from errata.web.app import create_app
from errata.web.error_page import HOME, LANGUAGES, WORDS, choose_language, error_page, find_words
from errata.web.headers import CONTENT_SECURITY_POLICY
from errata.web.refusals import Refusal
from errata.web.settings import Settings

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}

PARTS_HERE = ("v1", "languagetool", "operations", "playground")  # the paths of the others are this test's own


class Page(HTMLParser):
    """The elements of a page with their attributes, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    app = create_app(Settings(models={"en": "en"}), load_table, PARTS_HERE)

    @app.get("/workbench/api/broken")
    @app.get("/broken")
    async def broken() -> None:
        raise KeyError("colour")

    @app.get("/workbench/api/conflict")
    async def conflict() -> None:
        raise Refusal(409, "somebody changed it", facts={"current": {"version": 2}})

    @app.get("/workbench/api/gone")
    async def gone() -> None:
        raise OperationalError("SELECT secret", {"name": "annotator-1"}, Exception("server closed the connection"))

    @app.get("/number")
    async def number(n: int) -> int:
        return n

    with TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
        yield client


@pytest.mark.parametrize(
    ("method", "path", "accept", "is_page"),
    [
        ("GET", "/nothing", BROWSER["Accept"], True),
        ("GET", "/broken", BROWSER["Accept"], True),
        ("GET", "/workbench/nothing", "text/html", True),
        ("GET", "/static/nothing.js", BROWSER["Accept"], True),
        ("GET", "/nothing", "*/*", False),
        ("GET", "/nothing", "application/json", False),
        ("POST", "/nothing", BROWSER["Accept"], False),
        ("GET", "/v1/nothing", BROWSER["Accept"], False),
        ("GET", "/accounts/nothing", BROWSER["Accept"], False),
        ("GET", "/workbench/api/nothing", BROWSER["Accept"], False),
        ("GET", "/workbench/api/broken", BROWSER["Accept"], False),
    ],
)
def test_people_get_a_page_and_programs_json(client: Any, method: str, path: str, accept: str, is_page: bool) -> None:
    answer = client.request(method, path, headers={"Accept": accept})
    assert answer.status_code == (500 if "broken" in path else 404)
    if is_page:
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert answer.headers["vary"] == "Accept, Accept-Language" and answer.headers["cache-control"] == "no-store"
        assert "colour" not in answer.text and "KeyError" not in answer.text
    else:
        assert list(answer.json()) == ["detail"]


def test_languagetools_clients_get_text(client: Any) -> None:
    answer = client.get("/v2/nothing", headers=BROWSER)
    assert answer.text == "Error: there is nothing at /v2/nothing"


@pytest.mark.parametrize(
    ("asked", "lang", "title"),
    [
        ("", "en", "There is no such page"),
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh-Hans", "没有这个页面"),
        ("en-GB,en;q=0.9,zh;q=0.8", "en", "There is no such page"),
        ("de", "en", "There is no such page"),
    ],
)
def test_the_page_says_what_happened_and_what_to_do(client: Any, asked: str, lang: str, title: str) -> None:
    answer = client.get("/nothing", headers={**BROWSER, "Accept-Language": asked})
    page = Page(answer.text)
    language = "zh" if lang == "zh-Hans" else "en"
    assert ("html", {"lang": lang}) in page.elements and answer.headers["content-language"] == language
    for words in (title, WORDS[404][language].advice, "there is nothing at /nothing", HOME[language], "404"):
        assert words in page.text
    assert ("a", {"href": "/"}) in page.elements


def test_a_conflict_carries_what_there_is_now(client: Any) -> None:
    answer = client.get("/workbench/api/conflict")
    assert answer.status_code == 409
    assert answer.json() == {"detail": "somebody changed it", "current": {"version": 2}}


def test_a_database_that_is_gone_is_told(client: Any, caplog: pytest.LogCaptureFixture) -> None:
    answer = client.get("/workbench/api/gone")
    assert answer.status_code == 503 and answer.headers["retry-after"] == "5"
    assert answer.json() == {"detail": "the database does not answer; try again later"}
    assert "server closed the connection" in caplog.text


def test_a_parameter_that_makes_no_sense_is_one_line(client: Any) -> None:
    answer = client.get("/number", params={"n": "many"})
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith("query.n: ") and "int_parsing" not in answer.text


def test_the_page_loads_nothing_and_its_style_is_allowed() -> None:
    html = error_page(404, "x", language="en")
    elements = Page(html).elements
    assert {tag for tag, _ in elements}.isdisjoint({"script", "img", "iframe", "form"})
    assert [about["href"] for tag, about in elements if tag == "link"] == ["data:,"]
    assert not re.search(r"url\(|@import|http", html)
    [style] = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in CONTENT_SECURITY_POLICY


@given(st.integers(400, 599), st.text(), st.sampled_from(list(LANGUAGES)), st.text())
def test_whatever_is_told_stays_text(status: int, detail: str, language: str, home: str) -> None:
    plain, page = Page(error_page(status, "", language=language)), Page(error_page(status, detail, language=language))
    assert page.elements == plain.elements
    assert ("a", {"href": home}) in Page(error_page(status, "", language=language, home=home)).elements or "\r" in home


@pytest.mark.parametrize("detail", ["<script>alert(1)</script>", "</p><img src=x onerror=y>", "&lt;", '" onload="x'])
def test_markup_in_what_is_told_is_shown(detail: str) -> None:
    assert detail in Page(error_page(404, detail, language="en")).text


def test_every_status_has_words_in_every_language() -> None:
    for words in WORDS.values():
        assert words.keys() == LANGUAGES.keys() == HOME.keys()
    assert find_words(418) == WORDS[400] and find_words(507) == WORDS[500]


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("zh", "zh"),
        ("ZH-hant-TW", "zh"),
        ("en;q=0.5, zh;q=0.8", "zh"),
        ("en;q=0.8, zh;q=0.8", "en"),
        ("zh;q=0", "en"),
        ("zh;q=nan", "en"),
        ("zh;q=1e9", "en"),
        ("zh;q=", "en"),
        ("zh;q=5, en", "zh"),
        ("zhx", "en"),
        ("*", "en"),
        (",".join(["de"] * 50) + ",zh", "en"),
    ],
)
def test_the_language_a_browser_likes_best(asked: str, language: str) -> None:
    assert choose_language(asked) == language


@given(st.one_of(st.text(), st.text(alphabet="enzh-;,q=. 019*")))
def test_any_header_gives_a_language(asked: str) -> None:
    assert choose_language(asked) in LANGUAGES


@given(st.permutations(["en", "zh"]), st.sampled_from(["", "-CN", "-GB"]), st.floats(0.001, 0.999))
def test_the_one_with_more_weight_wins(order: list[str], region: str, weight: float) -> None:
    first, second = order
    assert choose_language(f"{first};q={weight:.3f}, {second}{region};q=1") == second
