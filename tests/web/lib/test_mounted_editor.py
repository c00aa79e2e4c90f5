"""The editor that pages mount (`lib/editor.js`), alone on a page of its own, in a real Chromium."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from editors import Editors

PASTED = "Nobody types as much as this at once."


def test_two_editors_on_a_page_know_nothing_of_each_other(page: Editors) -> None:
    page.mount("first")
    page.mount("second", text="Second")
    page.type("first", "One")
    page.type("second", " text")
    page.call("second", "it.setMarks([{start: 0, end: 6}])")
    assert [page.text("first"), page.text("second")] == ["One", "Second text"]
    assert page.marks("first") == [] and page.marks("second") == ["Second"]
    page.press("Control+z")
    assert [page.text("first"), page.text("second")] == ["One", "Second"]
    assert page.call("first", "return it.canUndo") and not page.call("second", "return it.canUndo")


def test_an_editor_says_what_the_page_says_of_it(page: Editors) -> None:
    options = {
        "label": "正文",
        "describedBy": "hint",
        "placeholder": "写",
        "lang": "zh-Hans",
        "dir": "ltr",
        "maxLength": 9,
    }
    page.mount("first", **options)
    area = page.page.locator("#first textarea")
    names = ["aria-label", "aria-describedby", "placeholder", "lang", "dir", "maxlength"]
    assert [area.get_attribute(name) for name in names] == ["正文", "hint", "写", "zh-Hans", "ltr", "9"]
    assert area.get_attribute("spellcheck") == "false"
    assert page.page.locator("#first .mirror").get_attribute("lang") == "zh-Hans"
    assert page.page.locator("#first [id], #first [name], #first [style]").count() == 0
    page.type("first", "123456789 more")
    assert page.text("first") == "123456789"
    page.call("first", "it.configure({label: 'Text', describedBy: null, isReadOnly: true})")
    assert [area.get_attribute(name) for name in names[:2]] == ["Text", None]
    page.type("first", "x")
    assert page.text("first") == "123456789"


def test_an_option_that_does_not_exist_is_named(page: Editors) -> None:
    wrong = "try { it.configure({lable: 'Text'}) } catch (error) { return error.message }"
    page.mount("first")
    assert page.call("first", wrong).startswith("the editor has no option lable; there are label, ")


def test_typing_is_undone_and_redone(page: Editors) -> None:
    page.mount("first")
    page.paste("first", PASTED)
    page.type("first", " Typed")
    page.press("Control+z")
    assert page.text("first") == PASTED
    page.press("Control+z")
    assert page.text("first") == "" and not page.call("first", "return it.canUndo")
    page.press("Control+Shift+z", "Control+y")
    assert page.text("first") == PASTED + " Typed" and not page.call("first", "return it.canRedo")
    page.call("first", "it.undo(); it.undo(); it.undo()")
    assert page.text("first") == "" and len(page.told("undo event")) == 4 and len(page.told("redo event")) == 2


def test_a_text_that_a_page_sets_can_be_undone_and_one_it_begins_with_cannot(page: Editors) -> None:
    page.mount("first", text="One\r\nline")
    page.call("first", "it.text = x", "Two\rlines")
    assert page.text("first") == "Two\nlines"
    page.call("first", "it.undo()")
    assert page.text("first") == "One\nline"
    page.call("first", "it.begin('Three')")
    assert page.text("first") == "Three"
    assert page.call("first", "return [it.canUndo, it.canRedo]") == [False, False]
    assert [it["text"] for [it] in page.told("change event")] == ["Two\nlines", "One\nline", "Three"]


def test_marks_stand_under_their_words_and_move_along(page: Editors) -> None:
    page.mount("first", text="😀 teh cat\nsat  on mat")
    page.call(
        "first",
        "it.setMarks(x)",
        [
            {"start": 16, "end": 18, "replacement": "", "type": "U:PREP"},
            {"start": 3, "end": 6, "replacement": "the", "type": "R:SPELL", "id": 7},
            {"start": 15, "end": 15, "replacement": "still", "type": "M:ADV"},
            {"start": 20, "end": 99},
        ],
    )
    assert page.marks("first") == ["teh", "", "on"]
    kinds = page.page.locator("#first .mark").evaluate_all("them => them.map((it) => it.dataset.kind)")
    assert kinds == ["spelling", "grammar", "grammar"]
    page.call("first", "it.focus({start: 0, end: 0})")
    page.page.keyboard.type("So: ")
    places = page.call("first", "return it.marks.map(({start, end, original}) => [start, end, original])")
    assert places[0] == [7, 10, "teh"] and len(places) == 3
    box = page.page.locator("#first .mark").first.bounding_box()
    page.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert [it["id"] for [it] in page.told("point event")] == [7]
    page.call("first", "it.setMarks([])")
    assert page.marks("first") == []


@pytest.mark.parametrize("direction", ["ltr", "rtl", "auto"])
def test_the_mirror_draws_every_letter_where_the_text_has_it(page: Editors, direction: str) -> None:
    from PIL import Image, ImageChops, ImageFilter

    text = (
        "teh office waffle — AVAWA Te. He go\tand   spaces " * 3
        + "\nעברית teh עברית.\n\n我门吃了饭午，很好。\n👨‍👩‍👧 teh\n"
    )
    page.mount("first", "check", text=text, dir=direction)
    page.wait_for_marks("first", 5)
    show = """(shown) => {
      for (const it of document.querySelectorAll('#first > *')) {
        it.style.color = it.tagName === shown ? 'rgb(0, 0, 0)' : 'transparent';
        it.style.caretColor = 'transparent';
      }
      for (const it of document.querySelectorAll('.mark')) {
        Object.assign(it.style, { background: 'none', textDecorationColor: 'transparent' });
      }
    }"""
    drawn = []
    for shown in ("TEXTAREA", "DIV"):
        page.page.evaluate(show, shown)
        picture = Image.open(io.BytesIO(page.page.locator("#first").screenshot())).convert("L")
        drawn.append(picture.point(lambda level: 255 if level < 128 else 0))
    assert drawn[0].getbbox() is not None
    for here, there in (drawn, drawn[::-1]):  # a letter may begin a fraction of a pixel beside
        assert ImageChops.subtract(here, there.filter(ImageFilter.MaxFilter(3))).getbbox() is None


def test_a_text_is_checked_when_typing_rests(page: Editors) -> None:
    page.mount("first", "check", checkPause=1500)
    page.type("first", "Teh teh teh")
    page.wait_for_marks("first", 2)
    assert page.told("check") == [["Teh teh teh"]]
    assert [it["isBusy"] for [it] in page.told("check event")][-1] is False


def test_only_the_latest_answer_is_shown(page: Editors) -> None:
    page.mount("first", "check")
    page.page.evaluate("answers.push(2000, 0)")
    page.paste("first", "teh teh")
    page.wait_for_told("check", 1)
    page.paste("first", " teh")
    page.wait_for_marks("first", 3)
    answers = page.wait_for_told("answer", 2)
    assert answers == [["teh teh teh", False], ["teh teh", True]]  # the first question was given up, and came last
    page.page.wait_for_timeout(50)
    assert page.marks("first") == ["teh", "teh", "teh"]


def test_a_check_that_fails_is_told_and_tried_again(page: Editors) -> None:
    page.mount("first", "check")
    page.page.evaluate("answers.push('fail')")
    page.paste("first", "teh")
    page.wait_for_marks("first", 1)
    problems = [it.get("problem") for [it] in page.told("check event")]
    assert problems[-2:] == ["no answer", None] and page.told("check") == [["teh"], ["teh"]]


def test_a_text_is_saved_when_typing_rests(page: Editors) -> None:
    page.mount("first", "save", savePause=1500)
    page.type("first", "One two")
    assert page.wait_for_told("save event", 1)[0][0]["text"] == "One two"
    assert page.told("save") == [["One two", False]]


def test_leaving_the_page_saves_at_once(page: Editors) -> None:
    page.mount("first", "save", savePause=60_000)
    page.type("first", "One")
    page.page.goto(f"{page.address}/?again")
    assert json.loads(page.page.evaluate("localStorage.getItem('saved')")) == ["One", True]


def test_another_text_begins_when_the_one_before_is_saved(page: Editors) -> None:
    page.mount("first", "save", savePause=60_000)
    page.type("first", "One")
    page.call("first", "it.begin('Two', {save: (text) => { told.push(['other save', text]) }})")
    assert page.told("save") == [["One", False]] and page.told("other save") == []
    page.type("first", "!")
    page.call("first", "it.saveNow()")
    assert page.told("other save") == [["Two!"]] and page.told("save") == [["One", False]]


def test_an_input_method_is_not_disturbed(page: Editors) -> None:
    page.mount("first", "check", text="teh。")
    page.wait_for_marks("first", 1)
    page.call("first", "it.focus({start: 4, end: 4})")
    for text in ("j", "ji", "jin", "jintian"):
        page.compose(text)
    page.page.wait_for_timeout(300)
    assert page.text("first") == "teh。jintian" and page.call("first", "return it.isComposing")
    assert page.told("check") == [["teh。"]] and page.marks("first") == ["teh"]  # half a word is nobody's business
    page.page.context.new_cdp_session(page.page).send("Input.insertText", {"text": "今天"})
    assert page.wait_for_told("check", 2)[-1] == ["teh。今天"]
    page.press("Control+z")
    assert page.text("first") == "teh。"


def test_an_undo_by_a_button_ends_a_composition_first(page: Editors) -> None:
    page.mount("first", text="我。")
    page.call("first", "it.focus({start: 2, end: 2})")
    page.compose("jin")
    page.call("first", "it.undo()")
    assert page.text("first") == "我。" and not page.call("first", "return it.isComposing")


def test_an_editor_works_inside_a_dialog(page: Editors) -> None:
    page.mount("first", text="Outside")
    page.mount("inside", "check", "save", autofocus=True)
    page.page.evaluate("document.getElementById('dialog').showModal()")
    page.page.keyboard.insert_text("Inside teh dialog of this page.")
    page.wait_for_marks("inside", 1)
    box = page.page.locator("#inside .mark").bounding_box()
    page.page.mouse.click(box["x"] + 4, box["y"] + 4)
    assert len(page.told("point event")) == 1 and page.told("point event")[0][0]["id"] == 0
    page.press("Control+z")
    assert page.text("inside") == "" and page.text("first") == "Outside"
    page.press("Escape")
    assert not page.page.is_visible("#inside")
    page.call("inside", "it.destroy()")
    assert page.told("save")[-1][0] == ""


def listeners(page: Any) -> list[str]:
    """Every listener of the window, the document and the elements that stay, by Chromium's own count."""
    tools = page.context.new_cdp_session(page)
    names = []
    for place in ("window", "document", "document.body", "document.getElementById('first')"):
        found = tools.send("Runtime.evaluate", {"expression": place})["result"]["objectId"]
        heard = tools.send("DOMDebugger.getEventListeners", {"objectId": found})["listeners"]
        names += [f"{place} {it['type']}" for it in heard]
    return sorted(names)


def test_a_destroyed_editor_leaves_nothing_behind(page: Editors) -> None:
    before, html = listeners(page.page), page.page.inner_html("#first")
    page.mount("first", "check", "save", checkPause=2000, savePause=60_000)
    page.type("first", "teh")
    assert set(listeners(page.page)) > set(before)
    page.page.evaluate("window.area = document.querySelector('#first textarea')")
    page.call("first", "it.destroy()")
    assert listeners(page.page) == before
    assert page.page.inner_html("#first") == html and page.page.get_attribute("#first", "class") == "box"
    assert page.told("save") == [["teh", False]]
    n_told = len(page.page.evaluate("told"))
    page.page.evaluate("area.value = 'x'; area.dispatchEvent(new InputEvent('input'))")
    page.page.evaluate("window.dispatchEvent(new Event('pagehide'))")
    page.page.wait_for_timeout(2200)
    late = [note for note in page.page.evaluate("told")[n_told:] if note[0] != "save event"]
    assert late == [] and page.told("check") == []


def test_an_element_can_have_an_editor_again(page: Editors) -> None:
    page.mount("first", text="One")
    page.call("first", "it.destroy()")
    page.mount("first", text="Two")
    page.type("first", "!")
    assert page.text("first") == "Two!" and page.page.locator("textarea").count() == 1
