"""The playground page: several changes at once, one kind at a time, and several suggestions for one finding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playground_page import Playground

MANY = "\n".join(f"Line {n}: an park, he had no freinds." for n in range(12))
MIXED = "He go to freinds in an park. Her freinds met our freinds."
FIXED_SPELLING = "He go to friends in an park. Her friends met our friends."


def offer(page: Playground, **alternatives: Any) -> None:
    """Have the server's answers offer other replacements for some words."""

    def answer(route: Any) -> None:
        response = route.fetch()
        body = response.json()
        for edit in (edit for result in body["results"] for edit in result["edits"]):
            edit.pop("alternatives", None)
            if edit["original"].strip() in alternatives:
                edit["alternatives"] = alternatives[edit["original"].strip()]
        route.fulfill(response=response, json=body)

    page.page.route("**/v1/correct", answer)


def offered(page: Playground, place: str) -> list[str]:
    return list(page.page.locator(f"{place} .choice span").all_inner_texts())


def test_many_changes_are_asked_about_first(page: Playground) -> None:
    page.write(MANY)
    page.page.click("#accept-all")
    assert page.page.inner_text("#confirm-title") == "Make 24 changes?"
    assert page.page.locator("#confirm-details li").all_inner_texts() == ["Spelling\n12", "Grammar\n12"]
    assert page.text == MANY
    page.press("Escape")
    assert not page.page.is_visible("#confirm") and page.text == MANY and page.focus == "accept-all"
    page.press("Enter")
    assert page.focus == "confirm-yes"
    page.press("Shift+Tab")
    assert page.focus == "confirm-no"
    page.press("Tab", "Enter")
    assert "an park" not in page.text and "freinds" not in page.text
    assert page.announced.startswith("24 changes accepted")
    page.press("Control+z")
    assert page.text == MANY


def test_few_changes_are_not_asked_about(page: Playground) -> None:
    page.write("\n".join(["teh"] * 20))
    page.page.click("#accept-all")
    assert not page.page.is_visible("#confirm") and page.text == "\n".join(["the"] * 20)


def test_one_kind_is_accepted_from_the_card(page: Playground) -> None:
    page.write(MIXED)
    page.click_mark("freinds")
    assert page.page.inner_text("#card-kind-all") == "Accept all spelling (3)"
    page.page.click("#card-kind-all")
    assert page.text == FIXED_SPELLING
    page.drawn()
    assert page.marks == ["go", "an"]  # what was left alone is still marked before the server answers again
    page.settle()
    page.press("Control+z")
    page.settle()
    assert page.text == MIXED and page.marks == ["go", "freinds", "an", "freinds", "freinds"]


def test_the_only_one_of_its_kind_is_just_accepted(page: Playground) -> None:
    page.write("He go to freinds.")
    page.click_mark("go")
    assert not page.page.is_visible("#card-kind-all")


def test_many_of_a_kind_are_asked_about_from_the_card_too(page: Playground) -> None:
    page.write("\n".join(["freinds"] * 21) + "\nHe go.")
    page.click_mark("freinds")
    page.page.click("#card-kind-all")
    assert page.page.inner_text("#confirm-title") == "Make 21 changes?"
    page.press("Enter")
    assert page.text == "\n".join(["friends"] * 21) + "\nHe go."


def test_one_kind_is_listed_accepted_and_dismissed(page: Playground) -> None:
    page.write(MIXED)
    chips = page.page.locator("#filter button")
    assert chips.all_inner_texts() == ["Spelling\n3", "Grammar\n2"]
    page.page.click("#filter [data-kind=spelling]")
    page.drawn()
    assert page.page.get_attribute("#filter [data-kind=spelling]", "aria-pressed") == "true"
    assert page.listed == [("freinds", "friends")] * 3
    assert page.page.inner_text("#accept-all") == "Accept 3" and len(page.marks) == 5
    page.page.click("#accept-all")
    page.settle()
    assert page.text == FIXED_SPELLING
    assert page.listed == [("go", "goes"), ("an", "a")]  # with the last one gone, all kinds are listed again
    page.press("Control+z")
    page.settle()
    page.page.click("#filter [data-kind=grammar]")
    page.drawn()
    page.page.click("#dismiss-all")
    page.settle()
    assert page.text == MIXED and page.marks == ["freinds"] * 3
    assert page.page.inner_text("#accept-all") == "Accept all"


def test_an_insertion_that_was_accepted_is_not_offered_again(page: Playground) -> None:
    page.write("I went school. He go.")
    page.page.route("**/v1/correct", lambda route: None)  # the server takes its time
    page.page.click("#list li:first-child [data-action=accept]")
    page.drawn()
    assert page.text == "I went to school. He go." and page.listed == [("go", "goes")]


def test_other_suggestions_are_buttons_in_card_and_list(page: Playground) -> None:
    offer(page, go=["went", "is going", "went", "go", "goes", "x\ny", 3], freinds=None)
    page.write(MIXED)
    assert offered(page, "#list li:first-child") == ["went", "is going"]  # each once, and only what changes something
    assert offered(page, "#list li:nth-child(2)") == []
    page.click_mark("go")
    assert page.page.inner_text("#card-change") == "go → goes"
    assert offered(page, "#card-choices") == ["went", "is going"]
    label = page.page.get_attribute("#card-choices button:nth-child(2)", "aria-label")
    assert label == "Accept: replace “go” with “is going”"
    page.page.click("#card-choices button:nth-child(2)")
    assert page.text == MIXED.replace("He go", "He is going") and page.focus == "text"
    page.press("Control+z")
    page.settle()
    page.page.click("#list li:first-child .choice >> nth=0")
    assert page.text == MIXED.replace("He go", "He went")
    page.settle()
    page.click_mark("freinds")
    assert not page.page.is_visible("#card-choices")


@pytest.mark.parametrize(("key", "chosen"), [("1", "goes"), ("2", "went"), ("3", "is going"), ("4", "go")])
def test_keys_choose_among_suggestions(page: Playground, key: str, chosen: str) -> None:
    offer(page, go=["went", "is going"])
    page.write(MIXED)
    page.caret(0)
    page.press("Alt+ArrowDown", key)
    assert page.text == MIXED.replace("He go", f"He {chosen}")
    assert page.page.inner_text("#card-change") == ("go → goes" if chosen == "go" else "freinds → friends")
    page.settle()


def test_keys_choose_in_the_list_and_write_in_the_text(page: Playground) -> None:
    offer(page, go=["went"])
    page.write(MIXED)
    page.page.focus("#list li:first-child .go")
    page.press("2")
    assert page.text == MIXED.replace("He go", "He went")
    page.caret(0)
    page.press("2")
    assert page.text.startswith("2He went")
    page.settle()


def test_an_alternative_may_remove_words_and_is_never_markup(page: Playground) -> None:
    offer(page, teh=["", "<img src=x onerror=window.hit=1>"])
    page.write("to teh park")
    page.click_mark("teh")
    assert offered(page, "#card-choices") == ["remove", "<img src=x onerror=window.hit=1>"]
    assert page.page.locator("#card img, #list img").count() == 0 and page.page.evaluate("window.hit") is None
    page.page.click("#card-choices button:first-child")
    assert page.text == "to  park"
    page.settle()


def test_a_finger_chooses_too(open_page: Callable[..., Playground]) -> None:
    page = open_page(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    offer(page, go=["went", "is going", "has gone", "was going", "had been going there"])
    page.write(MIXED)
    page.page.touchscreen.tap(*page.point("go"))
    page.page.wait_for_selector("#card:not([hidden])")
    assert page.page.evaluate("document.documentElement.scrollWidth") == 360
    page.page.tap("#card-choices button:nth-child(5)")
    assert page.text == MIXED.replace("He go", "He had been going there")
    page.settle()
