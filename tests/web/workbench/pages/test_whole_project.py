"""Three annotators and a reviewer take ten sentences from import to export through every state, in Chromium."""

from __future__ import annotations

from pathlib import Path

import pytest
from workshop import Browsers, Tab, Workshop

# A sentence, its correction, and what annotators write who are not careful; None: it has no errors.
SENTENCES: dict[str, tuple[str | None, str | None]] = {
    "我门去公园。": ("我们去公园。", None),
    "他很很好。": ("他很好。", "他好。"),
    "今天天气好。": (None, None),
    "我在家里做作业。": (None, None),
    "他门是学生。": ("他们是学生。", "他们是老师。"),
    "我喜欢看书书。": ("我喜欢看书。", None),
    "你门好。": ("你们好。", None),
    "啊吧唧。": (None, None),
    "大家都来来了。": ("大家都来了。", None),
    "我的爸爸经常我。": ("我的爸爸经常[MC]我。", None),
}
UNREADABLE = "啊吧唧。"


def _work(tab: Tab, project_id: str, *, is_careful: bool) -> int:
    """Annotate until nothing is left; how many sentences there were."""
    tab.open(f"work?project={project_id}")
    n_done = 0
    while tab.page.locator(".answer textarea").count() or tab.page.locator(".status-says").is_visible():
        source = tab.source
        right, careless = SENTENCES[source]
        if source == UNREADABLE:
            tab.press("Alt+3")
        elif right is None:
            tab.press("Alt+2")
        else:
            tab.rewrite(right if is_careful or careless is None else careless)
        tab.press("Control+Enter")
        n_done += 1
        gone = "old => document.querySelector('.source-text')?.innerText !== old"
        tab.page.wait_for_function(gone, arg=source)
    tab.wait("h1", "All done for now")
    return n_done


def _review(tab: Tab, project_id: str) -> int:
    tab.open(f"review?project={project_id}")
    n_done = 0
    while tab.page.locator(".assess").count():
        source = tab.source
        if source == UNREADABLE:
            tab.page.get_by_role("radio", name="Not annotatable").check()
        else:
            right = SENTENCES[source][0] or source
            for number, row in enumerate(tab.page.locator(".verdict").all(), 1):
                given = row.locator(".verdict-text").evaluate(
                    "it => [...it.childNodes].filter(n => n.nodeName !== 'DEL').map(n => n.textContent).join('')"
                )
                tab.press(*[str(number)] * (1 if given == right else 2))
        tab.press("Control+Enter")
        n_done += 1
        tab.page.wait_for_function("old => document.querySelector('.source-text')?.innerText !== old", arg=source)
    return n_done


@pytest.mark.timeout(600)
@pytest.mark.parametrize("workshop", ["sqlite", "postgres"], indirect=True)
def test_ten_sentences_from_import_to_export(browsers: Browsers, workshop: Workshop, tmp_path: Path) -> None:
    project = workshop.make_project(list(SENTENCES), *["annotator"] * 3, "reviewer", "reviewer")
    annotators, (first, second) = project.names[:3], project.names[3:]
    tabs = {name: browsers.open(name) for name in project.names}
    for number, name in enumerate(annotators):
        assert _work(tabs[name], project.id, is_careful=number < 2) == 10
    assert _review(tabs[first], project.id) == 10

    careless = tabs[annotators[2]].open(f"work?project={project.id}")
    careless.wait(".study")
    complained = careless.source
    careless.press("Alt+c")
    careless.wait("dialog")
    careless.type("也可以这样说")
    careless.press("Tab", "Tab", "Enter")
    careless.page.wait_for_function("old => document.querySelector('.source-text')?.innerText !== old", arg=complained)
    studied = careless.source
    right = SENTENCES[studied][0]
    assert right is not None
    careless.rewrite(right)
    careless.wait(".study-verdict[data-right=true]")
    careless.press("Control+Enter")
    careless.wait("h1", "All done for now")

    judge = tabs[second].open(f"review?project={project.id}&kind=judge")
    judge.wait("h1", "Decide the complaint")
    assert judge.source == complained
    judge.press("1", "Control+Enter")
    judge.wait("h1", "All done for now")
    careless.open(f"project?id={project.id}")
    careless.wait("main", "There is nothing for you to do at the moment")

    owner = browsers.open(project.owner).open(f"owner?project={project.id}#progress")
    owner.wait(".figures", "10 of 10 sentences are done.")
    owner.open(f"owner?project={project.id}#files")
    with owner.page.expect_download() as download:
        owner.page.get_by_role("button", name="TSV").click()
    exported = Path(download.value.path()).read_text("utf-8").splitlines()
    found = {row.split("\t")[1]: row.split("\t")[2:] for row in exported}
    careless_answer = SENTENCES[complained][1]
    assert found[complained] == [SENTENCES[complained][0], careless_answer]
    assert found[studied] == [right]
    assert {history["item"]["state"] for history in project.histories()} == {"done"}
    [unreadable] = [it for it in project.histories() if it["item"]["source"] == UNREADABLE]
    assert unreadable["item"]["outcome"] == "not_annotatable" and unreadable["golden"] == []
