"""The playground page: comparing, settings, the dictionary, trouble, phones and long texts."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from playground_page import Playground
from playwright.sync_api import TimeoutError, expect

TEXT = "He go to teh park.\nShe met her freinds there."
CORRECTED = "He goes to the park.\nShe met her friends there."
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def rows(page: Playground, column: int) -> list[str]:
    return list(page.page.locator(f"#compare-rows td:nth-child({column})").all_inner_texts())


def test_original_and_corrected_stand_side_by_side(page: Playground) -> None:
    page.write(TEXT)
    page.page.click("#list li:first-child [data-action=accept]")
    page.settle()
    page.page.click("#tab-compare")
    page.drawn()
    assert rows(page, 1) == TEXT.split("\n") and rows(page, 2) == CORRECTED.split("\n")
    assert page.page.locator("#compare-rows ins.is-accepted").all_inner_texts() == ["goes"]
    assert page.page.locator("#compare-rows ins.is-suggested").all_inner_texts() == ["the", "friends"]
    page.page.click("#accept-all")
    page.settle()
    assert rows(page, 1) == TEXT.split("\n") and page.page.locator("#compare-rows .is-suggested").count() == 0
    page.press("Control+z")
    assert page.text.startswith("He goes to teh")


def test_views_change_by_arrow_keys(page: Playground) -> None:
    page.page.focus("#tab-write")
    page.press("ArrowRight")
    assert page.focus == "tab-compare" and page.page.is_visible("#panel-compare")
    page.press("ArrowLeft")
    assert page.focus == "tab-write" and page.page.is_visible("#text")


def test_copy_and_download(page: Playground) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.write("😀 " + TEXT)
    page.page.click("#copy")
    assert page.page.evaluate("navigator.clipboard.readText()") == "😀 " + TEXT
    page.page.click("#tab-compare")
    assert page.page.get_attribute("#download", "aria-label") == "Download the corrected text"
    with page.page.expect_download() as download:
        page.page.click("#download")
    assert Path(download.value.path()).read_text("utf-8") == "😀 " + CORRECTED
    assert download.value.suggested_filename == "errata.txt"


def test_a_word_in_the_dictionary_is_right(page: Playground) -> None:
    page.write(TEXT)
    page.click_mark("freinds")
    page.page.click("#card-word")
    page.settle()
    assert page.marks == ["go", "teh"] and page.page.inner_text("#dictionary-open") == "Dictionary (1)"
    assert page.questions[-1]["dictionary"] == ["freinds"]
    assert page.questions[-1]["texts"] == ["She met her freinds there."]
    page.page.reload()
    page.settle()
    assert page.marks == ["go", "teh"]
    page.page.click("#dictionary-open")
    page.page.fill("#word", "teh")
    page.press("Enter")
    page.page.click("#words [data-word=freinds]")
    page.press("Escape")
    page.settle()
    assert page.marks == ["go", "freinds"]


def test_another_tab_hears_of_a_new_word(page: Playground) -> None:
    page.write("My freinds.")
    other = Playground(page.context, page.address)
    other.page.click("#dictionary-open")
    other.page.fill("#word", "freinds")
    other.press("Enter")
    page.wait_for("#mirror .mark", count=0)
    assert page.page.inner_text("#dictionary-open") == "Dictionary (1)"
    other.page.close()


def test_presets_and_confidence(page: Playground) -> None:
    page.write("A nice dog. He go to teh informations.")
    assert page.marks == ["go", "teh", "informations"]
    page.open_settings()
    page.page.check("[name=preset][value=eager]", force=True)
    page.settle()
    assert page.questions[-1]["preset"] == "eager" and page.marks == ["nice", "go", "teh", "informations"]
    n_asked = len(page.questions)
    page.page.select_option("#confidence", label="Almost certain only")
    page.drawn()
    assert page.marks == ["go", "teh"]
    assert len(page.questions) == n_asked  # what is known is not asked again
    page.page.click("#accept-all")
    assert page.text == "A nice dog. He goes to the informations."


def test_settings_are_folded_away_and_say_what_is_set(page: Playground) -> None:
    page.write(TEXT)
    assert not page.page.is_visible("#settings") and page.page.inner_text("#settings-summary") == "Automatic · Balanced"
    assert page.page.locator(".found").bounding_box()["height"] > 500  # of 800: the suggestions have the room
    page.page.focus("#settings-open")
    page.press("Enter")
    assert page.page.get_attribute("#settings-open", "aria-expanded") == "true"
    page.press("Tab", "Tab")
    assert page.focus == "language"
    page.page.select_option("#language", "en")
    page.page.check("[name=preset][value=careful]", force=True)
    page.page.select_option("#confidence", label="Likely or better")
    summary = "English · Careful · Likely or better"
    assert page.page.inner_text("#settings-summary") == summary
    page.page.click("#settings-open")
    assert not page.page.is_visible("#settings")
    page.page.reload()
    page.settle()
    assert page.page.inner_text("#settings-summary") == summary and not page.page.is_visible("#settings")
    assert page.questions[-1]["language"] == "en" and page.questions[-1]["preset"] == "careful"


def test_the_page_speaks_chinese(open_page: Callable[..., Playground]) -> None:
    page = open_page(locale="zh-CN")
    assert page.page.inner_text("#tab-compare") == "对照" and page.page.get_attribute("html", "lang") == "zh-Hans"
    page.write("我门吃了饭午。")
    assert page.listed == [("门", "们"), ("饭午", "午饭")]
    assert page.page.get_attribute("#editor", "lang") == "zh-Hans"
    page.click_mark("饭午")
    assert "可能" in page.page.inner_text("#card-message")
    page.page.click("[data-ui=en]")
    page.settle()
    assert page.page.inner_text("#card-accept") == "Accept"
    assert page.questions[-1]["messages"] == "en" and "可能" not in page.page.inner_text("#card-message")
    page.page.reload()
    assert page.page.inner_text("#tab-compare") == "Compare"


def test_a_server_that_is_away_is_told_and_found_again(page: Playground) -> None:
    page.context.set_offline(True)
    page.paste(TEXT)
    page.page.wait_for_selector("#trouble:not([hidden])")
    assert "cannot be reached" in page.page.inner_text("#trouble") and "Trying again in" in page.page.inner_text(
        "#trouble"
    )
    assert page.text == TEXT
    page.context.set_offline(False)
    page.page.click("#retry")
    page.settle()
    assert page.marks == ["go", "teh", "freinds"] and not page.page.is_visible("#trouble")
    assert page.focus == "text"


def test_an_answer_that_is_not_erratas_is_told(page: Playground) -> None:
    page.page.route("**/v1/correct", lambda route: route.fulfill(body="<html>Log in", content_type="text/html"))
    page.paste(TEXT)
    page.page.wait_for_selector("#trouble:not([hidden])")
    assert "not from errata" in page.page.inner_text("#trouble")
    page.page.unroute("**/v1/correct")
    with suppress(TimeoutError):  # the page may have asked again by itself
        page.page.click("#retry", timeout=2000)
    page.settle()
    page.wait_for("#mirror .mark", count=3)
    assert page.marks == ["go", "teh", "freinds"]


def test_a_language_without_a_model_is_told(page: Playground) -> None:
    page.write("He go home.\nJe ne sais pas pourquoi il est venu hier soir.")
    page.page.wait_for_selector("#trouble:not([hidden])")
    page.wait_for("#mirror .mark", count=1)
    assert "no model for that language" in page.page.inner_text("#trouble") and page.marks == ["go"]
    page.page.click("#list [data-action=accept]")
    page.wait_for("#state", text="Not all of it is checked")
    assert page.page.inner_text("#list-empty") != "Nothing to correct."
    page.page.focus("#text")
    page.press("Control+End", "Shift+Home", "Delete")
    page.page.wait_for_selector("#trouble[hidden]", state="attached")


def test_a_clean_text_is_announced_as_such(page: Playground) -> None:
    page.write("All is well here.")
    page.wait_for("#announce", text="No suggestions")


def test_more_of_the_list_takes_the_focus_along(page: Playground) -> None:
    page.write("\n".join(f"Line {n}: teh end." for n in range(60)))
    # The list is as long as it takes to follow the caret, which takes a while: first to the end, then to the beginning.
    page.wait_for("#list li", count=60)
    page.press("Control+Home")
    page.wait_for("#list li", count=40)
    page.page.focus("#more")
    page.press("Enter")
    page.wait_for("#list li", count=60)
    assert not page.page.is_visible("#more")
    index = "[...document.querySelectorAll('#list li')].indexOf(document.activeElement.closest('li'))"
    page.page.wait_for_function(f"() => {index} === 40")


def test_a_busy_server_is_asked_again_when_it_says(page: Playground) -> None:
    answers = iter([503])
    refusal = {"headers": {"Retry-After": "1"}, "json": {"detail": "too many requests are waiting"}}

    def answer(route) -> None:
        status = next(answers, None)
        route.fulfill(status=status, **refusal) if status else route.continue_()

    page.page.route("**/v1/correct", answer)
    page.paste(TEXT)
    page.page.wait_for_selector("#trouble:not([hidden])")
    assert "busy" in page.page.inner_text("#trouble")
    started = time.monotonic()
    page.wait_for("#mirror .mark", count=3)
    assert time.monotonic() - started > 0.5 and not page.page.is_visible("#trouble")


def test_a_paragraph_that_is_too_long_does_not_stop_the_others(page: Playground) -> None:
    page.write("He go home.\n" + "word " * 5000 + "\nShe met her freinds.")
    page.page.wait_for_selector("#trouble:not([hidden])")
    page.wait_for("#mirror .mark", count=2)
    assert "too long" in page.page.inner_text("#trouble") and page.marks == ["go", "freinds"]
    page.page.click("#accept-all")
    page.settle()
    # Not wait_for_function: asked a second time it evaluates text, which the page's policy forbids.
    expect(page.page.locator("#state")).to_have_text("Not all of it is checked", use_inner_text=True)
    page.page.focus("#text")
    page.page.evaluate("document.getElementById('text').setSelectionRange(20, 24000)")
    page.press("Delete")
    page.settle()
    assert not page.page.is_visible("#trouble")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_follow_the_system(open_page: Callable[..., Playground], scheme: str) -> None:
    page = open_page(color_scheme=scheme)
    red = page.page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0]")
    assert (int(red) > 128) == (scheme == "light")


def test_a_phone_has_room_for_everything(open_page: Callable[..., Playground]) -> None:
    page = open_page(**PHONE)
    page.write("Long ago he had many old informations. " * 3 + "\n" + TEXT)
    for view in ("write", "compare"):
        page.page.click(f"#tab-{view}")
        page.drawn()
        assert page.page.evaluate("document.documentElement.scrollWidth") == 360
    page.page.click("#tab-write")
    page.page.touchscreen.tap(*page.point("teh"))
    page.page.wait_for_selector("#card:not([hidden])")
    box = page.page.locator("#card").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 360 and box["y"] + box["height"] <= 740
    page.page.tap("#card-accept")
    page.settle()
    assert "to the park" in page.text
    page.page.wait_for_selector("#card", state="hidden")
    sizes = page.page.locator("button:visible").evaluate_all(
        "them => them.map(it => [it.offsetWidth, it.offsetHeight])"
    )
    assert min(min(size) for size in sizes) >= 32  # a finger's breadth


@pytest.mark.parametrize(
    ("width", "height"), [(360, 340), (640, 360), (320, 256), (1280, 400)], ids=lambda size: str(size)
)
def test_a_short_window_has_room_for_a_mark_and_its_card(
    open_page: Callable[..., Playground], width: int, height: int
) -> None:
    page = open_page(viewport={"width": width, "height": height})
    page.write("He go.\n" + "\n".join(f"Line {n} has many old freinds to tell teh world." for n in range(12)))
    assert page.page.evaluate("document.documentElement.scrollWidth") == width
    page.caret(0)
    for _ in range(12):
        page.press("Alt+ArrowDown")
        assert_in_window(page, height)
    page.press("Escape")
    page.page.locator("#mirror .mark", has_text="teh").nth(3).scroll_into_view_if_needed()
    place = page.page.locator("#mirror .mark", has_text="teh").nth(3).bounding_box()
    page.page.mouse.click(place["x"] + 4, place["y"] + 4)
    page.page.wait_for_selector("#card:not([hidden])")
    assert_in_window(page, height)


def assert_in_window(page: Playground, height: int) -> None:
    """The mark looked at and the button that accepts are both to be seen, and neither covers the other."""
    mark = page.page.locator(".mark.is-active").bounding_box()
    accept = page.page.locator("#card-accept").bounding_box()
    card = page.page.locator("#card").bounding_box()
    assert mark["y"] >= 0 and mark["y"] + mark["height"] <= height
    assert accept["y"] >= 0 and accept["y"] + accept["height"] <= height
    assert mark["y"] + mark["height"] <= card["y"] or mark["y"] >= card["y"] + card["height"]


HARD = (
    "teh office waffle fi fl — AVAWA Te. He go\tand\ttabs   and   spaces " * 3
    + "\n\n我门吃了饭午，很很好。「标点」…… 中英 mixed teh 文字 " * 4
    + "\nDonaudampfschifffahrtsgesellschaftskapitänsmützeninformations" * 5
    + "\n👨‍👩‍👧 teh 😀 e\u0301 עברית teh עברית informations I went school.\n   \n"
)


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_the_mirror_draws_every_letter_where_the_text_has_it(
    open_page: Callable[..., Playground], options: dict[str, object]
) -> None:
    from PIL import Image, ImageChops, ImageFilter

    page = open_page(**options)
    page.write(HARD)
    assert len(page.marks) > 10
    show = """([shown, hidden]) => {
      document.getElementById(shown).style.color = 'rgb(0, 0, 0)';
      document.getElementById(hidden).style.color = 'transparent';
      document.getElementById('text').style.caretColor = 'transparent';
      for (const it of document.querySelectorAll('.mark')) {
        it.style.background = 'none';
        it.style.textDecorationColor = 'transparent';
        it.classList.remove('is-gap');
      }
    }"""
    drawn = []
    for pair in (["text", "mirror"], ["mirror", "text"]):
        page.page.evaluate(show, pair)
        picture = Image.open(io.BytesIO(page.page.locator("#scroller").screenshot())).convert("L")
        drawn.append(picture.point(lambda level: 255 if level < 128 else 0))
    assert drawn[0].getbbox() is not None
    for here, there in (drawn, drawn[::-1]):  # a letter may begin a fraction of a pixel beside
        assert ImageChops.subtract(here, there.filter(ImageFilter.MaxFilter(3))).getbbox() is None


def test_the_text_scrolls_as_one_and_follows_the_caret(page: Playground) -> None:
    page.write("\n".join(f"Line {i}: teh end." for i in range(80)))
    page.press("Control+Home")
    assert page.page.evaluate("document.getElementById('scroller').scrollTop") < 10
    page.press("Control+End", "Enter", "Enter")
    page.page.keyboard.type("He go")
    state = """() => {
      const [area, mirror, scroller] = ['text', 'mirror', 'scroller'].map(id => document.getElementById(id));
      const left = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
      return { inside: area.scrollTop, heights: area.offsetHeight - mirror.offsetHeight, left };
    }"""
    seen = page.page.evaluate(state)
    assert seen["inside"] == 0 and seen["heights"] == 0 and seen["left"] < 80
    page.settle()
    page.press("Control+Home", "Alt+ArrowUp")
    box = page.page.locator(".mark.is-active").bounding_box()
    frame = page.page.locator("#scroller").bounding_box()
    assert frame["y"] <= box["y"] <= frame["y"] + frame["height"]


def busy_ms_per_key(page: Playground, n_keys: int) -> float:
    """How long a key keeps the page busy, drawing included: processor time, whatever else the machine does."""
    session = page.context.new_cdp_session(page.page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return float(next(it["value"] for it in metrics if it["name"] == "TaskDuration"))

    before = busy()
    page.page.evaluate(
        """async (n) => {
          for (let i = 0; i < n; i++) {
            document.execCommand('insertText', false, 'x');
            await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
          }
        }""",
        n_keys,
    )
    return (busy() - before) / n_keys * 1000


def test_fifty_thousand_characters_scroll_and_type_fluently(page: Playground) -> None:
    line = "of many, where teh words go on and on for a while to make it long enough."
    page.page.fill("#text", "\n".join(f"Line {i} {line}" for i in range(620)))
    page.page.wait_for_selector("#state:not([data-state=busy])")
    assert page.page.inner_text("#state") == "620 suggestions"
    page.caret(len(page.text) - 10)  # the list is at its longest here
    page.drawn()
    assert busy_ms_per_key(page, 10) < 60
    page.settle()


def test_a_hundred_kilobytes_stay_responsive(page: Playground) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    line = "of many, where teh words go on and on for a while to make it long enough."
    text = "\n".join(f"Line {i} {line}" for i in range(1250))
    assert len(text) > 100_000
    page.page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.page.focus("#text")
    page.press("Control+v")
    page.page.wait_for_selector("#state:not([data-state=busy])", timeout=60_000)
    assert page.page.inner_text("#state") == "1,250 suggestions"
    page.caret(50_000)
    assert busy_ms_per_key(page, 10) < 100
    page.settle()
    page.page.click("#accept-all")
    page.page.click("#confirm-yes")
    page.press("Control+z")
    assert page.text.count("teh") == 1250


def test_the_workbench_is_one_quiet_link_away_and_leads_back(page: Playground) -> None:
    page.page.get_by_role("link", name="Annotate sentences together").click()
    page.page.wait_for_url("**/workbench/login")
    page.page.get_by_role("link", name="Correct a text").click()
    page.page.wait_for_selector("#editor")
