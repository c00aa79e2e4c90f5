"""The site that `make docs` builds: its navigation has every page, and its links stay inside. MkDocs is not needed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
SITE = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))
OUTSIDE = {path for pattern in SITE["extra"]["outside"] for path in ROOT.glob(pattern)}
FILES = {path.relative_to(ROOT).as_posix() for path in OUTSIDE | {p for p in (ROOT / "docs").rglob("*") if p.is_file()}}
PAGES = sorted(name for name in FILES if name.endswith(".md"))


def pages_of(nav: Any) -> Iterator[str]:
    """The pages of a navigation, in its order."""
    if isinstance(nav, str):
        yield nav
    else:
        for entry in nav.values() if isinstance(nav, dict) else nav:
            yield from pages_of(entry)


def test_the_navigation_has_every_page_once() -> None:
    assert sorted(pages_of(SITE["nav"])) == PAGES


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_files_of_the_site(page: str) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)", (ROOT / page).read_text("utf-8"))
    relative = [target for target in targets if not re.match(r"[a-z]+:", target)]
    reached = {target: Path(os.path.normpath(Path(page).parent / target)).as_posix() for target in relative}
    assert not [target for target, name in reached.items() if name not in FILES]


def test_the_site_loads_nothing_from_elsewhere() -> None:
    """Fonts come from Google unless they are turned off, and `offline` puts a script of unpkg.com on every page."""
    assert SITE["theme"]["font"] is False and "offline" not in SITE["plugins"]
