"""What holds on every page: names for all that can be used, phones, languages, colours, visible focus."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from workshop import Browsers, Project, Tab, Workshop

SOURCE = "我门去公园。"
LONG = "这个很长的名字" * 8
# name → who opens it, and where; {id} is the project's.
PAGES = {
    "login": (None, "login"),
    "join": (None, "join#nothing"),
    "home": ("annotator", ""),
    "home of an owner": ("owner", ""),
    "account": ("annotator", "account"),
    "new": ("owner", "new"),
    "project": ("annotator", "project?id={id}"),
    "work": ("annotator", "work?project={id}"),
    "review": ("reviewer", "review?project={id}"),
    "progress": ("owner", "owner?project={id}#progress"),
    "people": ("owner", "owner?project={id}#people"),
    "items": ("owner", "owner?project={id}#items"),
    "guidelines": ("owner", "owner?project={id}#guidelines"),
    "settings": ("owner", "owner?project={id}#settings"),
    "files": ("owner", "owner?project={id}#files"),
    "trail": ("owner", "owner?project={id}#trail"),
    "lost": ("annotator", "project?id=none"),
}
PHONE = {"viewport": {"width": 360, "height": 700}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


@pytest.fixture(scope="module")
def project(workshop: Workshop) -> Project:
    """A project with something on every page."""
    project = workshop.make_project(
        [SOURCE, "他很很好。"], "annotator", "annotator", "reviewer", name=LONG, settings={"k": 1}
    )
    worker = workshop.visit(project.names[1])
    task = worker.post(f"/projects/{project.id}/tasks/next")["task"]
    body = {"version": task["version"], "key": "k", "status": "corrected", "answers": ["我们去。"], "comment": LONG}
    worker.post(f"/tasks/{task['id']}/submit", body)
    return project


@pytest.fixture(scope="module")
def states(browser: Any, workshop: Workshop, project: Project) -> dict[str | None, Any]:
    """The cookies of each role, so that a person logs in once."""
    people = {"annotator": project.names[0], "reviewer": project.names[2], "owner": project.owner}
    found: dict[str | None, Any] = {None: None}
    for role, name in people.items():
        opened = Browsers(browser, workshop.address)
        found[role] = opened.open(name).context.storage_state()
        opened.close()
    return found


@pytest.fixture
def look(browsers: Browsers, project: Project, states: dict[str | None, Any]) -> Iterator[Callable[..., Tab]]:
    """Opens a page of `PAGES` in a browser with these options."""

    def open_page(name: str, **options: Any) -> Tab:
        role, path = PAGES[name]
        tab = browsers.open(**options, **({} if role is None else {"storage_state": states[role]}))
        tab.open(path.format(id=project.id))
        tab.page.wait_for_load_state("networkidle")
        return tab

    yield open_page


NAMELESS = """() => [...document.querySelectorAll("button, a, input, select, textarea, summary, [role=tab]")]
  .filter((it) => it.checkVisibility() && it.type !== "hidden")
  .filter((it) => !(it.getAttribute("aria-label") || it.textContent.trim() || it.labels?.length))
  .map((it) => it.outerHTML.slice(0, 120))"""
DESCRIBED = """() => [...document.querySelectorAll("[aria-describedby]")]
  .flatMap((it) => it.getAttribute("aria-describedby").split(" "))"""
SMALL = """() => [...document.querySelectorAll("button, .button, .todo, select")]
  .filter((it) => it.checkVisibility() && it.getBoundingClientRect().height < 28)
  .map((it) => it.outerHTML.slice(0, 120))"""
# What the page says in its own words and shows.
SAID = """() => [...document.querySelectorAll("[data-said]")]
  .filter((it) => it.checkVisibility() && !it.children.length).map((it) => it.textContent)"""
ENGLISH, HAN = re.compile("[A-Za-z]{4,}"), re.compile("[\u4e00-\u9fff]")
# Names that are the same in both languages.
EITHER = re.compile("errata|annotator|reviewer|owner|JSON|RobustGEC|MuCGEC|FCGEC|Markdown|Krippendorff|Cohen")


@pytest.mark.parametrize("name", PAGES)
def test_everybody_can_use_it(look: Callable[..., Tab], name: str) -> None:
    """With a screen reader, on a phone, in either language: one visit looks at all three."""
    tab = look(name)
    tab.page.click("[data-ui=en]")  # a page before this one may have been left in Chinese
    _check_names(tab)
    _check_languages(tab)
    tab.page.set_viewport_size({"width": 360, "height": 700})
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= 360
    assert tab.page.evaluate(SMALL) == []


def _check_names(tab: Tab) -> None:
    """Everything that can be used has a name, and the page has a shape."""
    assert tab.page.evaluate(NAMELESS) == []
    assert tab.page.locator("h1").count() == 1 and tab.page.locator("main").count() == 1
    assert tab.page.locator("[role=status]:not(main *)").count() == 1
    ids = tab.page.evaluate("() => [...document.querySelectorAll('[id]')].map((it) => it.id)")
    assert len(ids) == len(set(ids)) and set(tab.page.evaluate(DESCRIBED)) <= set(ids)
    assert tab.page.evaluate("document.documentElement.lang") == "en" and tab.page.title().endswith("errata")


def _check_languages(tab: Tab) -> None:
    """The language changes at once and everywhere, and back."""
    tab.page.click("[data-ui=zh]")
    assert tab.page.evaluate("document.documentElement.lang") == "zh-Hans"
    left = [text for text in tab.page.evaluate(SAID) if ENGLISH.search(text) and not EITHER.search(text)]
    assert left == []
    tab.page.click("[data-ui=en]")
    left = [text for text in tab.page.evaluate(SAID) if HAN.search(text) and LONG not in text]
    assert left == []


def test_the_language_goes_with_the_account(browsers: Browsers, workshop: Workshop) -> None:
    name = workshop.add("annotator")
    tab = browsers.open(name).open("")
    tab.page.click("[data-ui=zh]")
    tab.wait("h1", "项目")
    tab.page.wait_for_load_state("networkidle")
    tab.page.reload()
    tab.wait("h1", "项目")
    assert browsers.open(name).open("").text("h1") == "项目"


def test_what_is_typed_survives_a_change_of_language(look: Callable[..., Tab]) -> None:
    tab = look("work")
    tab.wait(".answer textarea")
    tab.rewrite("我们去吧。")
    tab.wait(".edit")
    tab.page.click("[data-ui=zh]")
    assert tab.answers == ["我们去吧。"] and "保存，下一句" in tab.text(".foot")
    assert all(not text.isascii() for text in tab.page.locator(".edit-type").all_inner_texts())
    assert tab.page.get_attribute(".answer textarea", "aria-label") == "您的改法"
    tab.page.click("[data-ui=en]")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["login", "work", "review", "people"])
def test_texts_stand_out_from_their_ground(look: Callable[..., Tab], name: str, scheme: str) -> None:
    tab = look(name, color_scheme=scheme)
    assert tab.page.evaluate(CONTRASTS) == []


def test_the_focus_is_seen_wherever_the_tab_key_goes(look: Callable[..., Tab]) -> None:
    tab = look("work")
    tab.wait(".answer textarea")
    tab.page.evaluate("document.activeElement.blur()")
    seen = """() => { const it = document.activeElement;
      const places = [it, it.nextElementSibling, it.closest(".editor")].filter(Boolean);
      return it === document.body || places.some((p) => getComputedStyle(p).outlineStyle !== "none"); }"""
    for _ in range(25):
        tab.press("Tab")
        assert tab.page.evaluate(seen), tab.page.evaluate("document.activeElement.outerHTML.slice(0, 200)")


def test_a_phone_annotates_by_touch(browsers: Browsers, workshop: Workshop) -> None:
    project = workshop.make_project([SOURCE], "annotator", settings={"k": 1})
    tab = browsers.open(project.names[0], **PHONE).open("")
    tab.page.get_by_role("link", name="Annotate").tap()
    tab.wait(".answer textarea")
    tab.page.get_by_role("button", name="Guidelines").tap()
    tab.wait("dialog", "少改")
    tab.page.get_by_role("button", name="Close").tap()
    tab.page.tap(".answer textarea")
    tab.rewrite("我们去公园。")
    tab.wait(".edit")
    box, foot = (tab.page.locator(it).bounding_box() for it in (".answer textarea", ".foot"))
    assert box["y"] + box["height"] <= foot["y"]
    tab.page.get_by_role("button", name="Save and next").tap()
    tab.wait("h1", "All done")
    assert len(project.submissions()) == 1


# Texts whose colour is too close to what is behind them: WCAG's 4.5 to 1. Buttons out of use do not count.
CONTRASTS = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].map((v, i) => (i === 3 ? v / 255 : v));
  };
  const over = (top, below) => top.slice(0, 3).map((v, i) => v * top[3] + below[i] * (1 - top[3]));
  const ground = (it) => {
    const layers = [];
    for (let at = it; at; at = at.parentElement) layers.push(rgba(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const bad = [];
  for (const it of document.querySelectorAll("body *")) {
    const hasText = [...it.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    const isApart = it.closest("[aria-disabled=true], .visually-hidden, .mirror, .skip");
    if (!hasText || !it.checkVisibility() || isApart) continue;
    const below = ground(it);
    const [a, b] = [light(over(rgba(getComputedStyle(it).color), below)), light(below)].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < 4.5) bad.push(`${it.className}: ${it.textContent.slice(0, 40)} ${contrast.toFixed(2)}`);
  }
  return bad;
}"""
