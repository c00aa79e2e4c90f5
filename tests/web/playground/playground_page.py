"""The page as tests speak of it."""

from __future__ import annotations

import json
from typing import Any

from chromium import watch


class Playground:
    """One open page: what it was asked to do, what it asked the server, what went wrong."""

    def __init__(self, context: Any, address: str) -> None:
        self.context, self.address = context, address
        self.requests: list[Any] = []
        self.page = context.new_page()
        self.problems = watch(self.page)
        self.page.on("request", lambda request: self.requests.append(request))
        self.page.goto(address)

    @property
    def questions(self) -> list[dict[str, Any]]:
        """What the server was asked, in order."""
        return [json.loads(it.post_data) for it in self.requests if it.url.endswith("/v1/correct")]

    @property
    def text(self) -> str:
        return str(self.page.input_value("#text"))

    @property
    def marks(self) -> list[str]:
        """The words that are underlined, in order."""
        return list(self.page.locator("#mirror .mark").all_inner_texts())

    @property
    def listed(self) -> list[tuple[str, str]]:
        """What the list proposes: what goes, what comes."""
        parts = "items => items.map(it => ['del', 'ins'].map(t => it.querySelector(t)?.textContent ?? ''))"
        return [tuple(pair) for pair in self.page.locator("#list li").evaluate_all(parts)]

    @property
    def selection(self) -> tuple[int, int]:
        ends = self.page.evaluate(
            "() => { const t = document.getElementById('text'); return [t.selectionStart, t.selectionEnd] }"
        )
        return tuple(ends)

    @property
    def focus(self) -> str:
        """The id of the element that has the focus."""
        return str(self.page.evaluate("() => document.activeElement.id"))

    @property
    def announced(self) -> str:
        return str(self.page.text_content("#announce"))

    def paste(self, text: str) -> None:
        """Put `text` where the caret is, in one go, as a paste does."""
        self.page.focus("#text")
        self.page.keyboard.insert_text(text)

    def leave(self) -> None:
        """Go to another page of the same server, so that the page keeps what it keeps when it is left."""
        self.page.goto(f"{self.address}/healthz")

    def open_settings(self) -> None:
        """Unfold the settings."""
        if self.page.get_attribute("#settings-open", "aria-expanded") == "false":
            self.page.click("#settings-open")

    def undo_everything(self) -> None:
        while self.page.get_attribute("#undo", "aria-disabled") == "false":
            self.press("Control+z")

    def write(self, text: str) -> None:
        """Paste a text and wait until it is checked."""
        self.paste(text)
        self.settle()

    def wait_for(self, selector: str, *, count: int | None = None, text: str | None = None) -> None:
        """Wait until a selector finds `count` elements, or its element says `text`."""
        from playwright.sync_api import expect

        found = expect(self.page.locator(selector))
        if count is not None:
            found.to_have_count(count)
        if text is not None:
            found.to_have_text(text)

    def settle(self) -> None:
        """Wait until everything is checked, or cannot be."""
        self.drawn()
        self.page.wait_for_selector("#state:not([data-state=busy])", state="attached")
        self.drawn()

    def drawn(self) -> None:
        """Wait until the page shows what happened."""
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
        self.drawn()

    def caret(self, position: int) -> None:
        self.page.evaluate(
            "p => { const t = document.getElementById('text'); t.focus(); t.setSelectionRange(p, p) }", position
        )

    def point(self, word: str) -> tuple[float, float]:
        """The middle of an underlined word on the screen."""
        box = self.page.locator("#mirror .mark", has_text=word).first.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def click_mark(self, word: str) -> None:
        self.page.mouse.click(*self.point(word))
        self.page.wait_for_selector("#card:not([hidden])")
