"""Changing the manifest of a model: in its folder, with the old one kept, or in a copy of the folder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

from errata.errors import UsageError
from errata.files import replacing_folder
from errata.systems.exported import require_free
from errata.systems.manifest import MANIFEST, write_manifest

BACKUP = f"{MANIFEST}.bak"


def require_revisable(folder: Path, copy: Path | None) -> None:
    """Raise unless `revise` can write: better before hours of tuning than after them."""
    if copy is not None:
        require_free([folder], copy)
    elif not os.access(folder, os.W_OK):
        raise UsageError(f"{folder} cannot be written: give --out FOLDER, which gets a copy with the new settings")


def revise(folder: Path, manifest: Mapping[str, Any], copy: Path | None = None) -> Path:
    """The folder that has the manifest now: `folder`, where the old one is kept beside it, or a `copy` of it."""
    if copy is None:
        keep_backup(folder)
        write_manifest(folder, manifest)
        return folder
    require_free([folder], copy)
    with replacing_folder(copy) as beside:
        shutil.copytree(folder, beside, dirs_exist_ok=True)
        write_manifest(beside, manifest)
    return copy


def keep_backup(folder: Path) -> Path:
    """A copy of the folder's manifest under a name that was free: `errata.json.bak`, `errata.json.bak2` …"""
    content = (folder / MANIFEST).read_bytes()
    names = (folder / (BACKUP if number == 1 else f"{BACKUP}{number}") for number in count(1))
    backup = next(path for path in names if not os.path.lexists(path))
    with backup.open("xb") as stream:
        stream.write(content)
    return backup
