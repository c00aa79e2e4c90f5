"""The workbench without HTTP, and through an app, on both databases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from bench import Bench, open_bench


@pytest.fixture
def bench(database_url: str) -> Iterator[Bench]:
    """No project yet: `begin` makes it."""
    found = open_bench(database_url)
    yield found
    found.engine.dispose()


@pytest.fixture
def visit(database_url: str) -> Iterator[Callable[[str], Any]]:
    """Somebody who is logged in (`site-owner` may make projects), by name; the same app for all."""
    from visitors import Visitors

    with Visitors(database_url) as visitors:
        yield visitors.visit
