"""The playground page in a real Chromium, in front of the real server: writing, deciding, and going back."""

from __future__ import annotations

import re

import pytest
from chromium import wait_until
from playground_page import Playground

TEXT = "He go to teh park.\nShe met her freinds there."
CORRECTED = "He goes to the park.\nShe met her friends there."


def test_an_example_is_one_click_away(page: Playground) -> None:
    assert page.page.is_visible("#start")
    page.page.click("#example-en")
    page.settle()
    assert len(page.text) > 100 and not page.page.is_visible("#start")
    assert page.selection == (0, 0) and page.focus == "text"


def test_suggestions_are_underlined_and_listed_while_one_types(page: Playground) -> None:
    page.page.focus("#text")
    page.page.keyboard.type("He go to teh park.")
    page.wait_for("#mirror .mark", count=2)
    assert page.text == "He go to teh park."
    assert page.marks == ["go", "teh"]
    assert page.listed == [("go", "goes"), ("teh", "the")]
    assert page.page.inner_text("#count") == "2"
    assert page.page.inner_text("#model") == "Corrected by rules-en"
    page.wait_for("#announce", text="2 suggestions")


def test_only_what_changed_is_sent(page: Playground) -> None:
    page.write(TEXT + "\n\nAll is well here.")
    assert page.questions[-1]["texts"] == [*TEXT.split("\n"), "All is well here."]
    page.caret(page.text.index("\n"))
    page.page.keyboard.insert_text(" Yes.")
    page.settle()
    assert [it["texts"] for it in page.questions[1:]] == [["He go to teh park. Yes."]]
    n_asked = len(page.questions)
    page.press("Control+z")  # back at a text that is known
    page.settle()
    assert page.marks == ["go", "teh", "freinds"] and len(page.questions) == n_asked


def test_a_late_answer_does_not_touch_newer_words(page: Playground) -> None:
    held = []
    page.page.route("**/v1/correct", lambda route: held.append(route) if not held else route.continue_())
    page.paste("He go to teh park.")
    wait_until(page.page, lambda: held != [])
    page.caret(0)
    page.page.keyboard.insert_text("Now then. ")
    page.wait_for("#mirror .mark", count=2)
    with page.page.expect_response("**/v1/correct") as late:
        held[0].continue_()
    late.value.finished()
    page.drawn()
    assert page.marks == ["go", "teh"] and page.text == "Now then. He go to teh park."


def test_the_card_says_what_and_how_sure(page: Playground) -> None:
    page.write(TEXT)
    page.click_mark("freinds")
    assert page.page.inner_text("#card-change") == "freinds → friends"
    assert page.page.inner_text("#card-kind") == "Spelling"
    assert page.page.inner_text("#card-position") == "3 of 3"
    assert page.page.inner_text("#card-sure") == "Almost certain"
    assert "friends" in page.page.inner_text("#card-message")
    assert page.focus == "text"  # a click leaves the focus in the text
    page.page.mouse.click(700, 600)
    assert not page.page.is_visible("#card")


@pytest.mark.parametrize(("button", "shown"), [("next", "3 of 3"), ("previous", "1 of 3")])
def test_the_cards_own_steps_lead_on_from_a_click(page: Playground, button: str, shown: str) -> None:
    page.write(TEXT)
    page.click_mark("teh")
    page.page.click(f"#card-{button}")
    page.wait_for("#card-position", text=shown)


def test_accept_and_dismiss_by_mouse(page: Playground) -> None:
    page.write(TEXT)
    page.caret(len(page.text))
    page.click_mark("teh")
    page.page.click("#card-accept")
    assert page.text == "He go to the park.\nShe met her freinds there."
    assert page.focus == "text" and not page.page.is_visible("#card")
    page.settle()
    page.click_mark("go")
    page.page.click("#card-dismiss")
    page.settle()
    assert page.marks == ["freinds"] and page.text.startswith("He go to the")
    page.page.click("#list [data-action=accept]")
    page.settle()
    assert page.text == "He go to the park.\nShe met her friends there." and page.marks == []
    assert page.page.inner_text("#list-empty") == "Nothing to correct."


def test_what_was_dismissed_stays_so_when_words_around_it_change(page: Playground) -> None:
    page.write("He go to teh park.")
    page.page.click("#list li:first-child [data-action=dismiss]")
    page.page.click("#list li:first-child [data-action=accept]")
    page.caret(0)
    page.page.keyboard.type("Well: ")
    page.settle()
    assert page.text == "Well: He go to the park." and page.marks == []


def test_accept_all_and_dismiss_all(page: Playground) -> None:
    page.write(TEXT)
    page.page.click("#accept-all")
    page.settle()
    assert page.text == CORRECTED and page.marks == []
    page.page.click("#undo")
    page.settle()
    assert page.text == TEXT and page.marks == ["go", "teh", "freinds"]
    page.page.click("#dismiss-all")
    page.settle()
    assert page.text == TEXT and page.marks == []
    assert page.announced.startswith("3 suggestions dismissed")
    page.page.click("#undo")
    page.settle()
    assert page.marks == ["go", "teh", "freinds"]


def test_a_text_is_worked_through_by_keys(page: Playground) -> None:
    page.write(TEXT)
    page.caret(0)
    page.press("Alt+ArrowDown")
    assert page.focus == "card-accept" and page.page.inner_text("#card-change") == "go → goes"
    assert page.announced == "1 of 3: replace “go” with “goes”"
    page.press("Enter")
    assert page.text.startswith("He goes to teh") and page.page.inner_text("#card-change") == "teh → the"
    assert page.announced == "Accepted. 1 of 2: replace “teh” with “the”"
    page.press("Delete")
    assert page.focus == "card-accept" and page.page.inner_text("#card-change") == "freinds → friends"
    page.press("Alt+ArrowUp")  # round the only one left
    assert page.page.inner_text("#card-change") == "freinds → friends"
    page.press("Enter")
    assert page.focus == "text" and page.text == "He goes to teh park.\nShe met her friends there."
    assert page.announced == "Accepted. All suggestions are dealt with"


def test_escape_leads_back_to_the_words(page: Playground) -> None:
    page.write(TEXT)
    page.press("Alt+ArrowUp")
    assert page.page.inner_text("#card-change") == "freinds → friends"
    page.press("Escape")
    end = TEXT.index("freinds") + len("freinds")
    assert page.focus == "text" and page.selection == (end, end) and not page.page.is_visible("#card")
    page.press("Enter")  # in the text, Enter is a new line and nothing else
    assert page.text == TEXT[:end] + "\n" + TEXT[end:]


def test_in_the_text_keys_are_keys_even_beside_a_card(page: Playground) -> None:
    page.write(TEXT)
    page.click_mark("teh")
    at, _ = page.selection
    page.press("Enter")
    assert page.text == TEXT[:at] + "\n" + TEXT[at:] and not page.page.is_visible("#card")


def test_undo_and_redo_cover_typing_and_decisions(page: Playground) -> None:
    page.write(TEXT)
    page.caret(len(TEXT))
    page.page.keyboard.type(" Good.")
    page.settle()
    page.press("Alt+ArrowUp", "Enter", "Escape")
    accepted = "He go to teh park.\nShe met her friends there. Good."
    assert page.text == accepted
    page.press("Control+z")
    assert page.text == TEXT + " Good."
    page.settle()
    assert page.marks == ["go", "teh", "freinds"]
    page.press("Control+z")
    assert page.text == TEXT
    page.press("Control+z")
    assert page.text == "" and page.page.get_attribute("#undo", "aria-disabled") == "true"
    page.press("Control+Shift+z", "Control+y", "Control+y")
    assert page.text == accepted and page.page.get_attribute("#redo", "aria-disabled") == "true"


def test_a_word_goes_out_of_the_dictionary_the_way_it_came(page: Playground) -> None:
    page.write(TEXT)
    page.click_mark("freinds")
    page.page.click("#card-word")
    page.settle()
    assert page.marks == ["go", "teh"]
    page.press("Control+z")
    page.settle()
    assert page.text == TEXT and page.marks == ["go", "teh", "freinds"]
    assert page.page.inner_text("#dictionary-open") == "Dictionary"
    page.press("Control+y")
    page.settle()
    assert page.marks == ["go", "teh"] and page.page.inner_text("#dictionary-open") == "Dictionary (1)"


def test_the_browsers_own_undo_is_ours(page: Playground) -> None:
    """The context menu and phones ask for an undo without any key."""
    page.write("He go home.")
    page.page.click("#list [data-action=accept]")
    page.caret(0)
    page.page.keyboard.type("So! ")
    keyboard = page.context.new_cdp_session(page.page)
    keyboard.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", "commands": ["undo"]})
    assert page.text == "He goes home."
    page.press("Control+z")
    assert page.text == "He go home."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He go 😀 to teh 👨‍👩‍👧 park", "He goes 😀 to the 👨‍👩‍👧 park"),
        ("𝒳𝒴 teh 𝒵 informations", "𝒳𝒴 the 𝒵 information"),
        ("It is very good.\tHe go.", "It is good.\tHe goes."),
        ("I went school.", "I went to school."),
        ("我门吃了饭午。", "我们吃了午饭。"),
        ("  teh\n\n\nteh  ", "  the\n\n\nthe  "),
        ("teh " * 3 + "e\u0301 teh", "the " * 3 + "e\u0301 the"),
    ],
    ids=["emoji", "astral", "deletion", "insertion", "chinese", "blank lines", "combining"],
)
def test_offsets_are_right(page: Playground, text: str, expected: str) -> None:
    page.write(text)
    while page.listed:
        page.page.click("#list li:last-child [data-action=accept]")
        page.settle()
    assert page.text == expected
    page.undo_everything()
    assert page.text == ""


def test_text_is_never_markup(page: Playground) -> None:
    text = '<script>window.hit = 1</script><img src=x onerror="window.hit = 1"> <b>teh</b> &amp; He go "teh"'
    page.write(text)
    page.press("Alt+ArrowDown")
    page.page.click("#tab-compare")
    page.drawn()
    assert page.page.inner_text("#compare-rows td:first-child") == text
    for place in ("#mirror", "#list", "#card", "#compare-rows"):
        assert page.page.locator(f"{place} script, {place} img, {place} b").count() == 0
    assert page.page.evaluate("window.hit") is None


def test_an_input_method_is_left_alone(page: Playground) -> None:
    page.write("我门吃了饭午。")
    page.page.wait_for_timeout(1000)  # what is typed now is another step on the way back
    page.caret(len(page.text))
    n_asked = len(page.questions)
    keyboard = page.context.new_cdp_session(page.page)
    for composed in ("j", "jin", "jint", "jintian"):
        keyboard.send("Input.imeSetComposition", {"text": composed, "selectionStart": len(composed), "selectionEnd": 0})
    page.page.wait_for_timeout(500)
    assert page.text == "我门吃了饭午。jintian" and page.marks == ["门", "饭午"]
    assert len(page.questions) == n_asked  # half a word is nobody's business
    keyboard.send("Input.insertText", {"text": "今天"})
    page.settle()
    assert page.text == "我门吃了饭午。今天" and page.questions[-1]["texts"] == ["我门吃了饭午。今天"]
    page.press("Control+z")
    assert page.text == "我门吃了饭午。"


def test_a_decision_ends_a_composition_as_any_click_does(page: Playground) -> None:
    page.write("我门吃了饭午。")
    page.caret(len(page.text))
    keyboard = page.context.new_cdp_session(page.page)
    keyboard.send("Input.imeSetComposition", {"text": "jin", "selectionStart": 3, "selectionEnd": 3})
    page.page.evaluate("document.getElementById('accept-all').click()")
    page.settle()
    assert page.text == "我们吃了午饭。jin" and page.focus == "text"


def test_a_draft_survives_a_reload(page: Playground) -> None:
    page.write(TEXT)
    page.page.reload()
    page.settle()
    assert page.text == TEXT and page.marks == ["go", "teh", "freinds"]


def test_the_page_asks_nobody_else(page: Playground) -> None:
    page.write(TEXT)
    assert {re.match(r"\w+://[^/]+", it.url).group() for it in page.requests} == {page.address}  # type: ignore[union-attr]
    count_inline = """async () => {
      const page = new DOMParser().parseFromString(await (await fetch('/')).text(), 'text/html');
      return page.querySelectorAll('[style], style, script:not([src]), [onclick], [onload], [onerror]').length;
    }"""
    assert page.page.evaluate(count_inline) == 0


def test_every_module_is_named_at_once(page: Playground) -> None:
    """So that the browser asks for them together, and not one after the other as imports turn up."""
    named = page.page.locator("link[rel=modulepreload], script[src]").evaluate_all(
        "them => them.map(it => it.href || it.src)"
    )
    modules = {it.url for it in page.requests if it.url.endswith(".js")}
    assert {url.removeprefix(f"{page.address}/") for url in named} == {
        url.removeprefix(f"{page.address}/") for url in modules
    }


def test_a_selection_and_the_caret_stay_at_their_words(page: Playground) -> None:
    page.write(TEXT)
    page.page.evaluate("document.getElementById('text').setSelectionRange(10, 18)")  # "eh park."
    page.page.click("#list li:nth-child(1) [data-action=accept]")
    page.page.focus("#text")
    assert page.selection == (12, 20)


def test_cut_and_paste_are_steps_of_their_own(page: Playground) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.write("teh")
    page.press("Control+a", "Control+x")
    assert page.text == ""
    page.press("Control+v", "Control+v")
    page.page.keyboard.type(" teh")
    page.settle()
    assert page.text == "tehteh teh" and page.marks == ["teh"]
    for expected in ("tehteh", "teh", "", "teh", ""):
        page.press("Control+z")
        assert page.text == expected
