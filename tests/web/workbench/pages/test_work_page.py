"""The page where people correct sentences, in a real Chromium in front of the real server."""

from __future__ import annotations

import pytest
from workshop import ZH, Browsers, Workshop

ONE_ANNOTATOR = {"settings": {"k": 1}}


def test_somebody_logs_in_and_annotates_by_keys_alone(browsers: Browsers, workshop: Workshop) -> None:
    project = workshop.make_project(ZH, "annotator", **ONE_ANNOTATOR)
    tab = browsers.open().log_in(project.names[0])
    for _ in range(12):  # to the way that leads to the work, past the top of the page
        tab.press("Tab")
        if tab.page.evaluate("() => document.activeElement.className") == "todo":
            break
    tab.press("Enter")
    tab.wait(".answer textarea")
    assert tab.focus == "TEXTAREA Your correction" and tab.answers == [tab.source]
    fixed = {"我门去公园。": "我们去公园。", "他很很好。": "他很好。"}
    for number in range(3):
        source = tab.source
        if source in fixed:
            tab.rewrite(fixed[source])
            tab.wait(".edit")
        else:
            tab.press("Alt+2")
            tab.wait(".status-says", "right as it is")
        tab.press("Control+Enter")
        if number < 2:
            tab.page.wait_for_function("old => document.querySelector('.source-text').innerText !== old", arg=source)
    tab.wait("h1", "All done for now")
    done = {history["item"]["source"]: history["submissions"][0] for history in project.histories()}
    assert {source: (it["status"], it["answers"]) for source, it in done.items()} == {
        ZH[0]: ("corrected", ["我们去公园。"]),
        ZH[1]: ("corrected", ["他很好。"]),
        ZH[2]: ("error_free", [ZH[2]]),
    }
    assert all(0 < it["seconds"] < 300 for it in done.values())


def test_edits_and_their_types_appear_while_one_types(browsers: Browsers, workshop: Workshop) -> None:
    project = workshop.make_project(["He go to school."], "annotator", language="en", **ONE_ANNOTATOR)
    tab = browsers.open(project.names[0]).open(f"work?project={project.id}")
    tab.wait(".answer-edits", "No changes yet")
    tab.page.locator(".answer textarea").evaluate("it => it.setSelectionRange(5, 5)")
    tab.page.keyboard.type("es")
    tab.wait(".edit")
    assert tab.text(".edit").split("\n") == ["go goes", "Subject-verb agreement"]
    assert tab.page.locator(".answer .mark").all_inner_texts() == ["goes"]
    assert tab.page.locator(".source .changed").all_inner_texts() == ["go"]
    tab.wait("[role=status]", "1 change. replace “go” with “goes” (Subject-verb agreement)")
    tab.press("Control+z")
    tab.wait(".answer-edits", "No changes yet")
    assert tab.answers == ["He go to school."]
    tab.press("Control+Shift+z")
    tab.wait(".edit")


def test_several_answers_and_the_missing_component(browsers: Browsers, workshop: Workshop) -> None:
    project = workshop.make_project(["我的爸爸经常我。"], "annotator", **ONE_ANNOTATOR)
    tab = browsers.open(project.names[0]).open(f"work?project={project.id}")
    tab.wait(".answer textarea")
    tab.page.locator(".answer textarea").evaluate("it => it.setSelectionRange(6, 6)")
    tab.press("Alt+m")
    assert tab.answers == ["我的爸爸经常[MC]我。"]
    tab.press("Alt+a", "Control+Enter")
    tab.wait(".answer:nth-child(2) .problem", "there already")
    tab.rewrite("我的爸爸经常骂我。")
    tab.press("Alt+a")
    tab.rewrite("  ")
    tab.press("Control+Enter")
    tab.wait(".answer:nth-child(3) .problem", "is empty")
    tab.press("Alt+ArrowUp", "Alt+ArrowUp")
    assert tab.focus == "TEXTAREA Correction 1"
    tab.page.click(".answer:nth-child(3) .tool")
    tab.press("Control+Enter")
    tab.wait("h1", "All done")
    [submission] = project.submissions()
    assert submission["answers"] == ["我的爸爸经常[MC]我。", "我的爸爸经常骂我。"]


def test_edits_that_come_late_leave_the_focus_where_it_is(browsers: Browsers, workshop: Workshop) -> None:
    project = workshop.make_project(["我的爸爸经常我。"], "annotator", **ONE_ANNOTATOR)
    tab = browsers.open(project.names[0]).open(f"work?project={project.id}")
    tab.wait(".answer textarea")
    tab.press("Alt+a")
    tab.rewrite("我的爸爸经常骂我。")
    tab.press("Alt+ArrowUp")  # the edits of the second are asked for when the typing ends, and come after this
    tab.wait(".answer:nth-child(2) .edit")
    tab.page.locator(".answer:nth-child(1) textarea").evaluate("it => it.setSelectionRange(6, 6)")
    tab.press("Alt+m")
    assert tab.answers == ["我的爸爸经常[MC]我。", "我的爸爸经常骂我。"]


def test_the_missing_component_is_a_word_in_english(browsers: Browsers, workshop: Workshop) -> None:
    project = workshop.make_project(["My father often me."], "annotator", language="en", **ONE_ANNOTATOR)
    tab = browsers.open(project.names[0]).open(f"work?project={project.id}")
    tab.wait(".answer textarea")
    tab.page.locator(".answer textarea").evaluate("it => it.setSelectionRange(15, 15)")
    tab.press("Alt+m")
    assert tab.answers == ["My father often [MC] me."]
    tab.press("Control+z")
    tab.page.locator(".answer textarea").evaluate("it => it.setSelectionRange(16, 18)")
    tab.press("Alt+m")
    assert tab.answers == ["My father often [MC]."]


def test_an_unchanged_sentence_is_asked_about(browsers: Browsers, workshop: Workshop) -> None:
    project = workshop.make_project(ZH[2:], "annotator", **ONE_ANNOTATOR)
    tab = browsers.open(project.names[0]).open(f"work?project={project.id}")
    tab.wait(".answer textarea")
    tab.press("Control+Enter")
    tab.wait("dialog", "free of errors?")
    tab.press("Escape")
    assert tab.focus == "TEXTAREA Your correction" and project.submissions() == []
    tab.press("Control+Enter")
    tab.wait("dialog")
    tab.press("Enter")
    tab.wait("h1", "All done")
    assert project.submissions()[0]["status"] == "error_free"


def test_not_annotatable_and_skip_say_why(browsers: Browsers, workshop: Workshop) -> None:
    project = workshop.make_project(ZH[:2], "annotator", **ONE_ANNOTATOR)
    tab = browsers.open(project.names[0]).open(f"work?project={project.id}")
    tab.wait(".answer textarea")
    tab.press("Alt+3", "Alt+c")
    tab.type("看不懂")
    first = tab.source
    tab.press("Control+Enter")
    tab.page.wait_for_function("old => document.querySelector('.source-text').innerText !== old", arg=first)
    assert tab.answers == [tab.source] and tab.page.input_value(".comment textarea") == ""
    tab.press("Alt+j")
    tab.wait("dialog", "Why do you skip it?")
    tab.press("Tab", "Tab", "Enter")  # without a reason
    tab.wait("dialog .problem", "Say why")
    tab.type("不是中文")
    tab.press("Tab", "Tab", "Enter")
    tab.wait("h1", "All done")
    assert {it["status"]: it["comment"] for it in project.submissions()} == {
        "not_annotatable": "看不懂",
        "skipped": "不是中文",
    }


def test_a_suggestion_comes_only_where_it_is_allowed(browsers: Browsers, workshop: Workshop) -> None:
    lines = ["He go home."]
    without = workshop.make_project(lines, "annotator", language="en", **ONE_ANNOTATOR)
    tab = browsers.open(without.names[0]).open(f"work?project={without.id}")
    tab.wait(".answer textarea")
    assert not tab.page.get_by_role("button", name="Suggestion").is_visible()
    project = workshop.make_project(lines, "annotator", language="en", settings={"k": 1, "suggestions": True})
    tab = browsers.open(project.names[0]).open(f"work?project={project.id}")
    tab.wait(".answer textarea")
    tab.press("Alt+s")
    tab.page.wait_for_function("() => document.querySelector('.answer textarea').value === 'He goes home.'")
    tab.press("Control+Enter")
    tab.wait("h1", "All done")
    assert project.submissions()[0]["is_suggested"] == 1


def test_a_paragraph_is_shown_whole(browsers: Browsers, workshop: Workshop) -> None:
    text = "He go home. She sleeps.\n\nAll is well.\n"
    project = workshop.make_project([], "annotator", text=text, language="en", kind="minimal", **ONE_ANNOTATOR)
    tab = browsers.open(project.names[0]).open(f"work?project={project.id}")
    tab.wait(".answer textarea")
    assert (tab.source, tab.text(".is-current")) in [
        ("He go home. She sleeps.", "He go home."),
        ("He go home. She sleeps.", "She sleeps."),
        ("All is well.", "All is well."),
    ]
    assert tab.answers == [tab.text(".is-current")]
    assert tab.page.get_attribute(".source-text", "lang") == "en"


def test_keys_are_listed_and_an_input_method_has_its_own(browsers: Browsers, workshop: Workshop) -> None:
    project = workshop.make_project(ZH[:1], "annotator", **ONE_ANNOTATOR)
    tab = browsers.open(project.names[0]).open(f"work?project={project.id}")
    tab.wait(".answer textarea")
    tab.type("?")
    assert tab.answers[0].endswith("?") and tab.page.locator("dialog").count() == 0
    tab.press("Control+z", "Alt+k")
    tab.wait("dialog", "Save and next")
    tab.press("Escape")
    assert tab.focus == "TEXTAREA Your correction"
    tab.page.get_by_role("radio", name="Corrected").focus()
    tab.press("?")
    tab.wait("dialog", "Save and next")
    tab.press("Escape")
    tab.page.focus(".answer textarea")
    place = {"selectionStart": 2, "selectionEnd": 2}
    session = tab.context.new_cdp_session(tab.page)
    session.send("Input.imeSetComposition", {"text": "wo", **place})
    tab.press("Control+Enter")
    session.send("Input.insertText", {"text": "我"})
    tab.page.wait_for_timeout(300)
    assert "我" in tab.answers[0] and project.submissions() == []


@pytest.mark.parametrize("kind", ["annotate", "qualify"])
def test_the_qualification_comes_first_and_says_how_it_went(browsers: Browsers, workshop: Workshop, kind: str) -> None:
    settings = {"k": 1, "qualification": {"n": 1, "share": 0.9}}
    project = workshop.make_project(ZH[:1], "annotator", settings=settings)
    gold = "1\t我门好。\t我们好。\n"
    project.visitor.bring(project.id, gold, "format=mucgec&purpose=qualify&name=gold.tsv")
    tab = browsers.open(project.names[0]).open(f"project?id={project.id}")
    tab.wait("main", "First comes a qualification: 1 sentence")
    tab.page.click(".todo")
    tab.wait("h1", "Qualification")
    assert not tab.page.get_by_role("button", name="Skip").is_visible()
    tab.rewrite("我们好。" if kind == "annotate" else "我好。")
    tab.press("Control+Enter")
    if kind == "annotate":
        tab.wait("#notice", "You are qualified: 1 of 1 were right.")
        tab.open(f"work?project={project.id}")
        assert tab.source == ZH[0]
    else:
        tab.wait("#notice", "0 of 1 were right, which is not enough")
        tab.wait("h1", "not passed")
