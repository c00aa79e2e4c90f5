"""The type of the fixture that runs the command, and commands of pages run by it."""

from __future__ import annotations

import shlex
from collections.abc import Callable

# Arguments → exit status, what it printed, what it told.
Run = Callable[..., tuple[int, str, str]]


def as_written(run: Run) -> Callable[[str, str], str]:
    """Runs a command as a page has it, which must succeed, and gives what it printed."""

    def call(command: str, given: str) -> str:
        code, out, err = run(*shlex.split(command))
        assert code == 0, err
        return out

    return call
