"""Which format a file is in: by content where there is any, then by suffix."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from errata.errors import UsageError
from errata.formats.base import FORMATS, M2_DIALECTS, find_brought_formats, get_format

# Enough to meet every kind of line in real files; even in the sparsest M2 (CWEB) edits come every few hundred bytes.
HEAD_SIZE = 1 << 16
COMPRESSION = (".gz", ".xz")


def detect_format(head: str, path: str | os.PathLike[str] = "-") -> str:
    """The name of the format that `head`, the beginning of the file `path`, is in; `UsageError` when it is not clear.

    Content decides; the suffix does where the content fits several formats or none.
    """
    head = _plain(head)
    candidates = _find_candidates(FORMATS, head, path) or _find_candidates(find_brought_formats(), head, path)
    if len(candidates) == 1:
        return candidates[0]
    shown = "<stdin>" if os.fspath(path) == "-" else os.fspath(path)
    problem = f"fits several formats ({', '.join(candidates)})" if candidates else "fits no known format"
    raise UsageError(f"{shown} {problem}; name it with --from or format= (one of {', '.join(FORMATS)})")


def _find_candidates(names: Iterable[str], head: str, path: str | os.PathLike[str]) -> list[str]:
    """Those of the formats that the file may be in."""
    suffixed = _formats_of_suffix(names, path)
    sniffed = [name for name in names if get_format(name).sniff(head)] if head.strip() else []
    if len(sniffed) > 1:
        return [name for name in sniffed if name in suffixed] or sniffed
    return sniffed or suffixed[:1]  # the parser then says which line is wrong


def detect_dialect(head: str, path: str | os.PathLike[str] = "-") -> str:
    """The dialect of M2 that `head` is in, or the first one: its parser then says which line is wrong."""
    head = _plain(head)
    return next((name for name in M2_DIALECTS if get_format(name).sniff(head)), M2_DIALECTS[0])


def choose_format(path: str | os.PathLike[str], like: str | None = None) -> str:
    """The format to write `path` in, by its suffix: `like` where it has that suffix, else the plainest that has."""
    suffixed = _formats_of_suffix(FORMATS, path)
    if like is not None and (like in suffixed or (like not in FORMATS and _formats_of_suffix([like], path))):
        return like
    suffixed = suffixed or _formats_of_suffix(find_brought_formats(), path)
    if suffixed:
        return suffixed[0]
    raise UsageError(
        f"the suffix of {os.fspath(path)!r} names no format; name it with --to or format= (one of {', '.join(FORMATS)})"
    )


def _plain(head: str) -> str:
    return head.lstrip("\ufeff").replace("\r\n", "\n")


def _formats_of_suffix(names: Iterable[str], path: str | os.PathLike[str]) -> list[str]:
    return [name for name in names if _suffix(path) in get_format(name).suffixes]


def _suffix(path: str | os.PathLike[str]) -> str:
    name = Path(os.fspath(path))
    return Path(name.stem).suffix if name.suffix in COMPRESSION else name.suffix
