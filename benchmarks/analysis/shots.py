"""Pictures of report pages in a real browser: light, dark, and on a phone."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from benchmarks.screenshots import shrink

# how the page is looked at → browser options
VIEWS: dict[str, dict[str, Any]] = {
    "": {"viewport": {"width": 1100, "height": 900}, "color_scheme": "light"},
    "-dark": {"viewport": {"width": 1100, "height": 900}, "color_scheme": "dark"},
    "-phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "light", "device_scale_factor": 2},
}


def take_shots(page: Path, out: Path, name: str, views: list[str], selector: str | None = None) -> list[Path]:
    """WebP files of the page; of all of it, or from the first element that `selector` finds."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise SystemExit("Chromium is not here: apt-get install chromium fonts-noto-cjk")
    made = []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for view in views:
            context = browser.new_context(**VIEWS[view])
            shown = context.new_page()
            shown.goto(page.resolve().as_uri())
            width = shown.evaluate("document.documentElement.scrollWidth")
            assert width <= VIEWS[view]["viewport"]["width"], f"{page} is {width} pixels wide{view}"
            if selector:
                shown.locator(selector).first.scroll_into_view_if_needed()
                shown.evaluate("selector => document.querySelector(selector).scrollIntoView()", selector)
            path = out / f"{name}{view}.webp"
            path.write_bytes(shrink(shown.screenshot()))
            made.append(path)
            context.close()
        browser.close()
    return made
