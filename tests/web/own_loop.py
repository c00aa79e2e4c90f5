"""Running a coroutine where Playwright, in the same process, may keep an event loop of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def finish(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run it to its end in a thread of its own; what it raises is raised here."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, coroutine).result()
