"""The report page: every kind of result is recognised and shown, nothing is loaded from elsewhere, nothing runs."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from errata.analysis.report import SECTIONS, Result, make_report, read_result, recognise
from errata.cli import main
from errata.errors import DataError

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = os.environ.get("ERRATA_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
SCORING = "--metric errant --m2 examples/scoring/gold.m2 --hyp examples/scoring/old.m2 --hyp examples/scoring/new.m2"
COMMANDS = {
    "stats": "stats examples/scoring/gold.m2 FCGEC=examples/formats/fcgec.json",
    "score": f"score {SCORING} --bootstrap 20 --sentences --by-type",
    "compare": f"compare {SCORING} --bootstrap 50",
    "robust": "robust examples/robust/learners.para --by action --bootstrap 0",
    "meta": "meta --data gjg15 --root examples/meta --gold examples/meta/gold.m2 -m gleu -m exact-match --runs 5",
    "density": "analyze density examples/scoring/gold.m2 --hyp mine=examples/analysis/hyp.txt --draws 3",
}
MEANS = {
    "n_edits": 3,
    "similarity": 0.9,
    "similarity_error": 0.01,
    "ratio": 0.8,
    "ratio_error": None,
    "median_ratio": 0.8,
    "preferred": 1.0,
}
EXAMPLE = {"type": "R:VERB", "source": "He <go> home .", "target": "He goes home .", "similarity": 0.9, "ratio": 0.8}
IMPACT: dict[str, Any] = {
    "n_single": 3,
    **MEANS,
    "by_type": {"R:VERB": MEANS},
    "examples": {"least similar": [EXAMPLE]},
    "digest": "abcd1234",
}
EDITS = {
    "kind": "edits",
    "corpora": [{"name": "one", **IMPACT}, {"name": "two", **IMPACT}],
    "differences": [
        {
            "first": "one",
            "second": "two",
            "type": "R:VERB",
            "n_first": 3,
            "n_second": 3,
            "similarity": 0.1,
            "ratio": -0.2,
        }
    ],
    "notes": ["a note"],
    "signature": "edits|v:0",
}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """What each command prints, in files."""
    folder = tmp_path_factory.mktemp("results")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        for name, command in COMMANDS.items():
            with (folder / f"{name}.json").open("w", encoding="utf-8") as stream, patch.context() as inner:
                inner.setattr(sys, "argv", ["errata", *command.split(), "--json"])
                inner.setattr(sys, "stdout", stream)
                with pytest.raises(SystemExit) as end:
                    main()
                assert not end.value.code, command
    (folder / "edits.json").write_text(json.dumps(EDITS), encoding="utf-8")
    return {path.stem: path for path in folder.iterdir()}


class Watcher(HTMLParser):
    """Notes what a page would load or run, and whether its elements are closed."""

    VOID = frozenset({"meta", "br"})

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "link", "img", "iframe", "object", "form", "input"):
            self.loads.append(tag)
        for name, value in attrs:
            if name in ("src", "onclick", "onload") or (name == "href" and not (value or "").startswith("#")):
                self.loads.append(f"{tag} {name}")
        if tag not in self.VOID and not (self.get_starttag_text() or "").endswith("/>"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-3:]}"
        self.open.pop()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)


def watch(page: str) -> Watcher:
    watcher = Watcher()
    watcher.feed(page)
    watcher.close()
    return watcher


def test_every_kind_is_recognised(results: dict[str, Path]) -> None:
    assert set(results) == set(SECTIONS)
    assert all(read_result(str(path)).kind == name for name, path in results.items())


def test_one_page_of_everything(results: dict[str, Path]) -> None:
    page = make_report([read_result(f"{name} <b>={path}") for name, path in results.items()], "All & everything")
    watcher = watch(page)
    assert watcher.loads == [] and watcher.open == []
    assert "url(" not in page and "@import" not in page
    assert "<title>All &amp; everything</title>" in page
    for number, (heading, _) in enumerate((SECTIONS[name] for name in results), 1):
        assert f'<section id="part-{number}"><h2>{heading}: ' in page and f'href="#part-{number}"' in page
    assert page.count("<svg") >= 8 and "&lt;b&gt;" in page


def test_signatures_and_worst_examples_are_there(results: dict[str, Path]) -> None:
    page = make_report([read_result(str(path)) for path in results.values()], "t")
    for path in results.values():
        for signature in re.findall(r'"signature": "([^"]+)"', path.read_text("utf-8")):
            assert signature.replace("&", "&amp;") in page
    assert "Worst sentences" in page and "sentences that differ" in page and "flips, the worst first" in page
    assert "He <del>&lt;go&gt;</del> <ins>goes</ins> home ." in page


def test_what_a_result_lacks_is_said(results: dict[str, Path]) -> None:
    scores = json.loads(results["score"].read_text("utf-8"))
    for one in scores:
        del one["sentences"]
    flips = json.loads(results["robust"].read_text("utf-8")) | {"flips": []}
    page = make_report([Result("score", scores), Result("robust", flips)], "t")
    assert "errata score --sentences --json adds them" in page and "errata robust --flips N --json" in page


@pytest.mark.parametrize("value", [[], {}, [1], {"kind": "other"}, "text", None, [{"metric": "errant"}]])
def test_other_json_is_refused(value: object) -> None:
    with pytest.raises(DataError, match=r"other\.json is JSON of none of these commands: stats, score"):
        recognise(value, "other.json")


def test_a_file_that_is_not_json(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{", encoding="utf-8")
    with pytest.raises(DataError, match="is not JSON: write it with --json"):
        read_result(str(tmp_path / "x.json"))


@pytest.mark.parametrize("name", SECTIONS)
def test_a_result_that_is_cut_off_is_named(results: dict[str, Path], name: str) -> None:
    value = json.loads(results[name].read_text("utf-8"))
    if isinstance(value, list):
        del value[0]["parts"], value[0]["value"]
    else:
        value = {key: [{}] if isinstance(own, list) else own for key, own in value.items()}
        value |= {key: {} for key, own in value.items() if isinstance(own, dict)}
    with pytest.raises(DataError, match=f"^<stdin> is not all of what errata {name} --json prints"):
        make_report([Result(name, value)], "t")


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not here: install it, or name it in ERRATA_CHROMIUM")
def test_it_fits_a_phone_in_light_and_dark(results: dict[str, Path], tmp_path: Path) -> None:
    from playwright.sync_api import sync_playwright

    page = make_report([read_result(str(path)) for path in results.values()], "t")
    (tmp_path / "page.html").write_text(page, "utf-8")
    grounds: set[str] = set()
    faults: list[str] = []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for scheme in ("light", "dark"):
            shown = browser.new_page(viewport={"width": 390, "height": 800}, color_scheme=scheme)
            shown.on("console", lambda message: faults.append(message.text))
            shown.goto((tmp_path / "page.html").as_uri())
            assert shown.evaluate("document.documentElement.scrollWidth") == 390 and not faults
            grounds.add(shown.evaluate("getComputedStyle(document.body).backgroundColor"))
            assert _sticks_out(shown) == []
        shown.emulate_media(media="print")
        assert shown.evaluate("getComputedStyle(document.querySelector('nav')).display") == "none"
        browser.close()
    assert len(grounds) == 2


def _sticks_out(shown: Any) -> list[str]:
    """Texts of plots that reach beyond their drawing."""
    found: list[str] = shown.evaluate("""() => [...document.querySelectorAll('svg[role=img] text')].filter(text => {
      const own = text.getBoundingClientRect(), frame = text.ownerSVGElement.getBoundingClientRect();
      return own.left < frame.left - 1 || own.right > frame.right + 1;
    }).map(text => text.textContent)""")
    return found
