"""An exported network's weights in files of at most 15.5 MiB, which ONNX Runtime and our own kernels both read.

`weights0.bin`, `weights1.bin`, … hold the tensors one after the other; `model.onnx` refers to them as external data,
and `weights.json` says where each lies under the name it has in torch:

    {"errors.bias": {"shape": [1], "file": "weights0.bin", "offset": 64}}                                 floats
    {"tags.weight": {"shape": [5000, 384], "high": {…}, "low": {…}, "scales": {…}}}                       quantised

A tensor larger than a file has one of its own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from errata.errors import DataError
from errata.networks.quantised import Quantised, dequantise
from errata.places import inside

INDEX = "weights.json"
FILE_LIMIT = int(15.5 * 2**20)
ALIGNMENT = 64
DTYPES = {"high": np.int8, "low": np.uint8, "scales": np.float16}


class WeightWriter:
    """Appends tensors to files in a folder; `close` writes the index."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._index: dict[str, dict[str, Any]] = {}
        self._file, self._size = -1, FILE_LIMIT

    def add(self, name: str, tensor: np.ndarray | Quantised) -> dict[str, dict[str, Any]]:
        """Write a tensor; where its parts lie (`file`, `offset`, `length`, `shape`), by part ("" for floats)."""
        if isinstance(tensor, Quantised):
            parts = {part: array for part in DTYPES if (array := getattr(tensor, part)) is not None}
            shape = tensor.high.shape
        else:
            parts, shape = {"": tensor.astype(np.float32)}, tensor.shape
        places = {part: self._append(array) for part, array in parts.items()}
        kept = {part: {key: place[key] for key in ("file", "offset", "shape")} for part, place in places.items()}
        self._index[name] = {"shape": list(shape), **kept.pop("", {}), **kept}
        return places

    def close(self) -> None:
        text = ",\n".join(f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in self._index.items())
        (self._folder / INDEX).write_text(f"{{\n{text}\n}}\n", encoding="utf-8")

    def _append(self, array: np.ndarray) -> dict[str, Any]:
        content = array.tobytes()
        offset = -(-self._size // ALIGNMENT) * ALIGNMENT
        if offset + len(content) > FILE_LIMIT:
            self._file, offset = self._file + 1, 0
        file = f"weights{self._file}.bin"
        with (self._folder / file).open("r+b" if offset else "wb") as stream:
            stream.seek(offset)
            stream.write(content)
        self._size = offset + len(content)
        return {"file": file, "offset": offset, "length": len(content), "shape": list(array.shape)}


class StoredWeights:
    """The weights of a folder, read from memory-mapped files when asked for."""

    def __init__(self, folder: Path, index: Mapping[str, Mapping[str, Any]]) -> None:
        self._folder, self._index = folder, index
        self._files: dict[str, np.ndarray] = {}

    @classmethod
    def load(cls, folder: Path) -> StoredWeights:
        """What `WeightWriter` wrote."""
        try:
            return cls(folder, json.loads((folder / INDEX).read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            raise DataError(f"{folder / INDEX} cannot be read: {error}") from error

    def __contains__(self, name: str) -> bool:
        return name in self._index

    def floats(self, name: str) -> np.ndarray:
        """A tensor as floats."""
        quantised = self.quantised(name)
        return self._array(name, self._entry(name), np.float32) if quantised is None else dequantise(quantised)

    def quantised(self, name: str) -> Quantised | None:
        """A matrix as whole numbers and scales; None if it is stored as floats."""
        entry = self._entry(name)
        return self._parts(name, entry) if "high" in entry else None

    def _entry(self, name: str) -> Mapping[str, Any]:
        if name not in self._index:
            raise DataError(f"{self._folder / INDEX} has no {name}: export the system again")
        return self._index[name]

    def _parts(self, name: str, entry: Mapping[str, Any]) -> Quantised:
        arrays = {part: self._array(name, entry[part], dtype) for part, dtype in DTYPES.items() if part in entry}
        return Quantised(arrays["high"], arrays.get("low"), arrays["scales"])

    def _array(self, name: str, place: Mapping[str, Any], dtype: Any) -> np.ndarray:
        try:
            file, offset, shape = str(place["file"]), int(place["offset"]), tuple(map(int, place["shape"]))
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(f"{self._folder / INDEX} does not say where {name} is: {error}") from error
        if file not in self._files:
            path = inside(self._folder, file, "weights file")
            try:
                self._files[file] = np.memmap(path, np.uint8, "r")
            except (OSError, ValueError) as error:
                raise DataError(f"{self._folder / file} cannot be read: {error}") from error
        content = self._files[file][offset : offset + int(np.prod(shape)) * np.dtype(dtype).itemsize]
        if len(content) != int(np.prod(shape)) * np.dtype(dtype).itemsize:
            raise DataError(f"{self._folder / file} is too short for {name}: copy or export the folder again")
        found: np.ndarray = np.asarray(content).view(dtype).reshape(shape)
        return found
