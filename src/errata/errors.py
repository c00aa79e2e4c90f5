"""Every error errata raises on purpose.

    ErrataError                 exit 1
    ├── FormatError             a file says something its format does not allow (origin:line: message)
    ├── AlignmentError          files that must be parallel are not
    ├── DataError               readable data that cannot be used this way
    ├── UsageError              exit 2: options that do not go together
    ├── UnknownName             exit 2: no such metric, format, system …
    ├── MissingExtra            exit 2: an optional package is not installed
    └── PluginError             a metric, format … of another package cannot be loaded

Each renders as one line for people (`str`) and as a mapping for machines (`as_dict`).
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def find_nearest(name: str, choices: Iterable[str]) -> str | None:
    """The choice that somebody who wrote `name` most probably meant."""
    near = get_close_matches(name.lower(), choices, n=1)
    return near[0] if near else None


class ErrataError(Exception):
    """What every deliberate error inherits; the message is one line."""

    exit_code = 1

    def as_dict(self) -> dict[str, object]:
        return {"error": type(self).__name__, "message": str(self)}

    def extend(self, more: str) -> None:
        """Say more at the end of the message."""
        self.args = (f"{self}; {more}",)


class FormatError(ErrataError):
    """A file says something its format does not allow: `dev.m2:12: edit span 7:5 runs backwards`."""

    def __init__(self, origin: str, line: int | None, message: str) -> None:
        self.origin, self.line, self.message = origin, line, message
        super().__init__(f"{origin}: {message}" if line is None else f"{origin}:{line}: {message}")

    def __reduce__(self) -> tuple[type, tuple[str, int | None, str]]:
        return type(self), (self.origin, self.line, self.message)

    def as_dict(self) -> dict[str, object]:
        return {**super().as_dict(), "origin": self.origin, "line": self.line}


class AlignmentError(ErrataError):
    """Files that must be parallel are not."""


class DataError(ErrataError):
    """Readable data that cannot be used this way."""


class UsageError(ErrataError):
    """Options that do not go together."""

    exit_code = 2


class UnknownName(UsageError):
    """No such metric, format, system …; the message lists the choices and the nearest one."""

    def __init__(self, kind: str, name: str, choices: Iterable[str]) -> None:
        self.kind, self.name, self.choices = kind, name, sorted(choices)
        near = find_nearest(name, self.choices)
        hint = f"; did you mean {near!r}?" if near else ""
        super().__init__(f"unknown {kind} {name!r}{hint} (choose from {', '.join(self.choices)})")

    def __reduce__(self) -> tuple[type, tuple[str, str, list[str]]]:
        return type(self), (self.kind, self.name, self.choices)


class MissingExtra(UsageError):
    """An optional package is not installed; the message says the command that installs it."""

    def __init__(self, package: str, extra: str) -> None:
        self.package, self.extra = package, extra
        super().__init__(f"{package} is not installed; run: pip install 'errata[{extra}]'")

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return type(self), (self.package, self.extra)


class PluginError(ErrataError):
    """A metric, format, system … that another package brings cannot be loaded."""
