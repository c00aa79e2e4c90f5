"""The type of the fixture that runs the command."""

from __future__ import annotations

from collections.abc import Callable

# Arguments → exit status, what it printed, what it told.
Run = Callable[..., tuple[int, str, str]]
