"""Which format a file is in: by content where there is any, then by suffix."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from errata.errors import UsageError
from errata.formats.base import FORMATS, M2_DIALECTS, Format, get_format, load_brought_formats
from errata.registry import describe_failure

# Enough to meet every kind of line in real files; even in the sparsest M2 (CWEB) edits come every few hundred bytes.
HEAD_SIZE = 1 << 16
COMPRESSION = (".gz", ".xz")


@dataclass(frozen=True, slots=True)
class _Fit:
    """Whether a format may be that of a file: by the beginning of its content, and by its suffix."""

    name: str
    by_content: bool
    by_suffix: bool


def detect_format(head: str, path: str | os.PathLike[str] = "-") -> str:
    """The name of the format that `head`, the beginning of the file `path`, is in; `UsageError` when it is not clear.

    Content decides; the suffix does where the content fits several formats or none.
    """
    head = _plain(head)
    faults: list[str] = []
    candidates = _choose([_fit(name, get_format(name), head, path) for name in FORMATS])
    if not candidates:
        fits, faults = _fits_of_brought(head, path)
        candidates = _choose(fits)
    if len(candidates) == 1:
        return candidates[0]
    shown = "<stdin>" if os.fspath(path) == "-" else os.fspath(path)
    problem = f"fits several formats ({', '.join(candidates)})" if candidates else "fits no known format"
    advice = f"name it with --from or format= (one of {', '.join(FORMATS)})"
    raise UsageError("; ".join((f"{shown} {problem}", advice, *faults)))


def _choose(fits: Sequence[_Fit]) -> list[str]:
    """Those of the formats that the file may be in."""
    sniffed = [fit for fit in fits if fit.by_content]
    if len(sniffed) > 1:
        return [fit.name for fit in sniffed if fit.by_suffix] or [fit.name for fit in sniffed]
    # Where only the suffix fits, the parser says which line is wrong.
    return [fit.name for fit in sniffed or [fit for fit in fits if fit.by_suffix][:1]]


def _fit(name: str, format: Format, head: str, path: str | os.PathLike[str]) -> _Fit:
    return _Fit(name, bool(head.strip() and format.sniff(head)), _has_suffix(format, path))


def _fits_of_brought(head: str, path: str | os.PathLike[str]) -> tuple[list[_Fit], list[str]]:
    """How other packages' formats fit, and what is wrong with those that cannot say so."""
    formats, faults = load_brought_formats()
    fits = []
    for name, format in formats.items():
        try:
            fits.append(_fit(name, format, head, path))
        except Exception as error:  # the other package's code may fail in any way
            faults.append(f"format {name!r} of another package cannot tell: {describe_failure(error)}")
    return fits, faults


def detect_dialect(head: str, path: str | os.PathLike[str] = "-") -> str:
    """The dialect of M2 that `head` is in, or the first one: its parser then says which line is wrong."""
    head = _plain(head)
    return next((name for name in M2_DIALECTS if get_format(name).sniff(head)), M2_DIALECTS[0])


def choose_format(path: str | os.PathLike[str], like: str | None = None) -> str:
    """The format to write `path` in, by its suffix: `like` where it has that suffix, else the plainest that has."""
    suffixed = [name for name in FORMATS if _has_suffix(get_format(name), path)]
    if like is not None and (like in suffixed or (like not in FORMATS and _has_suffix(get_format(like), path))):
        return like
    if suffixed:
        return suffixed[0]
    fits, faults = _fits_of_brought("", path)
    brought = [fit.name for fit in fits if fit.by_suffix]
    if brought:
        return brought[0]
    advice = f"name it with --to or format= (one of {', '.join(FORMATS)})"
    raise UsageError("; ".join((f"the suffix of {os.fspath(path)!r} names no format", advice, *faults)))


def _plain(head: str) -> str:
    return head.lstrip("\ufeff").replace("\r\n", "\n")


def _has_suffix(format: Format, path: str | os.PathLike[str]) -> bool:
    return _suffix(path) in format.suffixes


def _suffix(path: str | os.PathLike[str]) -> str:
    name = Path(os.fspath(path))
    return Path(name.stem).suffix if name.suffix in COMPRESSION else name.suffix
