"""Nothing public goes undocumented, and links between pages lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

import errata
from errata.cli import COMMANDS
from errata.formats.base import FORMATS
from errata.metrics.base import METRICS
from errata.systems.base import SYSTEMS

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), *ROOT.glob("*.md")])


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        *(("metrics", name) for name in METRICS),
        *(("formats", name) for name in FORMATS),
        *(("systems", name) for name in SYSTEMS),
        *(("commands", name) for name in COMMANDS),
    ],
)
def test_everything_has_a_heading(folder: str, name: str) -> None:
    headings = "\n".join(
        re.findall(r"^#+ .*$", "\n".join(p.read_text("utf-8") for p in (DOCS / folder).glob("*.md")), re.M)
    )
    assert re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", headings), f"docs/{folder} has no heading for {name}"


@pytest.mark.parametrize("verb", errata._VERBS)
def test_every_verb_is_on_the_page_about_python(verb: str) -> None:
    assert f"errata.{verb}(" in (DOCS / "python.md").read_text("utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text("utf-8")):
        if not re.match(r"[a-z]+:", target):
            assert (page.parent / target).exists(), f"{page.name}: broken link {target}"


@pytest.mark.parametrize(
    ("name", "file"),
    re.findall(r"`(\w+)` in `([\w/]+\.py)`", (DOCS / "glossary.md").read_text("utf-8")),
    ids=lambda part: part,
)
def test_the_glossary_names_what_is_there(name: str, file: str) -> None:
    code = (ROOT / "src" / "errata" / file).read_text("utf-8")
    assert re.search(rf"^(?:class |def | +def | +)?{name}\b[ :=(\[]", code, re.M), f"{file} has no {name}"


def test_the_citation_is_of_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert (citation["version"], citation["license"]) == (errata.__version__, "Apache-2.0")
