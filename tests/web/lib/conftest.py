"""A page with editors alone, in a real Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import editor_part
import pytest
from chromium import new_context, watch
from editors import Editors
from table_corrector import load_table
from thread_server import serve


@pytest.fixture(scope="session")
def editor_address() -> Iterator[str]:
    """Where the page is served, with the headers that every page has."""
    from errata.web.app import create_app
    from errata.web.settings import Settings

    settings = Settings(models={"en": "en"}, access_log=False)
    app = create_app(settings, load=load_table, parts=["lib"])
    editor_part.add(app, app.state.tools)
    with serve(app) as address:
        yield address


@pytest.fixture(scope="session")
def window(browser: Any) -> Iterator[Any]:
    context = new_context(browser)
    yield context
    context.close()


@pytest.fixture
def page(window: Any, editor_address: str) -> Iterator[Editors]:
    """The page; whatever goes wrong in it fails the test."""
    page = window.new_page()
    problems = watch(page)
    yield Editors(page, editor_address)
    page.goto(editor_address)
    page.evaluate("localStorage.clear()")
    page.close()
    assert problems == []
