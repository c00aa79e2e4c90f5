"""The pictures of the workbench in the docs: `python -m benchmarks.workbench.pictures [--out docs/images]`.

Plays a small project on a real server with the bundled models, and looks at its pages in Chromium as its people see
them. What the figures and lists show is what was handed in here; only the clock is turned, so that it was done in days.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import httpx
from benchmarks.screenshots import DESKTOP, MAX_BYTES, shrink
from benchmarks.workbench.thread_server import serve

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
PASSWORD = "correct horse battery"
NAME, PLACE = "Learner essays, spring", "museum.txt"
# Each sentence, and what the three annotators make of it; the first is right, and so is what stands behind a `*`.
DONE = {
    "He go to school every days.": ("He goes to school every day.",) * 3,
    "She have lived here since five years.": (
        "She has lived here for five years.",
        "She has lived here for five years.",
        "She has lived here since five years.",
    ),
    "The informations was very useful for me.": (
        "The information was very useful for me.",
        "The information was very useful to me.*",
        "The information was very useful for me.",
    ),
    "We discussed about the problem yesterday.": ("We discussed the problem yesterday.",) * 3,
    "There is many reasons for this.": ("There are many reasons for this.",) * 3,
    "I look forward to hear from you.": ("I look forward to hearing from you.",) * 3,
    "It depend of the weather.": (
        "It depends on the weather.",
        "It depends on the weather.",
        "It depends of the weather.",
    ),
}
REVIEWED = "I am interest in the history of this town."
ANSWERS = (
    "I am interested in the history of this town.",
    "I have an interest in the history of this town.",
    "I am interesting in the history of this town.",
)
BEFORE, WORK = "They was at home when I called.", "My brother is more taller than me."
FIRST, SECOND = "My brother is taller than me.", "My brother is taller than I am."
PARAGRAPH = "The old mill stand by the river since 1820. It were built by two brothers, who came from the north.\n"
CHINESE = "这本书的内容非常丰富多彩的。"


class Clock:
    """The time, some days ago at first."""

    def __init__(self) -> None:
        self.offset = -5 * 86_400.0

    def __call__(self) -> float:
        return time.time() + self.offset

    def turn(self, hours: float) -> None:
        self.offset = min(0.0, self.offset + 3600 * hours)


class Person:
    """Somebody with an account, who asks the server without a browser."""

    keys = count()

    def __init__(self, address: str, name: str, *, token: str | None = None) -> None:
        self.name, self.client = name, httpx.Client(base_url=address, timeout=60)
        path, given = ("/accounts/login", {}) if token is None else ("/accounts/join", {"token": token})
        answer = self.client.post(path, json={"name": name, "password": PASSWORD, **given})
        self.client.headers["X-Errata-CSRF"] = answer.raise_for_status().json()["csrf"]

    def ask(self, method: str, path: str, **options: Any) -> Any:
        response = self.client.request(method, f"/workbench/api{path}", **options)
        assert response.status_code == 200, response.text
        return response.json()

    def take(self, project: str, kind: str) -> dict[str, Any] | None:
        found: dict[str, Any] | None = self.ask("POST", f"/projects/{project}/tasks/next", json={"kind": kind})["task"]
        return found

    def hand_in(self, task: dict[str, Any], **given: Any) -> None:
        body = {"version": task["version"], "key": f"key-{next(self.keys)}", **given}
        self.ask("POST", f"/tasks/{task['id']}/submit", json=body)


@contextmanager
def open_server(folder: Path, clock: Clock) -> Iterator[tuple[str, Any]]:
    """The address of a server with the bundled models, and its database."""
    from errata.systems.installed import default_models
    from errata.web.app import create_app
    from errata.web.settings import Settings

    database = f"sqlite:///{folder / 'server.db'}"
    settings = Settings(models=dict(default_models()), database=database, access_log=False)
    app = create_app(settings, clock=clock, rng=Random(0))
    with serve(app) as address:
        yield address, app.state.tools.engine


class Stage:
    """A project with its people, whose pages are taken one after the other."""

    def __init__(self, address: str, engine: Any, clock: Clock, browser: Any, out: Path) -> None:
        from errata.web.accounts.register import Register

        self.address, self.clock, self.browser, self.out = address, clock, browser, out
        Register(engine, clock).add("owner-1", PASSWORD, is_owner=True)
        self.owner = Person(address, "owner-1")
        settings = {"k": 3, "suggestions": True, "qualification": {"n": 0, "share": 0.9}}
        self.project = self.begin(NAME, "rewrite", "en", settings)
        self.annotators = [self.invite(self.project, "annotator", n) for n in (1, 2, 3)]
        self.reviewer = self.invite(self.project, "reviewer", 1)

    def begin(self, name: str, kind: str, language: str, settings: dict[str, Any]) -> str:
        found = self.owner.ask("GET", f"/guidelines?kind={kind}&language={language}")
        body = {"name": name, "kind": kind, "language": language, "guidelines": found["text"], "settings": settings}
        made = self.owner.ask("POST", "/projects", json=body)
        self.owner.ask("PATCH", f"/projects/{made['id']}", json={"version": made["version"], "state": "running"})
        return str(made["id"])

    def link(self, project: str, role: str, n_uses: int = 1) -> str:
        body = {"role": role, "n_uses": n_uses}
        return str(self.owner.ask("POST", f"/projects/{project}/invitations", json=body)["link"])

    def invite(self, project: str, role: str, number: int) -> Person:
        return Person(self.address, f"{role}-{number}", token=self.link(project, role).partition("#")[2])

    def bring(self, project: str, *lines: str, name: str = "essays.txt") -> None:
        path = f"/projects/{project}/import?format=text&name={name}"
        self.owner.ask("POST", path, content="".join(f"{line}\n" for line in lines).encode())

    def annotate(self, person: int, answers: dict[str, tuple[str, ...]]) -> None:
        """Hand in what this annotator makes of these sentences."""
        somebody = self.annotators[person]
        while task := somebody.take(self.project, "annotate"):
            answer = answers[task["item"]["source"]][person].removesuffix("*")
            seconds = 14.0 + 3 * person + len(answer) % 9
            somebody.hand_in(task, status="corrected", answers=[answer], seconds=seconds)
            self.clock.turn(2.5)

    def review(self) -> None:
        while task := self.reviewer.take(self.project, "review"):
            first, *others = DONE[task["item"]["source"]]
            right = {first, *(answer.removesuffix("*") for answer in others if answer.endswith("*"))}
            targets = [answer["target"] for answer in task["answers"]]
            verdicts = [{"target": one, "is_accepted": one in right, "comment": ""} for one in targets]
            self.reviewer.hand_in(task, status="corrected", verdicts=verdicts, seconds=7.0)
            self.clock.turn(1.5)

    def study(self, person: int) -> None:
        while task := self.annotators[person].take(self.project, "study"):
            self.annotators[person].hand_in(task, answers=[task["golden"][0]["target"]], seconds=5.0)

    def open(self, person: Person | None, path: str, **options: Any) -> Any:
        """A page of the workbench in a browser of its own, as somebody sees it."""
        context = self.browser.new_context(**{"locale": "en-US", **DESKTOP, **options})
        context.set_default_timeout(60_000)
        if person is not None:
            body = {"name": person.name, "password": PASSWORD}
            context.request.post(f"{self.address}/accounts/login", data=body)
        page = context.new_page()
        page.goto(f"{self.address}/workbench/{path}")
        page.wait_for_selector("main:not([aria-busy])")
        return page

    def take(self, name: str, page: Any, *, is_whole: bool = False, closes: bool = True) -> None:
        """Keep what a page shows, from its head to its foot if it is a long one."""
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(300)
        data = shrink(page.screenshot(full_page=is_whole))
        assert len(data) <= MAX_BYTES, f"workbench-{name}.webp has {len(data)} bytes"
        (self.out / f"workbench-{name}.webp").write_bytes(data)
        print(f"workbench-{name}.webp\t{len(data)} bytes")
        if closes:
            page.context.close()


def take_review(stage: Stage) -> None:
    """The review of a sentence with three answers, then what the third annotator learns from it."""
    page = stage.open(stage.reviewer, f"review?project={stage.project}", viewport={"width": 1280, "height": 1000})
    page.wait_for_selector(".verdict:nth-child(3)")
    targets = page.locator(".verdict-text").all_inner_texts()
    wrong = next(place for place, text in enumerate(targets, 1) if "interesting" in text)
    for place in range(1, 4):
        page.keyboard.press(str(place))
    page.keyboard.press(str(wrong))
    page.keyboard.press("c")
    page.keyboard.type("One more error is left.")
    page.wait_for_selector("[data-draft=saved]")
    stage.take("review", page, closes=False)
    phone = stage.open(stage.reviewer, f"review?project={stage.project}", **PHONE)
    phone.wait_for_selector(".verdict:nth-child(3)")
    stage.take("review-phone", phone)
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("h1:has-text('All done')")
    page.context.close()
    student = stage.open(stage.annotators[2], f"work?project={stage.project}", viewport={"width": 1280, "height": 960})
    student.wait_for_selector(".study textarea, .answer textarea")
    stage.take("study", student)
    stage.study(2)


def take_work(stage: Stage) -> None:
    """A sentence with two corrections: on the screens people have, without a network, given to somebody else."""
    stage.bring(stage.project, BEFORE)
    page = stage.open(stage.annotators[2], f"work?project={stage.project}")
    page.wait_for_selector(".answer textarea")
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("They were at home when I called.")
    page.wait_for_selector(".answer .edit")
    stage.bring(stage.project, WORK)
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(f".source-text:has-text('{WORK}')")
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(FIRST)
    page.keyboard.press("Alt+a")
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(SECOND)
    page.wait_for_selector(".answer:nth-child(2) .edit")
    page.wait_for_selector("[data-draft=saved]")
    stage.take("work", page, closes=False)
    for name, options in {"dark": {"color_scheme": "dark"}, "phone": PHONE}.items():
        other = stage.open(stage.annotators[2], f"work?project={stage.project}", **options)
        other.wait_for_selector(".answer:nth-child(2) .edit")
        stage.take(name, other)
    page.context.set_offline(True)
    page.keyboard.press("End")
    page.keyboard.insert_text(" Really.")
    page.wait_for_selector("[data-draft=here]")
    page.wait_for_timeout(300)
    stage.take("offline", page, closes=False)
    page.context.set_offline(False)
    page.wait_for_selector("[data-draft=saved]")
    page.context.close()
    items = stage.open(stage.owner, f"owner?project={stage.project}#items", viewport={"width": 1280, "height": 960})
    items.wait_for_selector("td")
    row = items.locator("tr", has_text=WORK)
    row.get_by_role("button", name="History").click()
    items.wait_for_selector("dialog")
    stage.take("assign", items)
    own = stage.open(stage.annotators[2], f"project?id={stage.project}", viewport={"width": 1280, "height": 1000})
    stage.take("project", own)


def take_owner(stage: Stage) -> None:
    """What the owner has: lists, figures, settings; and the project put away."""
    stage.link(stage.project, "annotator", 20)
    for part in ("progress", "people", "items", "guidelines", "settings", "files", "trail"):
        page = stage.open(stage.owner, f"owner?project={stage.project}#{part}")
        page.wait_for_load_state("networkidle")
        if part == "people":
            page.get_by_role("button", name="Make a link").click()
            page.wait_for_selector(".made-link")
        stage.take(f"owner-{part}", page, is_whole=part not in ("items", "trail"))
    page = stage.open(stage.owner, f"owner?project={stage.project}#items")
    page.locator("tr", has_text=REVIEWED).get_by_role("button", name="History").click()
    page.wait_for_selector("dialog")
    stage.take("history", page)
    stage.take("new", stage.open(stage.owner, "new"), is_whole=True)
    old = stage.begin("Learner essays, autumn", "rewrite", "en", {"k": 1})
    version = stage.owner.ask("GET", f"/projects/{old}")["version"]
    stage.owner.ask("PATCH", f"/projects/{old}", json={"version": version, "state": "archived"})
    stage.take("owner-archived", stage.open(stage.owner, f"owner?project={old}#settings"), is_whole=True)


def take_others(stage: Stage) -> None:
    """The way in, and projects of other kinds and languages."""
    link = stage.link(stage.project, "annotator")
    stage.take("join", stage.open(None, link.removeprefix("/workbench/")))
    museum = stage.begin("Museum leaflets", "minimal", "en", {"k": 1})
    essays = stage.begin("汉语学习者作文", "rewrite", "zh", {"k": 1, "suggestions": True})
    stage.bring(museum, PARAGRAPH.strip(), name=PLACE)
    stage.bring(essays, CHINESE)
    somebody, other = stage.invite(museum, "annotator", 4), stage.invite(essays, "annotator", 5)
    page = stage.open(somebody, f"work?project={museum}")
    page.wait_for_selector(".answer textarea")
    page.keyboard.press("Control+a")
    is_first = "mill" in page.input_value(".answer textarea")
    page.keyboard.insert_text(
        "The old mill has stood by the river since 1820."
        if is_first
        else "It was built by two brothers, who came from the north."
    )
    page.wait_for_selector(".answer .edit")
    page.wait_for_selector("[data-draft=saved]")
    stage.take("paragraph", page)
    page = stage.open(other, f"work?project={essays}", locale="zh-CN")
    page.wait_for_selector(".answer textarea")
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(CHINESE.replace("的。", "。"))
    page.wait_for_selector(".answer .edit")
    page.wait_for_selector("[data-draft=saved]")
    stage.take("chinese", page)
    stage.take("home", stage.open(stage.owner, ""))


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("docs/images"))
    asked = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise SystemExit("Chromium is not here: apt-get install chromium fonts-noto-cjk")
    asked.out.mkdir(parents=True, exist_ok=True)
    clock = Clock()
    with (
        tempfile.TemporaryDirectory() as folder,
        open_server(Path(folder), clock) as (address, engine),
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        stage = Stage(address, engine, clock, browser, asked.out)
        stage.bring(stage.project, *DONE)
        for person in range(3):
            stage.annotate(person, DONE)
        stage.review()
        for person in range(3):
            stage.study(person)
        clock.offset = 0.0
        stage.bring(stage.project, REVIEWED)
        for person in range(3):
            stage.annotate(person, {REVIEWED: ANSWERS})
        take_review(stage)
        take_work(stage)
        take_owner(stage)
        take_others(stage)
        browser.close()


if __name__ == "__main__":
    main()
