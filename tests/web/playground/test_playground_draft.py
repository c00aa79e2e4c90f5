"""The playground page: what stays in the browser when the page is loaded again, and what does not."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from chromium import wait_until
from playground_page import Playground

TEXT = "He go to teh park.\nShe met her freinds there."
SLOTS = "Object.keys(localStorage).filter((key) => key.startsWith('errata.draft.'))"


def slots(page: Playground) -> list[dict[str, Any]]:
    """The drafts that the browser keeps."""
    return [json.loads(it) for it in page.page.evaluate(f"{SLOTS}.map((key) => localStorage.getItem(key))")]


def kept_texts(page: Playground) -> list[str]:
    return sorted(it["kept"]["text"] for it in slots(page))


def wait_until_kept(page: Playground, *texts: str) -> None:
    """Wait until the browser keeps drafts of these texts, in the order of letters, and no others."""
    wait_until(page.page, lambda: kept_texts(page) == list(texts))


def test_dismissals_and_acceptances_survive_a_reload(page: Playground) -> None:
    page.write("😀 " + TEXT)
    page.page.click("#list li:nth-child(2) [data-action=dismiss]")
    page.page.click("#list li:nth-child(1) [data-action=accept]")
    page.settle()
    page.page.reload()
    page.settle()
    assert page.text == "😀 He goes to teh park.\nShe met her freinds there." and page.marks == ["freinds"]
    assert not page.page.is_visible("#restored")
    page.page.click("#tab-compare")
    page.drawn()
    assert page.page.inner_text("#compare-rows tr:first-child td:first-child") == "😀 He go to teh park."


def test_a_dismissal_alone_is_kept_without_any_typing(page: Playground) -> None:
    page.write(TEXT)
    page.page.reload()
    page.settle()
    page.page.click("#dismiss-all")
    wait_until(page.page, lambda: len(slots(page)[0]["kept"]["dismissed"]) == 3)


def test_a_draft_survives_its_tab(open_page: Callable[..., Playground]) -> None:
    page = open_page()
    page.write(TEXT)
    page.page.click("#list li:first-child [data-action=dismiss]")
    page.leave()
    page.page.close()
    other = Playground(page.context, page.address)
    other.settle()
    assert other.text == TEXT and other.marks == ["teh", "freinds"]
    assert other.page.inner_text("#restored p") == "This is your draft from last time."
    third = Playground(page.context, page.address)
    assert third.text == "" and not third.page.is_visible("#restored")  # it has its tab
    other.page.click("#start-afresh")
    assert other.text == "" and not other.page.is_visible("#restored") and slots(other) == []
    other.press("Control+z")
    assert other.text == TEXT
    assert other.problems == third.problems == []


def test_what_is_cleared_is_not_kept(page: Playground) -> None:
    page.write(TEXT)
    page.page.click("#list li:first-child [data-action=dismiss]")
    wait_until_kept(page, TEXT)
    page.page.click("#clear")
    assert slots(page) == []
    page.page.reload()
    page.settle()
    assert page.text == "" and page.page.is_visible("#start")


def test_a_draft_is_never_sent(page: Playground) -> None:
    page.write(TEXT)
    page.page.click("#dismiss-all")
    page.page.reload()
    page.settle()
    sent = [it.url for it in page.requests if it.method not in ("GET", "HEAD")]
    assert {url.removeprefix(page.address) for url in sent} == {"/v1/correct"}
    assert {key for it in page.questions for key in it} == {"texts", "language", "preset", "messages", "dictionary"}


def test_tabs_keep_their_own_texts(page: Playground) -> None:
    page.write("One teh.")
    other = Playground(page.context, page.address)
    assert other.text == ""
    other.write("Two teh.")
    wait_until_kept(page, "One teh.", "Two teh.")
    for it, text in ((page, "One teh."), (other, "Two teh.")):
        it.page.reload()
        assert it.text == text
    other.leave()
    other.page.close()


def test_a_copy_of_a_tab_does_not_write_over_it(open_page: Callable[..., Playground]) -> None:
    page = open_page()
    page.write("One teh.")
    wait_until_kept(page, "One teh.")
    tab = page.page.evaluate("sessionStorage.getItem('errata.tab')")
    page.context.add_init_script(
        f"sessionStorage.getItem('errata.tab') ?? sessionStorage.setItem('errata.tab', '{tab}')"
    )
    other = Playground(page.context, page.address)  # as "Duplicate tab" does
    assert other.text == "One teh."
    other.page.fill("#text", "Two teh.")
    wait_until_kept(page, "One teh.", "Two teh.")
    assert page.text == "One teh."
    for it, text in ((page, "One teh."), (other, "Two teh.")):
        it.page.reload()
        assert it.text == text
    assert other.problems == []


def test_a_draft_that_is_taken_over_too_early_is_not_lost(page: Playground) -> None:
    """A tab that slept for hours looks as if it were gone."""
    page.write("One teh.")
    wait_until_kept(page, "One teh.")
    page.page.evaluate(
        f"""() => {{
          const [key] = {SLOTS};
          const entry = JSON.parse(localStorage.getItem(key));
          entry.about.savedAt -= 2 * 3600 * 1000;
          localStorage.setItem(key, JSON.stringify(entry));
        }}"""
    )
    other = Playground(page.context, page.address)
    assert other.text == "One teh."
    other.page.fill("#text", "Two teh.")
    wait_until_kept(page, "One teh.", "Two teh.")
    other.leave()
    other.page.close()


def test_a_text_that_is_too_long_is_not_kept_and_that_is_said(page: Playground) -> None:
    page.page.route("**/v1/correct", lambda route: None)
    page.page.fill("#text", "Short.")
    wait_until_kept(page, "Short.")
    assert page.page.inner_text("#unkept") == ""
    page.page.fill("#text", "word " * 40_001)
    page.wait_for("#unkept", text="Too long to keep: a reload would lose this text")
    assert slots(page) == []
    page.wait_for("#announce", text=page.page.inner_text("#unkept"))
    page.page.fill("#text", "Short again.")
    wait_until_kept(page, "Short again.")
    assert page.page.inner_text("#unkept") == ""


def test_a_browser_that_keeps_nothing_is_said(page: Playground) -> None:
    page.page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('full') } }")
    page.write(TEXT)
    wait_until(page.page, lambda: "does not keep drafts" in page.page.inner_text("#unkept"))
    assert page.marks == ["go", "teh", "freinds"]


@pytest.mark.parametrize(
    "entry",
    [
        "nonsense",
        "[]",
        '{"about": {"isOpen": false}, "kept": {"text": 3}}',
        '{"about": null, "kept": {"text": "He go."}}',
    ],
)
def test_what_somebody_else_left_is_no_draft(page: Playground, entry: str) -> None:
    page.page.evaluate("entry => localStorage.setItem('errata.draft.x', entry)", entry)
    other = Playground(page.context, page.address)
    assert other.text == "" and other.problems == []
    other.page.close()


def test_spans_that_do_not_fit_are_left_out(page: Playground) -> None:
    spans = [{"start": 3, "end": 5, "replacement": "goes"}, {"start": 1, "end": 2, "replacement": ""}, {"start": 90}, 7]
    kept = {"text": "He go.", "accepted": "no", "dismissed": spans}
    entry = json.dumps({"about": {"isOpen": False, "savedAt": 1}, "kept": kept})
    page.page.evaluate("entry => localStorage.setItem('errata.draft.x', entry)", entry)
    other = Playground(page.context, page.address)
    other.settle()
    assert other.text == "He go." and other.marks == [] and other.problems == []
    other.leave()
    other.page.close()
