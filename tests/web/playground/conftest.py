"""The real server, one for all tests, and the page in windows of the real Chromium."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from chromium import new_context
from playground_page import Playground
from rule_corrector import RuleCorrector
from thread_server import serve

MAX_LENGTH = 20_000


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Where the server is: `errata serve`'s application, with correctors that go by rules."""
    from errata.web.app import create_app
    from errata.web.settings import Settings

    settings = Settings(models={"en": "en", "zh": "zh"}, max_length=MAX_LENGTH, access_log=False)
    with serve(create_app(settings, load=RuleCorrector)) as address:
        yield address


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
