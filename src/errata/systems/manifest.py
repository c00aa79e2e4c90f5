"""`errata.json`, which says what system a folder holds: the only file that every model has."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from errata.errors import DataError
from errata.files import read_json, write_text

MANIFEST = "errata.json"

Manifest = Mapping[str, Any]


def read_manifest(folder: Path) -> dict[str, Any]:
    """The folder's `errata.json`."""
    path = folder / MANIFEST
    if not path.is_file():
        raise DataError(f"{folder} is not a trained system: it has no {MANIFEST}")
    manifest = read_json(path)
    if not isinstance(manifest, dict):
        raise DataError(f"{path} does not describe a system: it is no mapping")
    return manifest


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
