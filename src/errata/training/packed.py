"""Packed data: named arrays in a folder, mapped into memory, opened anew in each worker process.

A task packs its data once under a key made from the inputs' digests and its options, so a packed folder is never
stale: other inputs or options have another key.

    def prepare(recipe, cache):
        key = key_of(recipe.digests(), FORMAT, {...})
        packed = pack_once(cache / f"tagger-{key}", lambda: {"ids": ..., "offsets": ...})
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from errata.errors import DataError
from errata.files import replacing_folder

log = logging.getLogger(__name__)

NOTES = "notes.json"


class Packed:
    """The arrays of a packed folder; reading one maps it, pickling gives the folder's name only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._open: dict[str, np.ndarray] = {}

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._open:
            try:
                self._open[name] = np.load(self.folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
            except (OSError, ValueError) as error:
                raise DataError(f"packed data {self.folder} have no readable array {name!r}: {error}") from error
        return self._open[name]

    def __reduce__(self) -> tuple[type[Packed], tuple[Path]]:
        return type(self), (self.folder,)

    @property
    def notes(self) -> dict[str, Any]:
        """What was noted while packing; travels with the arrays."""
        path = self.folder / NOTES
        notes: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        return notes


def pack_once(
    folder: Path, arrays: Callable[[], Mapping[str, np.ndarray]], notes: Callable[[], Mapping[str, Any]] | None = None
) -> Packed:
    """The packed folder, made from `arrays()` if it is not there yet; an interrupted packing leaves nothing.

    `notes()`, asked when the arrays are made, is kept beside them.
    """
    if folder.is_dir():
        log.info("packed data: %s", folder)
        return Packed(folder)
    with replacing_folder(folder) as beside:
        for name, array in arrays().items():
            np.save(beside / f"{name}.npy", array, allow_pickle=False)
        if notes is not None:
            (beside / NOTES).write_text(json.dumps(notes(), indent=1, ensure_ascii=False), encoding="utf-8")
    log.info("packed data written: %s", folder)
    return Packed(folder)


def ragged(rows: list[np.ndarray], dtype: type[np.generic]) -> tuple[np.ndarray, np.ndarray]:
    """Rows of different lengths as one flat array and offsets: row i is `flat[offsets[i]:offsets[i + 1]]`."""
    offsets = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum([len(row) for row in rows], out=offsets[1:])
    flat = np.concatenate(rows).astype(dtype) if rows else np.zeros(0, dtype=dtype)
    return flat, offsets


def padded(flat: np.ndarray, offsets: np.ndarray, indices: np.ndarray, fill: int) -> np.ndarray:
    """Rows `indices` of a ragged array, padded with `fill` to the longest: shape (rows, longest), int64."""
    starts, lengths = offsets[indices], offsets[indices + 1] - offsets[indices]
    places = np.arange(lengths.max(initial=0))
    is_filled = places < lengths[:, None]
    out = np.full(is_filled.shape, fill, dtype=np.int64)
    out[is_filled] = flat[(starts[:, None] + places)[is_filled]]
    return out
