"""The system's Chromium, as tests of pages use it."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

CHROMIUM = os.environ.get("ERRATA_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
TIMEOUT_MS = 60_000  # a busy machine is slow, not wrong


@contextmanager
def launch() -> Iterator[Any]:
    """A browser; skips where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not here: pip install playwright")
    if CHROMIUM is None:
        pytest.skip("Chromium is not here: apt-get install chromium, or set ERRATA_CHROMIUM to its path")
    playwright.expect.set_options(timeout=TIMEOUT_MS)
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def new_context(browser: Any, **options: object) -> Any:
    """A window of its own, as on a desktop, in English, unless `options` say otherwise."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, "locale": "en-US", **options})
    context.set_default_timeout(TIMEOUT_MS)
    return context


def wait_until(page: Any, holds: Callable[[], bool]) -> None:
    """Wait for what no selector finds. Not `wait_for_function`: pages' policies forbid what it does."""
    ends = time.monotonic() + TIMEOUT_MS / 1000
    while not holds():
        assert time.monotonic() < ends, "it never came"
        page.wait_for_timeout(20)


def watch(page: Any) -> list[str]:
    """Whatever goes wrong in a page, as it comes."""
    problems: list[str] = []

    def note(message: Any) -> None:
        # A failed request is told on the console too; tests of failures look at the page instead.
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            problems.append(message.text)

    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", note)
    return problems
