"""The page with editors as tests speak of it."""

from __future__ import annotations

from typing import Any


class Editors:
    """One open page; editors are named by the element they are in: `first`, `second`, `inside` (a dialog)."""

    def __init__(self, page: Any, address: str) -> None:
        self.page, self.address = page, address
        page.goto(address)
        page.wait_for_function("window.isReady")

    def mount(self, name: str, *uses: str, **options: object) -> None:
        """Build an editor that uses `check`, `save`, both or neither."""
        self.page.evaluate("([name, uses, options]) => mount(name, uses, options)", [name, uses, options])

    def call(self, name: str, expression: str, argument: object = None) -> Any:
        """What an expression about the editor `it` gives; `argument` is `x` in it."""
        return self.page.evaluate(f"([name, x]) => {{ const it = editors[name]; {expression} }}", [name, argument])

    def text(self, name: str) -> str:
        """The text, which the text area and the editor agree on."""
        text = self.call(name, "return it.text")
        assert self.page.input_value(f"#{name} textarea") == text
        return str(text)

    def type(self, name: str, text: str) -> None:
        self.page.focus(f"#{name} textarea")
        self.page.keyboard.type(text)

    def paste(self, name: str, text: str) -> None:
        self.page.focus(f"#{name} textarea")
        self.page.keyboard.insert_text(text)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def marks(self, name: str) -> list[str]:
        """The words that are underlined, in order."""
        return list(self.page.locator(f"#{name} .mark").all_inner_texts())

    def wait_for_marks(self, name: str, count: int) -> None:
        from playwright.sync_api import expect

        expect(self.page.locator(f"#{name} .mark")).to_have_count(count)

    def told(self, what: str) -> list[Any]:
        """What the editors did of one kind, in order: the rest of each note."""
        return [note[1:] for note in self.page.evaluate("told") if note[0] == what]

    def wait_for_told(self, what: str, n: int) -> list[Any]:
        self.page.wait_for_function("([what, n]) => told.filter((it) => it[0] === what).length >= n", arg=[what, n])
        return self.told(what)

    def compose(self, text: str) -> None:
        """Have an input method show `text` and go on."""
        place = {"selectionStart": len(text), "selectionEnd": len(text)}
        self.page.context.new_cdp_session(self.page).send("Input.imeSetComposition", {"text": text, **place})
