"""The playground page: the list goes along with the text, and the card leaves its sentence to be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playground_page import Playground

LINES = "\n".join(f"Line {n} is here, and here is teh end of line {n}." for n in range(120))
SENTENCE = "Number {n}: she told all of her freinds that he had seen teh dog of the neighbours in the garden. "
LONG = "\n".join("".join(SENTENCE.format(n=f"{p}.{n}") for n in range(4)) for p in range(8))
PHONES = [(360, 640), (360, 740), (390, 844)]

# The list's items that are to be seen, and the marks that are.
SEEN = """() => {
  const within = (it, frame) => {
    const [a, b] = [it.getBoundingClientRect(), frame.getBoundingClientRect()];
    return a.bottom > b.top + 4 && a.top < b.bottom - 4;
  };
  const [list, scroller] = ['list', 'scroller'].map((id) => document.getElementById(id));
  const all = [...list.children];
  const marks = [...document.querySelectorAll('#mirror .mark')];
  const range = (seen) => [seen.indexOf(true), seen.lastIndexOf(true)];
  return {
    items: range(all.map((it) => within(it, list))),
    marks: range(marks.map((it) => within(it, scroller))),
    current: all.findIndex((it) => it.querySelector('[aria-current]')),
  };
}"""


def seen(page: Playground) -> Any:
    page.drawn()
    page.drawn()
    return page.page.evaluate(SEEN)


def scroll_text(page: Playground, share: float) -> None:
    page.page.evaluate(
        "share => { const it = document.getElementById('scroller'); it.scrollTop = share * it.scrollHeight }", share
    )


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8, 1])
def test_the_list_scrolls_with_the_text(page: Playground, share: float) -> None:
    page.write(LINES)
    page.press("Control+Home")
    assert seen(page)["items"][0] == 0
    scroll_text(page, share)
    now = seen(page)
    assert now["marks"][0] <= now["items"][0] + 1 and now["items"][1] - 1 <= now["marks"][1]
    scroll_text(page, 0)
    assert seen(page)["items"][0] == 0


def test_the_end_of_the_text_is_the_end_of_the_list(page: Playground) -> None:
    page.write(LINES)
    page.press("Control+Home")
    scroll_text(page, 1)
    assert seen(page)["items"][1] == 119


def test_the_suggestion_at_the_caret_is_highlighted_and_in_view(page: Playground) -> None:
    page.write(LINES)
    page.caret(page.text.index("teh end of line 7.") + 1)
    assert seen(page)["current"] == 7
    page.caret(page.text.index("teh end of line 90.") + 1)
    now = seen(page)
    assert now["current"] == 90 and now["items"][0] <= 90 <= now["items"][1]
    page.caret(page.text.index("Line 30 is") + 2)  # at no suggestion: the nearest is in view
    now = seen(page)
    assert now["current"] == -1 and now["items"][0] <= 30 <= now["items"][1]
    assert not page.page.is_visible("#card")


def test_a_click_in_the_list_scrolls_the_text(page: Playground) -> None:
    page.write(LINES)
    page.caret(0)
    for index in (30, 0):
        page.page.locator("#list .go").nth(index).click()
        now = seen(page)
        assert now["marks"][0] <= index <= now["marks"][1] and now["current"] == index
        assert now["items"][0] <= index <= now["items"][1]


def test_a_list_that_is_read_is_not_pulled_away(page: Playground) -> None:
    page.write(LINES)
    page.press("Control+Home")
    seen(page)
    page.page.evaluate("document.getElementById('list').scrollTop = 1500")
    page.page.focus("#list li:nth-child(20) [data-action=dismiss]")
    before = seen(page)["items"]
    page.press("Enter")
    assert abs(seen(page)["items"][0] - before[0]) <= 1


def box_of_sentence(page: Playground, index: int) -> dict[str, float]:
    """Where the sentence of the mark at `index` is on the screen."""
    return dict(
        page.page.evaluate(
            """(index) => {
              const mark = document.querySelectorAll('#mirror .mark')[index];
              const line = mark.parentElement;
              const before = document.createRange();
              before.setStart(line, 0);
              before.setEndBefore(mark);
              const at = before.toString().length;
              const start = line.textContent.lastIndexOf('Number', at);
              const end = line.textContent.indexOf('garden.', at) + 'garden.'.length;
              const range = document.createRange();
              const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
              for (let offset = 0; texts.nextNode(); offset += texts.currentNode.length) {
                const node = texts.currentNode;
                if (offset <= start && start < offset + node.length) range.setStart(node, start - offset);
                if (offset < end && end <= offset + node.length) range.setEnd(node, end - offset);
              }
              const { top, bottom } = range.getBoundingClientRect();
              return { top, bottom };
            }""",
            index,
        )
    )


@pytest.mark.parametrize(("width", "height"), PHONES, ids=str)
@pytest.mark.parametrize("index", [0, 1, 31, 62, 63], ids=["first", "second", "middle", "last but one", "last"])
def test_on_a_phone_the_card_never_covers_its_sentence(
    open_page: Callable[..., Playground], width: int, height: int, index: int
) -> None:
    page = open_page(viewport={"width": width, "height": height}, has_touch=True, is_mobile=True)
    page.write(LONG)
    mark = page.page.locator("#mirror .mark").nth(index)
    mark.scroll_into_view_if_needed()
    box = mark.bounding_box()
    page.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.page.wait_for_selector("#card:not([hidden])")
    page.drawn()
    card, sentence = page.page.locator("#card").bounding_box(), box_of_sentence(page, index)
    assert "is-active" in (mark.get_attribute("class") or "")
    assert sentence["top"] >= 0 and sentence["bottom"] <= card["y"]
    assert card["y"] + card["height"] <= height and page.page.locator("#card.is-away").count() == 0
    accept = page.page.locator("#card-accept").bounding_box()
    assert accept["y"] + accept["height"] <= height


def test_on_a_phone_every_step_shows_the_whole_sentence(open_page: Callable[..., Playground]) -> None:
    page = open_page(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page.write(LONG)
    page.caret(0)
    for index in range(0, 12):
        page.press("Alt+ArrowDown")
        card, sentence = page.page.locator("#card").bounding_box(), box_of_sentence(page, index)
        assert sentence["top"] >= 0 and sentence["bottom"] <= card["y"]


def test_on_a_phone_a_keyboard_that_comes_up_leaves_the_sentence_in_view(open_page: Callable[..., Playground]) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.write(LONG)
    page.page.locator("#mirror .mark").nth(63).scroll_into_view_if_needed()
    page.page.touchscreen.tap(*centre(page, 63))
    page.page.wait_for_selector("#card:not([hidden])")
    page.page.set_viewport_size({"width": 390, "height": 520})
    page.drawn()
    card, sentence = page.page.locator("#card").bounding_box(), box_of_sentence(page, 63)
    assert sentence["top"] >= 0 and sentence["bottom"] <= card["y"] and card["y"] + card["height"] <= 520


def test_on_a_phone_a_sentence_scrolled_under_the_card_is_not_covered(open_page: Callable[..., Playground]) -> None:
    page = open_page(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page.write(LONG)
    page.caret(0)
    page.press("Alt+ArrowDown")
    for _ in range(20):
        page.press("Alt+ArrowDown")
    page.page.evaluate("window.scrollBy(0, -500)")
    page.drawn()
    assert page.page.locator("#card.is-away").count() == 1
    page.press("Alt+ArrowDown")
    assert page.page.locator("#card.is-away").count() == 0


def test_the_room_for_the_card_goes_with_it(open_page: Callable[..., Playground]) -> None:
    page = open_page(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page.write(LONG)
    height = page.page.evaluate("document.documentElement.scrollHeight")
    page.press("Alt+ArrowDown")
    assert page.page.evaluate("document.documentElement.scrollHeight") > height
    page.press("Escape")
    assert page.page.evaluate("document.documentElement.scrollHeight") == height


def test_on_a_desktop_the_card_stands_below_a_short_sentence(page: Playground) -> None:
    page.write(LONG)
    page.press("Control+Home", "Alt+ArrowDown")
    assert page.page.locator("#card").bounding_box()["y"] >= box_of_sentence(page, 0)["bottom"]


def centre(page: Playground, index: int) -> tuple[float, float]:
    box = page.page.locator("#mirror .mark").nth(index).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
