"""The weights of a pretrained encoder as it is published (`model.safetensors`), read without torch.

A file is the length of its header (8 bytes), the header in JSON (`{"name": {"dtype": "F32", "shape": […],
"data_offsets": [begin, end]}}`), and the tensors. Encoders that were saved with a head call their weights `bert.…`;
early ones call those of norms `gamma` and `beta`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np

from errata.errors import DataError
from errata.networks.native.encoders import PREFIX
from errata.networks.quantised import Quantised
from errata.networks.stored import AnyShape, is_count

# How the files of an encoder begin the names of its weights.
HEADS = ("", "bert.", "mpnet.")
EARLY = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}
SIZES = {"F32": 4, "F16": 2, "BF16": 2}
# No header is longer: the library refuses 100 MB too.
MAX_HEADER = 100_000_000


class PretrainedWeights:
    """The tensors of a file by their names in torch, after `encoder.`; the file may come from anywhere."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            content = np.memmap(path, np.uint8, "r")
            length = int.from_bytes(content[:8].tobytes(), "little")
            header = json.loads(content[8 : 8 + min(length, MAX_HEADER)].tobytes())
        except (OSError, ValueError) as error:
            raise DataError(f"cannot read weights {path}: {error}") from error
        self._content = content[8 + length :]
        self._header: Mapping[str, Any] = header if isinstance(header, dict) else {}

    def floats(self, name: str, shape: AnyShape) -> np.ndarray:
        """A tensor as floats; `DataError` if it is missing or not of the shape (None: any length)."""
        found = next((one for one in _names(name) if one in self._header), None)
        if found is None:
            raise DataError(
                f"{self._path} has no {name.removeprefix(PREFIX)}: it is not the encoder of its config.json"
            )
        tensor = self._read(found)
        if tensor.ndim != len(shape) or any(n not in (None, m) for n, m in zip(shape, tensor.shape, strict=True)):
            raise DataError(f"{self._path}: {found} is {tensor.shape}, which does not fit config.json")
        if not np.isfinite(tensor).all():
            raise DataError(f"{self._path}: {found} has a number that is infinite or none")
        return tensor

    def quantised(self, name: str, shape: AnyShape) -> Quantised | None:
        """Published weights are floats."""
        return None

    def _read(self, name: str) -> np.ndarray:
        entry = self._header[name]
        described = entry if isinstance(entry, dict) else {}
        kind, shape, place = (described.get(key) for key in ("dtype", "shape", "data_offsets"))
        if kind not in SIZES or not _are_counts(shape) or not _are_counts(place) or len(place) != 2:
            raise DataError(f"{self._path}: {name} is no tensor of floats")
        begin, end = place
        if end > len(self._content) or end - begin != math.prod(shape) * SIZES[kind]:
            raise DataError(f"{self._path} is damaged: {name} does not lie inside it; copy it again")
        return _as_floats(self._content[begin:end].tobytes(), kind).reshape(shape)


def _names(name: str) -> Iterator[str]:
    """What a weight may be called in a file."""
    bare = name.removeprefix(PREFIX)
    for ending, early in {"": "", **EARLY}.items():
        if bare.endswith(ending):
            yield from (head + bare.removesuffix(ending) + early for head in HEADS)


def _are_counts(values: Any) -> TypeGuard[list[int]]:
    return isinstance(values, list) and all(map(is_count, values))


def _as_floats(content: bytes, kind: str) -> np.ndarray:
    if kind == "BF16":  # the upper half of a float
        return (np.frombuffer(content, "<u2").astype(np.uint32) << 16).view(np.float32)
    floats: np.ndarray = np.frombuffer(content, "<f4" if kind == "F32" else "<f2").astype(np.float32)
    return floats
