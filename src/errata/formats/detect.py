"""Which format a file is in: by content where there is any, then by suffix."""

from __future__ import annotations

import os
from pathlib import Path

from errata.errors import UsageError
from errata.formats.base import FORMATS, get_format

# Enough to meet every kind of line in real files; even in the sparsest M2 (CWEB) edits come every few hundred bytes.
HEAD_SIZE = 1 << 16
COMPRESSION = (".gz", ".xz")


def detect_format(head: str, path: str | os.PathLike[str] = "-") -> str:
    """The name of the format that `head`, the beginning of the file `path`, is in; `UsageError` when it is not clear.

    An empty `head` (a file to be written, or an empty one) leaves the suffix.
    """
    name = "<stdin>" if os.fspath(path) == "-" else os.fspath(path)
    head = head.removeprefix("\ufeff").replace("\r\n", "\n")
    by_suffix = [key for key in FORMATS if _suffix(path) in get_format(key).suffixes]
    if not head.strip():
        candidates = by_suffix[:1]  # dialects share suffixes; the plainest comes first
    else:
        candidates = [key for key in FORMATS if get_format(key).sniff(head)]
        if len(candidates) > 1:
            candidates = [key for key in candidates if key in by_suffix] or candidates
    if len(candidates) == 1:
        return candidates[0]
    choices = ", ".join(candidates or FORMATS)
    problem = f"could be in several formats ({choices})" if candidates else f"is in no format I know ({choices})"
    raise UsageError(f"{name} {problem}; say which one it is")


def _suffix(path: str | os.PathLike[str]) -> str:
    name = Path(os.fspath(path))
    return Path(name.stem).suffix if name.suffix in COMPRESSION else name.suffix
