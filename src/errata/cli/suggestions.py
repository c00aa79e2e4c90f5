"""What somebody may have meant, for messages that Typer and argparse make."""

from __future__ import annotations

import re

from errata.errors import find_nearest

_REFUSAL = re.compile(r"'([^']*)' is not one of|invalid choice: '([^']*)'")
_QUOTED = re.compile(r"'([^']*)'")


def suggest_value(message: str) -> str:
    """` did you mean 'rules'?` after a message that quotes a wrong value and its choices, else nothing."""
    refusal = _REFUSAL.search(message)
    if refusal is None:
        return ""
    near = find_nearest(refusal[1] or refusal[2] or "", _QUOTED.findall(message[refusal.end() :]))
    return f" did you mean {near!r}?" if near else ""
