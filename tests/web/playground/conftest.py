"""The real server and a real Chromium, one of each for all tests."""

from __future__ import annotations

import os
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from playground_page import Playground
from rule_corrector import RuleCorrector

CHROMIUM = os.environ.get("ERRATA_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
MAX_LENGTH = 20_000
TIMEOUT_MS = 60_000  # a busy machine is slow, not wrong


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Where the server is: `errata serve`'s application, with correctors that go by rules."""
    import uvicorn

    from errata.web.app import create_app
    from errata.web.settings import Settings

    settings = Settings(models={"en": "en", "zh": "zh"}, max_length=MAX_LENGTH, access_log=False)
    app = create_app(settings, load=RuleCorrector)
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="on"))
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.01)
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join()
    listener.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not here: pip install playwright")
    if CHROMIUM is None:
        pytest.skip("Chromium is not here: apt-get install chromium, or set ERRATA_CHROMIUM to its path")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def desktop(browser) -> Iterator[object]:
    """A browser window as on a desktop, in English; its pages share a cache."""
    context = new_context(browser)
    yield context
    context.close()


@pytest.fixture
def page(desktop, address) -> Iterator[Playground]:
    """The page on a desktop, in English; whatever goes wrong in it fails the test."""
    playground = Playground(desktop, address)
    yield playground
    desktop.set_offline(False)
    desktop.clear_permissions()
    playground.leave()
    playground.page.evaluate("localStorage.clear()")
    playground.page.close()
    assert playground.problems == []


@pytest.fixture
def open_page(browser, address) -> Iterator[Callable[..., Playground]]:
    """Opens the page as a browser with other options would."""
    opened: list[Playground] = []

    def open_with(**options: object) -> Playground:
        opened.append(Playground(new_context(browser, **options), address))
        return opened[-1]

    yield open_with
    for playground in opened:
        playground.context.close()
    assert [problem for playground in opened for problem in playground.problems] == []


def new_context(browser, **options: object):  # type: ignore[no-untyped-def]
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, "locale": "en-US", **options})
    context.set_default_timeout(TIMEOUT_MS)
    return context
