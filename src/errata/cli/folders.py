"""The texts in a folder, and what is left out of it: hidden and installed files, and what git ignores."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from errata.cli.kinds import DOCUMENTS, kind_by_name
from errata.errors import DataError
from errata.pipeline.markup import SUFFIXES

# Files of a folder that are texts.
TEXT_SUFFIXES = (*SUFFIXES, ".txt")
# Folders of other people's files, by name, or by a file in them that tells.
_INSTALLED = frozenset({"node_modules", "bower_components", "site-packages"})
_TELLING = {"pyvenv.cfg": "installed", "CACHEDIR.TAG": "a cache"}
# Names given for each reason; the rest is counted.
SHOWN = 3


@dataclass(slots=True)
class Folder:
    """The texts in a folder (`paths`) and what was left out (`left_out`), by reason."""

    name: str
    paths: list[str] = field(default_factory=list)
    left_out: dict[str, list[str]] = field(default_factory=dict)

    def leave_out(self, path: Path, reason: str) -> None:
        self.left_out.setdefault(reason, []).append(os.fspath(path.relative_to(self.name)))

    def summary(self) -> str:
        """What was left out and why, in one line; "" where nothing was."""
        return "; ".join(f"{_enumerate(sorted(names))} ({reason})" for reason, names in self.left_out.items())


def read_folder(name: str) -> Folder:
    """The texts in a folder and in the folders below it."""
    folder = Folder(name)
    ignored = _ignored_by_git(name)
    unread: Counter[str] = Counter()
    for place, names in _walk(folder, ignored):
        for path in (place / name for name in sorted(names)):
            kind = kind_by_name(os.fspath(path))
            is_text = path.name.lower().endswith(TEXT_SUFFIXES) and path.is_file()
            reason = _reason(path, ignored) if is_text or kind in DOCUMENTS else ""
            if is_text and (reason or kind):
                folder.leave_out(path, reason or kind)
            elif is_text:
                folder.paths.append(os.fspath(path))
            elif kind in DOCUMENTS and not reason:
                unread[path.suffix.lower()] += 1
    if unread:
        folder.left_out["not read yet"] = [f"{n} {suffix}" for suffix, n in unread.items()]
    if not folder.paths:
        others = f" (left out: {folder.summary()})" if folder.left_out else ""
        raise DataError(f"{name}: no .txt or Markdown file in this folder{others}; name other files, or give a pattern")
    folder.paths.sort()
    return folder


def _walk(folder: Folder, ignored: frozenset[Path]) -> Iterator[tuple[Path, list[str]]]:
    for place, folders, names in os.walk(folder.name, onerror=_fail):
        reasons = {name: _reason(Path(place, name), ignored) for name in folders}
        for name, reason in reasons.items():
            if reason:
                folder.leave_out(Path(place, name), reason)
        folders[:] = [name for name, reason in reasons.items() if not reason]
        yield Path(place), names


def _reason(path: Path, ignored: frozenset[Path]) -> str:
    """Why a file or folder is left out; "" where it is not."""
    if path.name.startswith("."):
        return "hidden"
    if path.name in _INSTALLED:
        return "installed"
    if path in ignored:
        return "ignored by git"
    return next((reason for name, reason in _TELLING.items() if (path / name).is_file()), "")


def _ignored_by_git(folder: str) -> frozenset[Path]:
    """The files and folders that git ignores; none where there is no git, or where the whole folder is ignored."""
    command = ["git", "-C", folder, "ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"]
    try:
        answer = subprocess.run(command, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return frozenset()
    names = os.fsdecode(answer.stdout).split("\0")
    return frozenset() if "./" in names else frozenset(Path(folder, name) for name in names if name)


def _fail(error: OSError) -> None:
    raise error


def _enumerate(names: list[str]) -> str:
    n_more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {n_more} more" if n_more > 0 else "")
