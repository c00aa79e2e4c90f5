"""What people may undo, in a real Chromium: answers, who has which sentence, files, whole projects."""

from __future__ import annotations

from workshop import ZH, Browsers, Workshop


def test_an_answer_is_taken_back_from_the_work_page_and_from_the_list(browsers: Browsers, workshop: Workshop) -> None:
    project = workshop.make_project(ZH, "annotator", settings={"k": 1})
    tab = browsers.open(project.names[0]).open(f"work?project={project.id}")
    tab.wait(".answer textarea")
    assert not tab.page.locator(".back-button").is_visible()
    first = tab.source
    tab.rewrite("写错了。")
    tab.press("Control+Enter")
    tab.page.wait_for_function("old => document.querySelector('.source-text').innerText !== old", arg=first)
    second = tab.source
    tab.rewrite("第二句。")
    tab.wait_for_draft("saved")
    tab.press("Alt+z")
    tab.wait("#notice", "You took this answer back")
    assert (tab.source, tab.answers) == (first, ["写错了。"])
    tab.rewrite("改好了。")
    tab.press("Control+Enter")
    tab.page.wait_for_function("old => document.querySelector('.source-text').innerText === old", arg=second)
    assert tab.answers == ["第二句。"]  # what was typed meanwhile is still there
    tab.open(f"project?id={project.id}")
    tab.wait(".trail .study-text", "改好了")
    tab.page.get_by_role("link", name="Take back").click()
    tab.wait("#notice", "You took this answer back")
    assert tab.answers == ["改好了。"] and "back=" not in tab.page.url
    events = [event["kind"] for event in project.visitor.get(f"/projects/{project.id}/events")]
    assert events.count("task.taken_back") == 2
    assert [(it["answers"], it["is_taken_back"]) for it in project.submissions()] == [
        (["写错了。"], True),
        (["改好了。"], True),
    ]


def test_the_owner_gives_a_sentence_to_somebody_else(browsers: Browsers, workshop: Workshop) -> None:
    project = workshop.make_project(ZH[:1], "annotator", "annotator", settings={"k": 1})
    first, second = project.names
    worker = browsers.open(first).open(f"work?project={project.id}")
    worker.wait(".answer textarea")
    tab = browsers.open(project.owner).open(f"owner?project={project.id}#items")
    tab.page.get_by_role("button", name="History").click()
    tab.wait(".holder", first)
    tab.page.get_by_role("button", name="Take away").click()
    tab.wait(".holder", n=0)
    tab.page.get_by_label("Give it to").select_option(label=second)
    tab.page.get_by_role("button", name="Assign").click()
    tab.wait(".holder", second)
    tab.page.get_by_label("Give it to").select_option(label=first)
    tab.page.get_by_role("button", name="Assign").click()
    tab.wait(".holders .problem", "others have the sentence already: take it away from somebody")
    worker.rewrite("太晚了。")
    worker.wait("#notice", "no longer yours")
    assert workshop.visit(second).post(f"/projects/{project.id}/tasks/next")["task"]["item"]["source"] == ZH[0]


def test_a_chinese_owner_is_asked_before_anything_is_doubled_or_deleted(browsers: Browsers, workshop: Workshop) -> None:
    project = workshop.make_project(ZH, name="作文")
    tab = browsers.open(project.owner, locale="zh-CN").open(f"owner?project={project.id}#files")
    page = tab.page
    file = {"name": "a.txt", "mimeType": "text/plain", "buffer": "\n".join(ZH).encode()}
    page.locator("input[type=file]").set_input_files(file)
    tab.wait(".import-said", "a.txt 的 3 句都已在项目中")
    page.get_by_role("button", name="仍要导入").click()
    tab.wait(".import-said .is-good", "已从 a.txt 导入 3 句")
    tab.open("new")
    page.get_by_label("项目名称").fill("作文")
    page.get_by_role("button", name="新建项目").click()
    tab.wait("dialog", "您已有一个名为“作文”的项目")
    page.get_by_role("button", name="换个名称").click()
    tab.open(f"owner?project={project.id}#settings")
    page.get_by_role("button", name="归档").click()
    page.get_by_role("dialog").get_by_role("button", name="归档").click()
    tab.wait(".tag", "已归档")
    page.get_by_label("请输入项目名称：作文").fill("作业")
    page.get_by_role("button", name="永久删除").click()
    tab.wait(".problem", "与项目名称不符")
    page.get_by_label("请输入项目名称：作文").fill("作文")
    page.get_by_role("button", name="永久删除").click()
    tab.wait("h2", "这里还没有内容")
    assert project.visitor.get("/projects") == []
    # What only the server knows is told in the page's language.
    told = page.evaluate(
        "async () => (await (await fetch('api/projects/x', {headers: {'Accept-Language': 'zh'}})).json()).detail"
    )
    assert told == "没有这项内容，或者您无权查看"
    invited = workshop.make_project(ZH[:1]).visitor
    link = invited.post(f"/projects/{invited.get('/projects')[0]['id']}/invitations", {"role": "annotator"})["link"]
    guest = browsers.open()
    guest.page.goto(workshop.address)  # the language chosen on the page that corrects texts is carried over
    guest.page.locator("[data-ui=zh]").click()
    guest.open(link.removeprefix("/workbench/"))
    guest.page.get_by_label("取一个用户名").fill(project.owner)
    password = guest.page.get_by_label("新密码")
    password.fill("correct horse battery")
    guest.page.get_by_role("button", name="显示").click()
    assert password.get_attribute("type") == "text"
    guest.page.get_by_role("button", name="加入").click()
    guest.wait(".problem", f"用户名 {project.owner} 已被使用，请换一个")
