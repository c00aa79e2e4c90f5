"""A running server with projects and people, and its pages as tests speak of them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from random import Random
from typing import Any

import httpx
from chromium import TIMEOUT_MS, new_context, watch
from people import PASSWORD, add_person, log_in
from sqlalchemy import text as sql
from table_corrector import load_table
from visitors import Visitor

from errata.web.app import create_app
from errata.web.database import writing
from errata.web.settings import Settings
from errata.web.workbench import members

ZH = ["我门去公园。", "他很很好。", "今天天气好。"]


class Workshop(ExitStack):
    """The app and its people. Names are made unlike any before, so that tests can share one server."""

    def __init__(self, database_url: str) -> None:
        super().__init__()
        self._numbers = count(1)
        self.offset = 0.0
        settings = Settings(models={"en": "en", "zh": "zh"}, database=database_url, access_log=False)
        self.app = create_app(settings, load=load_table, clock=lambda: time.time() + self.offset, rng=Random(0))
        self.address = ""

    def add(self, role: str, *, is_owner: bool = False) -> str:
        """The name of a new person: `annotator-7`."""
        name = f"{role}-{next(self._numbers)}"
        add_person(self.app, name, is_owner=is_owner)
        return name

    def visit(self, name: str) -> Visitor:
        """A person without a browser: asks the API."""
        client = self.enter_context(httpx.Client(base_url=self.address, timeout=60))
        return Visitor(client, log_in(client, name))  # type: ignore[arg-type]

    def make_project(self, lines: list[str], *roles: str, text: str | None = None, **body: Any) -> Project:
        """A running project with these sentences; one new person for each role."""
        owner = self.add("owner", is_owner=True)
        visitor = self.visit(owner)
        asked = {"name": "A project", "kind": "rewrite", "language": "zh", "guidelines": "# 规范\n\n- 少改", **body}
        made = visitor.post("/projects", asked)
        names = [self.add(role) for role in roles]
        for name in names:
            with writing(self.app.state.tools.engine) as connection:
                found = connection.execute(sql("SELECT id FROM users WHERE name = :name"), {"name": name})
                role, now = name.partition("-")[0], time.time() + self.offset
                members.join(connection, made["id"], found.scalar_one(), role, now)
        content = "\n".join(lines) + "\n" if text is None else text
        visitor.bring(made["id"], content, "format=text&name=a.txt")
        visitor.patch(f"/projects/{made['id']}", {"version": made["version"], "state": "running"})
        return Project(made["id"], owner, names, visitor)


class Project:
    """A project of the workshop: who owns it, and who works in it."""

    def __init__(self, id: str, owner: str, names: list[str], visitor: Visitor) -> None:
        self.id, self.owner, self.names, self.visitor = id, owner, names, visitor

    def histories(self) -> list[dict[str, Any]]:
        """Everything done with each item, in order."""
        items = self.visitor.get(f"/projects/{self.id}/items")["items"]
        return [self.visitor.get(f"/items/{item['id']}") for item in items]

    def submissions(self) -> list[dict[str, Any]]:
        return [it for history in self.histories() for it in history["submissions"]]


class Tab:
    """One tab of somebody's browser, on a page of the workbench."""

    def __init__(self, address: str, context: Any) -> None:
        self.server, self.context = address, context
        self.address = f"{address}/workbench/"
        self.page = context.new_page()
        self.problems = watch(self.page)

    def open(self, path: str) -> Tab:
        """Go to a page, and wait until it is there."""
        self.page.goto(self.address + path)
        self.ready()
        return self

    def ready(self) -> None:
        self.page.wait_for_selector("main:not([aria-busy])")

    def log_in(self, name: str) -> Tab:
        """As people do, by keys alone."""
        self.open("login")
        self.page.keyboard.type(name)
        self.page.keyboard.press("Tab")
        self.page.keyboard.type(PASSWORD)
        self.page.keyboard.press("Enter")
        self.page.wait_for_url(lambda url: "login" not in url)
        self.ready()
        return self

    def enter(self, name: str) -> Tab:
        """Be logged in without the page for it, which takes as long as many a test; no page is open yet."""
        answer = self.context.request.post(
            f"{self.server}/accounts/login", data={"name": name, "password": PASSWORD}, timeout=TIMEOUT_MS
        )
        assert answer.ok, answer.text()
        return self

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        self.page.keyboard.insert_text(text)

    def rewrite(self, text: str) -> None:
        """Have another text where the focus is."""
        self.press("Control+a")
        self.type(text)

    @contextmanager
    def saving(self) -> Iterator[None]:
        """Do something that is kept, and wait until the server has it."""
        with self.page.expect_response("**/draft"):
            yield
        self.wait_for_draft("saved")

    def save(self, text: str) -> None:
        """Have another text where the focus is, and on the server."""
        with self.saving():
            self.rewrite(text)

    def wait(self, selector: str, text: str | None = None, n: int | None = None) -> None:
        """Wait until an element is visible (one that contains `text`), or is there `n` times."""
        from playwright.sync_api import expect

        found = self.page.locator(selector)
        if n is not None:
            expect(found).to_have_count(n, timeout=TIMEOUT_MS)
            return
        if text is not None:
            found = found.filter(has_text=text)
        expect(found.first).to_be_attached(timeout=TIMEOUT_MS)
        if text is None:
            expect(found.first).to_be_visible(timeout=TIMEOUT_MS)

    def wait_for_draft(self, state: str) -> None:
        self.page.wait_for_selector(f"[data-draft={state}]")

    def text(self, selector: str) -> str:
        return str(self.page.inner_text(selector))

    @property
    def answers(self) -> list[str]:
        return [str(it.input_value()) for it in self.page.locator(".answer textarea").all()]

    @property
    def source(self) -> str:
        return self.text(".source-text")

    @property
    def focus(self) -> str:
        """What has the focus: its tag, and its name if it has one."""
        found = "() => [document.activeElement.tagName, document.activeElement.getAttribute('aria-label') ?? '']"
        return " ".join(self.page.evaluate(found)).strip()

    def other(self) -> Tab:
        """Another tab of the same browser."""
        return Tab(self.server, self.context)


class Browsers:
    """Opens browsers for people; whatever goes wrong in one of their tabs fails the test."""

    def __init__(self, browser: Any, address: str) -> None:
        self._browser, self._address = browser, address
        self._tabs: list[Tab] = []

    def open(self, name: str | None = None, **options: Any) -> Tab:
        """A browser of its own, logged in if there is a name; it shows nothing yet."""
        return self.keep(Tab(self._address, new_context(self._browser, **options)), name)

    def keep(self, tab: Tab, name: str | None = None) -> Tab:
        self._tabs.append(tab)
        return tab if name is None else tab.enter(name)

    def close(self) -> list[str]:
        """Close all; what went wrong."""
        for tab in self._tabs:
            tab.context.close()
        return [problem for tab in self._tabs for problem in tab.problems]
