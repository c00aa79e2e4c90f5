"""Review, self-study and complaints, in a real Chromium in front of the real server."""

from __future__ import annotations

from workshop import Browsers, Project, Tab, Workshop

SOURCE = "我门去公圆玩。"
RIGHT, HALF, OTHER = "我们去公园玩。", "我们去公圆玩。", "我们去公园玩儿。"


def _annotate(workshop: Workshop, project: Project, name: str, *answers: str, comment: str = "") -> None:
    visitor = workshop.visit(name)
    task = visitor.post(f"/projects/{project.id}/tasks/next", {"kind": "annotate"})["task"]
    body = {"version": task["version"], "key": f"key-{name}", "seconds": 5, "comment": comment}
    visitor.post(f"/tasks/{task['id']}/submit", {**body, "status": "corrected", "answers": list(answers)})


def _reviewed(workshop: Workshop, browsers: Browsers) -> tuple[Project, Tab]:
    """A sentence with three answers, before the review."""
    project = workshop.make_project([SOURCE], "annotator", "annotator", "reviewer", "reviewer", settings={"k": 2})
    _annotate(workshop, project, project.names[0], RIGHT, comment="很简单")
    _annotate(workshop, project, project.names[1], HALF, RIGHT)
    tab = browsers.open(project.names[2]).open(f"review?project={project.id}")
    tab.wait(".verdict")
    return project, tab


def test_a_review_by_keys_alone(browsers: Browsers, workshop: Workshop) -> None:
    project, tab = _reviewed(workshop, browsers)
    shown = tab.page.locator(".verdict-text").all_inner_texts()
    n_right, n_half = (next(i for i, text in enumerate(shown, 1) if text.count("园") == n) for n in (1, 0))
    assert "2 annotators" in tab.text(f".verdict:nth-child({n_right})") and "很简单" in tab.text(".said-by")
    assert tab.page.locator(".verdict .edit").count() == 3
    tab.press("Control+Enter")
    tab.wait(".verdict:nth-child(1) .problem", "Decide this one first")
    tab.press(str(n_right))
    tab.wait(f".verdict:nth-child({n_right})[data-verdict=right]")
    tab.press(str(n_half), str(n_half))
    tab.wait(f".verdict:nth-child({n_half})[data-verdict=wrong]")
    tab.press("ArrowLeft")
    tab.wait(f".verdict:nth-child({n_half})[data-verdict=right]")
    tab.press("ArrowRight", "c")
    tab.type("还有一个错字")
    tab.page.locator(f".verdict:nth-child({n_half}) input[type=radio]").first.focus()
    tab.press("ArrowUp" if n_half > n_right else "ArrowDown", "e")
    tab.wait(".answers textarea")
    assert tab.answers == [RIGHT]
    tab.press("Control+Enter")
    tab.wait(".answers .problem", "there already")
    tab.rewrite(OTHER)
    tab.wait(".answers .edit")
    tab.press("Control+Enter")
    tab.wait("h1", "All done")
    [history] = project.histories()
    assert sorted(history["golden"]) == sorted([RIGHT, OTHER]) and history["item"]["state"] == "done"
    verdicts = {it["target"]: (it["is_accepted"], it["comment"]) for it in history["verdicts"]}
    assert verdicts[HALF] == (0, "还有一个错字") and verdicts[RIGHT][0] == 1


def test_a_review_needs_a_reference_or_says_that_there_is_none(browsers: Browsers, workshop: Workshop) -> None:
    project, tab = _reviewed(workshop, browsers)
    for number in range(2):
        tab.press("ArrowRight", *["ArrowDown"] * (number == 0))
    tab.press("Control+Enter")
    tab.wait("#notice", "At least one answer must be right")
    tab.page.get_by_role("radio", name="Not annotatable").check()
    tab.press("Control+Enter")
    tab.wait("h1", "All done")
    [history] = project.histories()
    assert history["item"]["outcome"] == "not_annotatable" and history["golden"] == []


def test_a_reviewer_sees_who_found_a_sentence_not_annotatable(browsers: Browsers, workshop: Workshop) -> None:
    project = workshop.make_project([SOURCE], "annotator", "annotator", "reviewer", settings={"k": 2})
    _annotate(workshop, project, project.names[0], RIGHT)
    visitor = workshop.visit(project.names[1])
    task = visitor.post(f"/projects/{project.id}/tasks/next")["task"]
    body = {"version": task["version"], "key": "key", "status": "not_annotatable", "answers": []}
    visitor.post(f"/tasks/{task['id']}/submit", body)
    tab = browsers.open(project.names[2]).open(f"review?project={project.id}")
    tab.wait(".said-by", "Not annotatable")
    assert "1 annotator" in tab.text(".said-by") and tab.page.locator(".verdict").count() == 1
    tab.press("Alt+3")
    tab.type("没有意义")
    tab.press("Control+Enter")
    tab.wait("h1", "All done")
    [history] = project.histories()
    assert history["item"]["outcome"] == "not_annotatable"


def test_a_rejection_without_words_is_told_in_words(browsers: Browsers, workshop: Workshop) -> None:
    project = workshop.make_project([SOURCE], "annotator", "reviewer", settings={"k": 1})
    _annotate(workshop, project, project.names[0], HALF)
    reviewer = browsers.open(project.names[1]).open(f"review?project={project.id}")
    reviewer.wait(".verdict")
    reviewer.press("ArrowRight", "a")
    reviewer.rewrite(SOURCE)
    reviewer.press("Control+Enter")
    reviewer.wait("h1", "All done")
    student = browsers.open(project.names[0]).open(f"work?project={project.id}")
    student.wait(".study-answer.is-right", "Error free")
    student.press("Alt+c")
    student.wait("dialog", "Why is your answer right?")
    student.type("没错")
    student.page.reload()  # nothing typed is lost, here neither
    student.wait(".study")
    student.press("Alt+c")
    student.wait("dialog", "Why is your answer right?")
    assert student.page.input_value("dialog textarea") == "没错"
    student.press("Control+Enter")
    student.wait("h1", "All done")
    reviewer.open(f"review?project={project.id}")
    reviewer.wait("h1", "Decide the complaint")
    reviewer.press("2", "Control+Enter")
    reviewer.wait("h1", "All done")
    student.open(f"work?project={project.id}")
    student.wait(".study-answer.is-wrong", "A reviewer looked at it again")
    assert "If you think" not in student.text(".study-says")


def test_a_review_half_done_is_there_after_a_reload(browsers: Browsers, workshop: Workshop) -> None:
    _, tab = _reviewed(workshop, browsers)
    with tab.saving():
        tab.press("1")
    tab.page.reload()
    tab.wait(".verdict:nth-child(1)[data-verdict=right]")
    assert tab.page.locator(".verdict[data-verdict='']").count() == 1


def test_study_then_complaint_then_judgement(browsers: Browsers, workshop: Workshop) -> None:
    project, tab = _reviewed(workshop, browsers)
    shown = tab.page.locator(".verdict-text").all_inner_texts()
    half = next(i for i, text in enumerate(shown, 1) if "园" not in text)
    tab.press(str(half), str(half), str(3 - half), "Control+Enter")
    tab.wait("h1", "All done")

    student = browsers.open(project.names[1]).open(f"work?project={project.id}")
    student.wait(".study")
    student.wait(".study-answer.is-right ins", "园")
    assert student.page.locator(".study-answer.is-wrong").count() == 1 and student.answers == [HALF]
    student.press("Control+Enter")
    student.wait(".answer .problem", "Not an accepted answer yet")
    student.rewrite("乱写")
    student.wait(".study-verdict", "Not an accepted answer yet")
    student.rewrite(RIGHT)
    student.wait(".study-verdict[data-right=true]", "This is an accepted answer")
    student.press("Alt+c")
    student.wait("dialog", "Why is your answer right?")
    student.type("公圆也可以")
    student.press("Tab", "Tab", "Enter")
    student.wait("h1", "All done")

    judge = browsers.open(project.names[3]).open(f"review?project={project.id}")
    judge.wait("h1", "Decide the complaint")
    judge.wait(".reviewer-says", "公圆也可以")
    judge.press("Control+Enter")
    judge.wait(".judge-decision .problem", "Decide this one first")
    judge.press("2")
    judge.press("c")
    judge.type("“圆”是错字")
    judge.press("Control+Enter")
    judge.wait("h1", "All done")

    student.open(f"work?project={project.id}")
    student.wait(".study-answer.is-wrong", "“圆”是错字")
    assert student.page.get_by_role("button", name="My answer is right").count() == 0
    student.rewrite(RIGHT)
    student.press("Control+Enter")
    student.wait("h1", "All done")
    statuses = [(it["kind"], it["status"]) for it in project.submissions() if it["kind"] != "annotate"]
    assert statuses == [("review", "corrected"), ("study", "complained"), ("judge", "rejected"), ("study", "corrected")]


def test_nobody_sees_who_answered_unless_the_owner_says_so(browsers: Browsers, workshop: Workshop) -> None:
    project = workshop.make_project([SOURCE], "annotator", "reviewer", settings={"k": 1, "blind": False})
    _annotate(workshop, project, project.names[0], RIGHT)
    tab = browsers.open(project.names[1]).open(f"review?project={project.id}")
    tab.wait(".verdict", project.names[0])
    project, tab = _reviewed(workshop, browsers)
    assert not any(name in tab.text("main") for name in project.names[:2])
