"""Which format a file is in: by content where there is any, then by suffix."""

from __future__ import annotations

import os
from pathlib import Path

from errata.errors import UsageError
from errata.formats.base import FORMATS, M2_DIALECTS, get_format

# Enough to meet every kind of line in real files; even in the sparsest M2 (CWEB) edits come every few hundred bytes.
HEAD_SIZE = 1 << 16
COMPRESSION = (".gz", ".xz")


def detect_format(head: str, path: str | os.PathLike[str] = "-") -> str:
    """The name of the format that `head`, the beginning of the file `path`, is in; `UsageError` when it is not clear.

    Content decides; the suffix does where the content fits several formats or none.
    """
    head = _plain(head)
    suffixed = _formats_of_suffix(path)
    candidates = [name for name in FORMATS if get_format(name).sniff(head)] if head.strip() else []
    if len(candidates) > 1:
        candidates = [name for name in candidates if name in suffixed] or candidates
    if not candidates:
        candidates = suffixed[:1]  # its parser then says which line is wrong
    if len(candidates) == 1:
        return candidates[0]
    shown = "<stdin>" if os.fspath(path) == "-" else os.fspath(path)
    problem = f"fits several formats ({', '.join(candidates)})" if candidates else "fits no known format"
    raise UsageError(f"{shown} {problem}; name it with --from (one of {', '.join(FORMATS)})")


def detect_dialect(head: str, path: str | os.PathLike[str] = "-") -> str:
    """The dialect of M2 that `head` is in, or the first one: its parser then says which line is wrong."""
    head = _plain(head)
    return next((name for name in M2_DIALECTS if get_format(name).sniff(head)), M2_DIALECTS[0])


def choose_format(path: str | os.PathLike[str], like: str | None = None) -> str:
    """The format to write `path` in, by its suffix: `like` where it has that suffix, else the plainest that has."""
    suffixed = _formats_of_suffix(path)
    if like in suffixed:
        return like
    if suffixed:
        return suffixed[0]
    raise UsageError(
        f"the suffix of {os.fspath(path)!r} names no format; name it with --to (one of {', '.join(FORMATS)})"
    )


def _plain(head: str) -> str:
    return head.lstrip("\ufeff").replace("\r\n", "\n")


def _formats_of_suffix(path: str | os.PathLike[str]) -> list[str]:
    return [name for name in FORMATS if _suffix(path) in get_format(name).suffixes]


def _suffix(path: str | os.PathLike[str]) -> str:
    name = Path(os.fspath(path))
    return Path(name.stem).suffix if name.suffix in COMPRESSION else name.suffix
