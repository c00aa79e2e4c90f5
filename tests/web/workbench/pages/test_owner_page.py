"""The owner's page, and how people come into a project, in a real Chromium in front of the real server."""

from __future__ import annotations

from pathlib import Path

from workshop import ZH, Browsers, Tab, Workshop

PASSWORD = "three words together"


def _choose(tab: Tab, path: Path) -> None:
    with tab.page.expect_file_chooser() as chosen:
        tab.page.get_by_role("button", name="Choose a file").click()
    chosen.value.set_files(path)


def test_from_nothing_to_the_first_sentence(browsers: Browsers, workshop: Workshop, tmp_path: Path) -> None:
    owner = browsers.open(workshop.add("owner", is_owner=True)).open("")
    owner.wait("main", "Nothing here yet")
    owner.page.get_by_role("link", name="New project").click()
    owner.wait("h1", "New project")
    owner.press("Enter")
    owner.wait(".problem", "Give the project a name")
    owner.type("一个项目")
    owner.page.get_by_role("radio", name="Minimal edits").check()
    owner.page.get_by_role("radio", name="Chinese").check()
    owner.page.get_by_role("button", name="Make the project").click()
    owner.wait("[aria-selected=true]", "Import and export")

    (tmp_path / "bad.m2").write_text("S 我 门\nA 9 10|||S|||们|||REQUIRED|||-NONE-|||0\n", "utf-8")
    _choose(owner, tmp_path / "bad.m2")
    owner.wait(".import-said", "Nothing was imported from bad.m2")
    assert "2" in owner.text(".import-said td.number")
    (tmp_path / "good.txt").write_text("".join(f"{line}\n" for line in ZH), "utf-8")
    _choose(owner, tmp_path / "good.txt")
    owner.wait(".import-said", "3 sentences")

    owner.page.get_by_role("tab", name="People").click()
    owner.page.get_by_role("button", name="Make a link").click()
    owner.wait(".made-link")
    link = owner.page.input_value(".made-link input")
    assert "/workbench/join#" in link
    owner.page.get_by_role("tab", name="Settings").click()
    owner.page.get_by_role("button", name="Start").click()
    owner.wait(".page-head .tag", "Running")

    new = browsers.open()
    new.page.goto(link)
    new.wait("h1", "You are invited to “一个项目”")
    new.type("newcomer <b>")
    new.press("Tab")
    new.type("short")
    new.press("Enter")
    new.wait(".problem", "at least 10 characters")
    new.rewrite(PASSWORD)
    new.press("Enter")
    new.wait("h1", "一个项目")
    new.page.get_by_role("link", name="Annotate").click()
    new.wait(".answer textarea")
    assert new.source == "".join(ZH) and new.text(".is-current") in ZH
    again = browsers.open()
    again.page.goto(link)
    again.wait("h1", "This invitation does not work")

    owner.page.get_by_role("tab", name="People").click()
    owner.wait("tr", n=5)
    assert "newcomer <b>" in owner.text(".table")


def test_an_invitation_for_somebody_who_has_an_account(browsers: Browsers, workshop: Workshop) -> None:
    project = workshop.make_project(ZH)
    link = project.visitor.post(f"/projects/{project.id}/invitations", {"role": "reviewer", "n_uses": 2, "days": 1})[
        "link"
    ]
    address = workshop.address + link[link.index("/workbench") :]
    name = workshop.add("reviewer")
    known = browsers.open(name)
    known.page.goto(address)
    known.page.get_by_role("button", name=f"Join as {name}").click()
    known.page.wait_for_url("**/project?id=*")
    known.ready()
    assert "Reviewer" in known.text("main")
    stranger = browsers.open()
    stranger.page.goto(address)
    stranger.page.get_by_role("link", name="I have an account").click()
    stranger.type(workshop.add("reviewer"))
    stranger.press("Tab")
    stranger.type("wrong password")
    stranger.press("Enter")
    stranger.wait(".problem", "Name or password is wrong")


def test_settings_are_saved_and_somebody_elses_change_is_not_lost(browsers: Browsers, workshop: Workshop) -> None:
    project = workshop.make_project(ZH)
    tab = browsers.open(project.owner).open(f"owner?project={project.id}#settings")
    k = tab.page.get_by_label("Annotators for each sentence")
    k.fill("0")
    tab.page.get_by_role("button", name="Save the settings").click()
    tab.wait(".problem", "Enter a number from 1 to 20")
    k.fill("5")
    tab.page.get_by_role("button", name="Save the settings").click()
    tab.wait("#notice", "Saved")
    now = project.visitor.get(f"/projects/{project.id}")
    assert now["settings"]["k"] == 5
    project.visitor.patch(f"/projects/{project.id}", {"version": now["version"], "name": "Another name"})
    k.fill("4")
    tab.page.get_by_role("button", name="Save the settings").click()
    tab.wait("#notice", "Somebody else changed the project")
    tab.wait("h1", "Another name")
    assert project.visitor.get(f"/projects/{project.id}")["settings"]["k"] == 5


def test_guidelines_are_shown_as_they_are_written(browsers: Browsers, workshop: Workshop) -> None:
    project = workshop.make_project(ZH)
    tab = browsers.open(project.owner).open(f"owner?project={project.id}#guidelines")
    tab.page.get_by_role("textbox").fill("# 规则\n\n| 类 | 例 |\n|---|---|\n| **缺** | `[MC]` |\n\n<b>不是粗体</b>")
    tab.wait(".halves table strong", "缺")
    assert "<b>不是粗体</b>" in tab.text(".halves .guidelines")
    tab.page.get_by_role("button", name="Save the guidelines").click()
    tab.wait("#notice", "Saved")
    assert project.visitor.get(f"/projects/{project.id}")["guidelines"].startswith("# 规则")


def test_items_are_filtered_withdrawn_and_taken_up(browsers: Browsers, workshop: Workshop) -> None:
    project = workshop.make_project(ZH)
    tab = browsers.open(project.owner).open(f"owner?project={project.id}#items")
    tab.wait(".list-bar", "1 to 3 of 3")
    tab.page.get_by_role("button", name="History").first.click()
    tab.page.get_by_role("button", name="Withdraw the sentence").click()
    tab.wait("tbody .tag", "Withdrawn")
    tab.page.get_by_label("Which sentences").select_option("withdrawn")
    tab.wait(".list-bar", "1 to 1 of 1")
    tab.page.get_by_role("button", name="History").click()
    tab.page.get_by_role("button", name="Take it up again").click()
    tab.wait(".box", "No sentences here")


def test_the_trail_tells_what_happened_and_tabs_go_by_keys(browsers: Browsers, workshop: Workshop) -> None:
    project = workshop.make_project(ZH, "annotator")
    tab = browsers.open(project.owner).open(f"owner?project={project.id}#trail")
    tab.wait(".trail", "imported sentences")
    assert f"{project.owner} made the project" in " ".join(tab.text(".trail").split())
    workshop.visit(project.names[0]).post(f"/projects/{project.id}/tasks/next")
    [member] = [it for it in project.visitor.get(f"/projects/{project.id}/members") if it["name"] == project.names[0]]
    project.visitor.patch(f"/projects/{project.id}/members/{member['user_id']}", {"state": "removed"})
    tab.page.reload()
    tab.wait(".trail", f"{project.names[0]} took a sentence no.")
    tab.wait(".trail", f"changed a member {project.names[0]}")
    tab.page.get_by_role("tab", name="What happened").focus()
    tab.press("ArrowLeft")
    tab.wait("[aria-selected=true]", "Import and export")
    tab.press("Home")
    tab.wait("[aria-selected=true]", "Progress")
    assert tab.page.url.endswith("#progress")


def test_the_owner_is_told_whom_a_project_lacks(browsers: Browsers, workshop: Workshop) -> None:
    project = workshop.make_project(ZH[:1], "annotator", settings={"k": 2})
    tab = browsers.open(project.owner).open(f"owner?project={project.id}#progress")
    tab.wait(".charts")
    assert tab.page.locator(".charts .problem").count() == 0
    for name, lacks in ((project.names[0], "lacks an annotator"), (project.owner, "lacks a reviewer")):
        visitor = workshop.visit(name)
        task = visitor.post(f"/projects/{project.id}/tasks/next")["task"]
        body = {"version": task["version"], "key": name, "status": "error_free", "answers": [ZH[0]]}
        visitor.post(f"/tasks/{task['id']}/submit", body)
        tab.page.reload()
        tab.wait(".charts .problem", lacks)


def test_who_may_not_see_a_project_is_told_so(browsers: Browsers, workshop: Workshop) -> None:
    project = workshop.make_project(ZH, "annotator")
    stranger = browsers.open(workshop.add("annotator")).open(f"project?id={project.id}")
    stranger.wait("main", "There is no such project, or you are no member of it")
    tab = browsers.open(project.names[0]).open(f"owner?project={project.id}#people")
    tab.wait(".problem", "only an owner")
