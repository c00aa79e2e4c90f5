"""Folders that `errata export` writes: never in the place of anything but an earlier export."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from errata.errors import DataError, UsageError
from errata.files import replacing_folder
from errata.networks.onnx import has_network
from errata.networks.weights import WEIGHTS
from errata.systems.cards import without_measurements
from errata.systems.manifest import MANIFEST, Manifest, read_manifest, write_manifest

# Copies of its manifest that `errata tune` keeps in a model's folder.
BACKUPS = re.compile(rf"{re.escape(MANIFEST)}\.bak\d*")


@contextmanager
def exporting(source: Path, out: Path, manifest: Mapping[str, Any], **how: Any) -> Iterator[Path]:
    """A new folder to fill with the system of `source`; with its manifest it takes the place of `out`.

    The manifest says under `export` how (`format`; `int8`: weights in few bits) and which files there are.
    """
    refuse_target([source], out)
    with replacing_folder(out) as beside:
        yield beside
        files = sorted([MANIFEST, *files_in(beside)])
        write_manifest(beside, {**without_measurements(manifest), "export": {**how, "files": files}})


def has_exported(network: Path, manifest: Manifest) -> bool:
    """Whether a model's folder has this exported network; a `DataError` where the folder is an export and lacks it."""
    if network.is_dir() or has_network(network):
        return True
    if "export" in manifest and not (network.parent / WEIGHTS).exists():
        raise DataError(f"{network} is missing, the network of this exported model: copy or export the folder again")
    return False


def refuse_target(sources: Sequence[Path], out: Path) -> None:
    """Raise if writing the folder `out` would destroy something: what is read, or files that no export wrote."""
    exported = read_manifest(out).get("export") if (out / MANIFEST).is_file() else None
    if not isinstance(exported, dict) or "files" not in exported:
        require_free(sources, out)
    else:
        require_earlier(sources, out, "an export", exported["files"], made_later=BACKUPS)


def require_earlier(
    sources: Sequence[Path], out: Path, what: str, files: Iterable[object], *, made_later: re.Pattern[str]
) -> None:
    """Raise unless all of the folder `out` is of an earlier writing, and apart from what is read.

    `files` are those that were written; other commands may have made files that the pattern `made_later` fits.
    """
    _require_apart(sources, out)
    known = set(map(str, files))
    foreign = (name for name in files_in(out) if name not in known and not made_later.fullmatch(name))
    if name := next(foreign, None):
        raise UsageError(f"{out} holds {name}, which is no part of {what}: move it, or choose another folder")


def require_free(sources: Sequence[Path], out: Path) -> None:
    """Raise unless `out` is a folder that is new or empty, and apart from what is read."""
    _require_apart(sources, out)
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is a file: choose a folder that is new or empty")
    if out.is_dir() and (held := next(out.iterdir(), None)):
        raise UsageError(f"{out} is not empty (it holds {held.name}): choose a folder that is new or empty")


def _require_apart(sources: Sequence[Path], out: Path) -> None:
    target = out.resolve()
    for source in sources:
        read = source.resolve()
        if target == read or target in read.parents or read in target.parents:
            raise UsageError(f"{out} and {source}, which is read, are not apart: choose another folder to write")


def files_in(folder: Path) -> list[str]:
    """The files and links in a folder and the folders below it, as paths from there."""
    return sorted(one.relative_to(folder).as_posix() for one in folder.rglob("*") if one.is_symlink() or one.is_file())
