"""Names and paths: what a name means never depends on which folders happen to be here.

`en-small` is the bundled model and `FacebookAI/roberta-base` is Hugging Face's, also in a repository that has folders
of these names. A folder is meant only where the text is written as a path. What a manifest names stays in its folder.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path, PurePath, PureWindowsPath

from errata.errors import DataError, UsageError


def is_path(name: str | Path) -> bool:
    """Whether a name is written as a path: it has a separator, or begins with `.` or `~`; a `Path` always is one.

    >>> [is_path(name) for name in ("en-small", "./en-small", "runs/first/model", "~", "..")]
    [False, True, True, True, True]
    """
    if isinstance(name, PurePath):
        return True
    separators = {os.sep, os.altsep or os.sep, "/"}
    return name.startswith((".", "~")) or any(mark in name for mark in separators) or bool(Path(name).drive)


def as_path(name: str | Path) -> Path:
    """The path that is written; `~` is the user's home."""
    try:
        return Path(name).expanduser()
    except RuntimeError as error:  # no such user, or nobody knows where the home folder is
        raise DataError(f"{name}: {error}") from error


def refuse_shadow(kind: str, name: str) -> None:
    """Raise if something here is called like `name`, which is no path: nobody can tell which of the two is meant."""
    if os.path.lexists(name):
        raise UsageError(
            f"{kind} {name!r} is written as a name, but {name} is here too: write ./{name} to mean that one"
        )


def package_folders(package: str) -> list[Path]:
    """The folders of an installed Python package, by its top-level name; none of its code is run."""
    # Only top-level names: looking for a module inside a package would import the package.
    try:
        spec = find_spec(package) if package.isidentifier() else None
    except ValueError:  # something that is no package has taken its place among the imported modules
        spec = None
    return [Path(root) for root in spec.submodule_search_locations or ()] if spec else []


def inside(folder: Path, name: str, what: str, *, is_written: bool = False) -> Path:
    """The path of what a manifest in `folder` calls `name`; one that leads out of the folder is a `DataError`.

    What is only read may be a link (caches of models are made of them); what `is_written` may not lie behind one that
    leads out.
    """
    path = folder / name
    parts = (PurePath(name), PureWindowsPath(name))  # a folder may have been made on another system
    leads_out = any(one.is_absolute() or one.drive or ".." in one.parts for one in parts) or not PurePath(name).parts
    if not leads_out and is_written:
        leads_out = not path.resolve().is_relative_to(folder.resolve())
    if leads_out:
        raise DataError(f"{folder}: {what} {name!r} must lie inside the folder")
    return path
