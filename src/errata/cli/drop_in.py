"""Commands that take the flags of the official programs, so that people's scripts keep working.

Those flags (`-hyp`, `-filt A B`) are argparse's, not Typer's; a drop-in command hands its arguments on as they are.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, NoReturn

from errata.cli.suggestions import suggest_value
from errata.errors import UsageError

Command = Callable[..., None]

# Typer's settings for a command whose arguments, `-h` included, are read by argparse.
_SETTINGS: dict[str, Any] = {
    "context_settings": {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []},
    "add_help_option": False,
}


def drop_in(command: Command) -> Command:
    """Mark a command that reads its own arguments from `typer.Context.args`."""
    command.typer_settings = _SETTINGS  # type: ignore[attr-defined]
    return command


def typer_settings(command: Command) -> dict[str, Any]:
    """How a command is registered; nothing special unless it is a drop-in."""
    settings: dict[str, Any] = getattr(command, "typer_settings", {})
    return settings


class FlagParser(argparse.ArgumentParser):
    """argparse whose mistakes are one line, like everybody else's here."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self.prog}: {message};{suggest_value(message)} see {self.prog} -h")
