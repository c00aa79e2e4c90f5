"""`errata.json`, which says what system a folder holds: the only file that every model has."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from errata.errors import DataError
from errata.files import read_json, write_text

MANIFEST = "errata.json"
# What the folders of this version are like. It goes up when an older errata could not read a new folder rightly.
FORMAT = 1

Manifest = Mapping[str, Any]


def read_manifest(folder: Path) -> dict[str, Any]:
    """The folder's `errata.json`; one that a newer errata made is a `DataError`."""
    path = folder / MANIFEST
    if not path.is_file():
        raise DataError(f"{folder} is not a trained system: it has no {MANIFEST}")
    manifest = read_json(path)
    if not isinstance(manifest, dict):
        raise DataError(f"{path} does not describe a system: it is no mapping")
    _check_format(path, manifest.get("format", FORMAT))
    return manifest


def _check_format(path: Path, format: Any) -> None:
    """Refuse a folder of a later version: what it says may mean something else there."""
    if not isinstance(format, int) or isinstance(format, bool) or format < 1:
        raise DataError(f'{path}: "format" is {json.dumps(format)}, not a number of a format: copy the folder again')
    if format > FORMAT:
        raise DataError(
            f"{path.parent} was made by a newer errata: it has format {format}, and this errata reads up to {FORMAT}; "
            "update errata"
        )


def read_name(folder: Path, manifest: Manifest, key: str) -> str:
    """What the manifest of a folder gives as its "system" or "language"; a `DataError` if that is no name."""
    if key not in manifest:
        raise DataError(f'{folder / MANIFEST} has no "{key}": copy or export the folder again')
    name = manifest[key]
    if not isinstance(name, str) or not name.strip():
        raise DataError(f'{folder / MANIFEST}: "{key}" is {json.dumps(name)}, not a name')
    return name


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the folder's `errata.json`, whole or not at all."""
    write_text(folder / MANIFEST, format_manifest(manifest))


def format_manifest(manifest: Manifest) -> str:
    """What `errata.json` says, as it is written."""
    return json.dumps(manifest, indent=2, ensure_ascii=False, default=str) + "\n"
