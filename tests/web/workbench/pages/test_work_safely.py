"""Nothing typed is lost: networks that go away, other tabs, ended sessions, leases that run out, hostile texts."""

from __future__ import annotations

import pytest
from people import PASSWORD
from workshop import ZH, Browsers, Project, Tab, Workshop

HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>\'";--'


@pytest.fixture
def project(workshop: Workshop) -> Project:
    return workshop.make_project(ZH[:1], "annotator", "annotator", settings={"k": 1})


@pytest.fixture
def tab(browsers: Browsers, project: Project) -> Tab:
    tab = browsers.open(project.names[0]).open(f"work?project={project.id}")
    tab.wait(".answer textarea")
    return tab


def test_a_draft_is_there_after_a_reload_and_on_another_computer(
    tab: Tab, project: Project, browsers: Browsers
) -> None:
    tab.save("我们去公园。")
    tab.page.reload()
    tab.wait(".answer textarea")
    assert tab.answers == ["我们去公园。"]
    other = browsers.open(project.names[0]).open(f"work?project={project.id}")
    other.wait(".answer textarea")
    assert other.answers == ["我们去公园。"]


def test_what_is_typed_without_a_network_is_sent_when_it_is_back(tab: Tab, project: Project) -> None:
    tab.save("我们")
    tab.context.set_offline(True)
    tab.type("去公")
    tab.wait(".state", "Saved on this computer, will be sent")
    tab.type("园。")
    tab.context.set_offline(False)
    tab.wait_for_draft("saved")
    task = _draft_of(tab, project)
    assert tab.answers == ["我们去公园。"] == task["answers"]


def test_a_browser_closed_without_a_network_brings_back_what_was_typed(tab: Tab, project: Project) -> None:
    tab.context.set_offline(True)
    tab.rewrite("我们去公园吧。")
    tab.wait_for_draft("here")
    tab.page.close()
    tab.context.set_offline(False)
    later = tab.other().open(f"work?project={project.id}")
    later.wait(".answer textarea")
    assert later.answers == ["我们去公园吧。"] and later.problems == []
    later.wait_for_draft("saved")
    assert _draft_of(later, project)["answers"] == ["我们去公园吧。"]


def test_an_answer_handed_in_without_a_network_goes_out_by_itself_once(tab: Tab, project: Project) -> None:
    tab.save("我们去公园。")
    tab.context.set_offline(True)
    tab.press("Control+Enter")
    tab.wait(".state", "sent as soon as the server answers")
    assert project.submissions() == []
    tab.context.set_offline(False)
    tab.wait("h1", "All done")
    assert [it["answers"] for it in project.submissions()] == [["我们去公园。"]]


def test_an_answer_whose_receipt_was_lost_is_not_doubled(tab: Tab, project: Project) -> None:
    n_tries = 0

    def lose_the_first(route: object) -> None:
        nonlocal n_tries
        n_tries += 1
        if n_tries == 1:
            route.fetch()  # type: ignore[attr-defined]
            route.abort()  # type: ignore[attr-defined]
        else:
            route.continue_()  # type: ignore[attr-defined]

    tab.page.route("**/submit", lose_the_first)
    tab.rewrite("我们去公园。")
    tab.press("Control+Enter")
    tab.wait("h1", "All done")
    assert len(project.submissions()) == 1
    if not n_tries:
        pytest.skip("the browser sent past the route, so nothing was lost")
    assert n_tries == 2


def test_a_second_tab_shows_the_same_and_learns_that_it_is_handed_in(tab: Tab, project: Project) -> None:
    tab.save("我们去公园。")
    second = tab.other().open(f"work?project={project.id}")
    second.wait(".answer textarea")
    assert second.answers == ["我们去公园。"] and second.source == tab.source
    tab.page.bring_to_front()
    tab.press("Control+Enter")
    tab.wait("h1", "All done")
    second.wait("#notice", "handed in already")
    assert second.answers == ["我们去公园。"]
    second.page.get_by_role("button", name="Next sentence").click()
    second.wait("h1", "All done")
    assert len(project.submissions()) == 1 and second.problems == []


def test_a_tab_that_heard_nothing_is_told_by_the_server(tab: Tab, project: Project, browsers: Browsers) -> None:
    other = browsers.open(project.names[0]).open(f"work?project={project.id}")  # another computer
    other.wait(".answer textarea")
    tab.rewrite("我们去公园。")
    tab.press("Control+Enter")
    tab.wait("h1", "All done")
    other.rewrite("我和他去公园。")
    other.press("Control+Enter")
    other.wait("#notice", "handed in already")
    assert other.answers == ["我和他去公园。"] and len(project.submissions()) == 1


def test_two_different_texts_are_both_there_until_somebody_decides(
    tab: Tab, project: Project, browsers: Browsers
) -> None:
    other = browsers.open(project.names[0]).open(f"work?project={project.id}")
    other.wait(".answer textarea")
    tab.save("我们去公园。")
    other.rewrite("我去公园。")
    other.wait("#notice", "Another tab saved another text")
    assert other.answers == ["我去公园。"]
    other.page.get_by_role("button", name="Keep the text here").click()
    other.wait_for_draft("saved")
    assert _draft_of(other, project)["answers"] == ["我去公园。"]
    tab.type("！")
    tab.wait("#notice", "Another tab saved another text")
    tab.page.get_by_role("button", name="Take the other text").click()
    assert tab.answers == ["我去公园。"]


def test_a_sentence_left_too_long_goes_to_somebody_else_and_the_text_stays(
    tab: Tab, project: Project, workshop: Workshop
) -> None:
    tab.save("我们")
    workshop.offset += 31 * 60
    other = workshop.visit(project.names[1])
    assert other.post(f"/projects/{project.id}/tasks/next")["task"] is not None
    tab.page.focus(".answer textarea")
    tab.type("去公园。")
    tab.wait("#notice", "went to somebody else")
    assert "去公园。" in tab.answers[0]
    tab.page.get_by_role("button", name="Next sentence").click()
    tab.wait("h1", "All done")


def test_somebody_who_types_keeps_the_sentence(tab: Tab, project: Project, workshop: Workshop) -> None:
    for text in ("我", "我们", "我们去"):
        workshop.offset += 20 * 60
        tab.save(text)
    other = workshop.visit(project.names[1])
    assert other.post(f"/projects/{project.id}/tasks/next")["task"] is None


def test_an_ended_session_loses_nothing(tab: Tab, project: Project) -> None:
    tab.save("我们")
    tab.context.clear_cookies()
    tab.type("去公园。")
    tab.wait("#notice", "You are logged out")
    with tab.context.expect_page() as opened:
        tab.page.get_by_role("link", name="Log in").click()
    login = opened.value
    login.wait_for_selector("input[type=password]")
    login.keyboard.type(project.names[0])
    login.keyboard.press("Tab")
    login.keyboard.type(PASSWORD)
    login.keyboard.press("Enter")
    login.wait_for_url("**/work?project=*")
    login.close()
    tab.page.bring_to_front()
    tab.page.evaluate("window.dispatchEvent(new Event('focus'))")  # headless windows do not get it by themselves
    tab.wait_for_draft("saved")
    assert tab.answers == ["我们去公园。"] == _draft_of(tab, project)["answers"]


def test_logging_out_and_in_again_in_another_tab_loses_nothing(tab: Tab, project: Project) -> None:
    other = tab.other().open("")
    other.page.locator(".account summary").click()
    other.page.get_by_role("button", name="Log out").click()
    other.page.wait_for_url("**/login")
    other.log_in(project.names[0])
    other.page.close()
    tab.page.bring_to_front()
    tab.save("我们去公园。")  # the page has the token of the session before
    tab.wait(".answer .edit")
    tab.press("Control+Enter")
    tab.wait("h1", "All done")
    assert [it["answers"] for it in project.submissions()] == [["我们去公园。"]]


def test_somebody_else_in_this_browser_gets_nothing_of_it(
    tab: Tab, project: Project, browsers: Browsers, workshop: Workshop
) -> None:
    other = tab.other().log_in(project.names[1])
    tab.page.bring_to_front()
    tab.rewrite("我们去公园。")
    tab.press("Control+Enter")
    tab.wait(".answer .problem", "another session")
    assert project.submissions() == [] and other.problems == []
    assert tab.answers == ["我们去公园。"]


def test_somebody_taken_out_of_a_project_is_told_so_and_keeps_the_text(tab: Tab, project: Project) -> None:
    [member] = [it for it in project.visitor.get(f"/projects/{project.id}/members") if it["name"] == project.names[0]]
    project.visitor.patch(f"/projects/{project.id}/members/{member['user_id']}", {"state": "removed"})
    tab.rewrite("我们去公园。")
    tab.wait("#notice", "no longer yours")
    assert tab.answers == ["我们去公园。"]


def test_hostile_texts_are_shown_as_texts(browsers: Browsers, workshop: Workshop) -> None:
    project = workshop.make_project(
        [HOSTILE],
        "annotator",
        "reviewer",
        name=HOSTILE,
        guidelines=f"# {HOSTILE}\n\n[x](javascript:window.hacked=1)",
        settings={"k": 1},
    )
    tab = browsers.open(project.names[0]).open(f"project?id={project.id}")
    assert HOSTILE in tab.text("h1") and HOSTILE in tab.text(".guidelines")
    tab.open(f"work?project={project.id}")
    tab.wait(".answer textarea")
    assert tab.source == HOSTILE
    tab.rewrite(HOSTILE + HOSTILE)
    tab.press("Alt+c")
    tab.type(HOSTILE)
    tab.wait(".edit")
    _check_harmless(tab)
    tab.press("Control+Enter")
    tab.wait("h1", "All done")
    reviewer = browsers.open(project.names[1]).open(f"review?project={project.id}")
    reviewer.wait(".verdict-text", HOSTILE)
    assert HOSTILE in reviewer.text(".said-by")
    _check_harmless(reviewer)
    owner = browsers.open(project.owner).open(f"owner?project={project.id}#items")
    owner.page.get_by_role("button", name="History").click()
    owner.wait("dialog", HOSTILE)
    _check_harmless(owner)


def _check_harmless(tab: Tab) -> None:
    assert tab.page.evaluate("window.hacked") is None
    assert tab.page.locator("img, main script, iframe, a[href^=javascript]").count() == 0


def _draft_of(tab: Tab, project: Project) -> dict[str, object]:
    """The draft that the server has."""
    found = tab.page.evaluate(
        """async (id) => {
            const { post } = await import("/workbench/static/api.js");
            return (await post(`workbench/api/projects/${id}/tasks/next`)).task.draft;
        }""",
        project.id,
    )
    assert isinstance(found, dict)
    return found
