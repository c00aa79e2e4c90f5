"""Arguments and file names as text.

Python hands on bytes that are not in the locale's encoding as lone surrogates (`surrogateescape`). So file names can be
used, but nothing that has them in it can be written as UTF-8. In the C locale every letter beyond ASCII is such bytes.
"""

from __future__ import annotations

from errata.errors import UsageError


def as_text(argument: str) -> str:
    """What an argument says: text in UTF-8, whatever the locale is; a `UsageError` if it is no UTF-8.

    >>> as_text("caf\\udcc3\\udca9")
    'café'
    """
    try:
        return _bytes(argument).decode("utf-8")
    except UnicodeError:
        raise UsageError(f"the argument {printable(argument)!r} is not UTF-8") from None


def printable(name: str) -> str:
    """A file's name for people and for JSON; what is not UTF-8 in it is written as `\\xe9`."""
    try:
        return _bytes(name).decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:  # surrogates that stand for no byte, from a program rather than a command line
        return name.encode("utf-8", "backslashreplace").decode("utf-8")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
