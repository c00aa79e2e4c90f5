"""An exported network's weights in files of at most 15.5 MiB, which ONNX Runtime and our own kernels both read.

`weights0.bin`, `weights1.bin`, … hold the tensors one after the other. `weights.json` says where each tensor is, by its
name in torch:

    {"errors.bias": {"shape": [1], "file": "weights0.bin", "offset": 64}}                                 floats
    {"tags.weight": {"shape": [5000, 384], "bits": 5, "top": 0.31, "high": {…}, "low": {…}, "scales": {…},
                     "initializers": {"model.onnx": ["model.tags.weight.T"]}}}                            quantised

A network refers to floats as external data. Quantised tensors are handed to it as floats when it is loaded, under the
names that `initializers` lists for its file; one that ends in `.T` takes the transposed matrix. Earlier versions wrote
neither `initializers` nor `bits` (10 if there is `low`, else 8): their networks make floats themselves. A tensor that
is larger than a file may be gets a file of its own.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard

import numpy as np

from errata.errors import DataError
from errata.files import read_json
from errata.networks.quantised import Quantised, dequantise, find_fault
from errata.places import inside

INDEX = "weights.json"
FILE_LIMIT = int(15.5 * 2**20)
ALIGNMENT = 64
# No weights have more axes; NumPy refuses more than 64.
MAX_AXES = 8
PARTS = ("high", "low", "scales")
TURNED = ".T"  # what the names of transposed matrices end in

AnyShape: TypeAlias = tuple[int | None, ...]  # None: any length


class WeightWriter:
    """Appends tensors to files in a folder; `close` writes the index."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._written: dict[str, tuple[bytes, dict[str, dict[str, Any]]]] = {}  # digest and places
        self._index: dict[str, dict[str, Any]] = {}
        self._file, self._size = -1, FILE_LIMIT

    def __contains__(self, name: str) -> bool:
        return name in self._written

    def add(self, name: str, tensor: np.ndarray | Quantised) -> dict[str, dict[str, Any]]:
        """Write a tensor; return the place of each part (`file`, `offset`, `length`, `shape`), floats under "".

        A tensor that was written before, under the same name, is not written again.
        """
        if isinstance(tensor, Quantised):
            parts = {part: array for part in PARTS if (array := getattr(tensor, part)) is not None}
            described = {"shape": list(tensor.shape), "bits": tensor.bits, "top": tensor.top}
        else:
            parts, described = {"": tensor.astype(np.float32)}, {"shape": list(tensor.shape)}
        digest = sha256(b"".join(array.tobytes() for array in parts.values())).digest()
        if name in self._written:
            if self._written[name][0] != digest:
                raise ValueError(f"two tensors are called {name}")
            return self._written[name][1]
        places = {part: self._append(array) for part, array in parts.items()}
        self._written[name] = digest, places
        kept = {part: {key: place[key] for key in ("file", "offset", "shape")} for part, place in places.items()}
        self._index[name] = {**described, **kept.pop("", {}), **kept}
        return places

    def hand_over(self, name: str, network: str, initializer: str) -> None:
        """Note that the file `network` takes the tensor `name` as `initializer` when it is loaded."""
        self._index[name].setdefault("initializers", {}).setdefault(network, []).append(initializer)

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
    """The weights of a folder, read from memory-mapped files when asked for.

    The folder may come from anywhere. Whoever asks for a tensor says which shape it must have (None: any length of that
    axis). A tensor of another shape, one that does not lie inside its file, or one that holds something else than
    finite numbers is a `DataError` that names it. So nothing below, compiled code above all, sees a wrong size.
    """

    def __init__(self, folder: Path, index: Mapping[str, Any]) -> None:
        self._folder, self._index = folder, index
        self._files: dict[str, np.ndarray] = {}

    @classmethod
    def load(cls, folder: Path) -> StoredWeights:
        """What `WeightWriter` wrote."""
        index = read_json(folder / INDEX)
        if not isinstance(index, dict):
            raise DataError(f"{folder / INDEX} does not list tensors: it is no mapping")
        return cls(folder, index)

    def __contains__(self, name: str) -> bool:
        return name in self._index

    def names(self) -> list[str]:
        """The names of all tensors."""
        return list(self._index)

    def any_floats(self, name: str) -> np.ndarray:
        """A tensor as floats, of whatever shape it has; whoever asks looks at that."""
        stated = self._entry(name).get("shape")
        if not isinstance(stated, list) or len(stated) > MAX_AXES:
            raise self._fault(name, "lacks a shape")
        return self.floats(name, (None,) * len(stated))

    def floats(self, name: str, shape: AnyShape) -> np.ndarray:
        """A tensor as floats."""
        quantised = self.quantised(name, shape)
        if quantised is not None:
            return dequantise(quantised)
        tensor = self._array(name, self._entry(name), np.float32)
        self._require_shape(name, tensor.shape, shape)
        if not np.isfinite(tensor).all():
            raise self._fault(name, "has a number that is infinite or none")
        return tensor

    def quantised(self, name: str, shape: AnyShape) -> Quantised | None:
        """A matrix as whole numbers and scales; None if it is stored as floats."""
        entry = self._entry(name)
        if "high" not in entry:
            return None
        if "scales" not in entry:
            raise self._fault(name, "has no scales")
        bits, top = entry.get("bits", 10 if "low" in entry else 8), entry.get("top", 1.0)
        if not is_count(bits) or isinstance(top, bool) or not isinstance(top, int | float):
            raise self._fault(name, f"has {bits!r} bits and {top!r} as the largest scale, which are no numbers")
        high = self._array(name, entry["high"], np.uint8)
        low = self._array(name, entry["low"], np.uint8) if "low" in entry else None
        scales = self._array(name, entry["scales"], np.float16 if bits >= 8 else np.uint8)
        quantised = Quantised(high, low, scales, bits, self._columns(name, entry, high), top)
        self._require_shape(name, quantised.shape, shape)
        if fault := find_fault(quantised):
            raise self._fault(name, fault)
        return quantised

    def initializers(self, network: str) -> dict[str, np.ndarray]:
        """The floats that the network in the file `network` takes when it is loaded, by their names in it."""
        found = {}
        for name in self._index:
            for initializer in self._initializer_names(name, network):
                matrix = self.floats(name, (None, None))
                found[initializer] = np.ascontiguousarray(matrix.T) if initializer.endswith(TURNED) else matrix
        return found

    def _initializer_names(self, name: str, network: str) -> list[str]:
        listed = self._entry(name).get("initializers", {})
        names = listed.get(network, []) if isinstance(listed, dict) else None
        if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
            raise self._fault(name, "has initializers that are no lists of names")
        return names

    def _columns(self, name: str, entry: Mapping[str, Any], high: np.ndarray) -> int:
        """How many numbers a row of a quantised matrix has."""
        if "bits" not in entry:
            return int(high.shape[-1])  # a byte for each number
        shape = entry.get("shape")
        if not isinstance(shape, list) or len(shape) != 2 or not is_count(shape[1]) or not shape[1]:
            raise self._fault(name, "lacks a shape of two positive whole numbers")
        return shape[1]

    def _entry(self, name: str) -> Mapping[str, Any]:
        if name not in self._index:
            raise DataError(f"{self._folder / INDEX} has no {name}: export the system again")
        entry = self._index[name]
        if not isinstance(entry, dict):
            raise self._fault(name, "is no mapping")
        return entry

    def _array(self, name: str, place: Any, dtype: Any) -> np.ndarray:
        file, offset, shape = self._place(name, place)
        content, item = self._content(name, file), np.dtype(dtype).itemsize
        end = offset + math.prod(shape) * item  # whole numbers of Python: no product overflows
        if end > len(content):
            raise DataError(f"{self._folder / file} is too short for {name}: copy or export the folder again")
        if offset % item:
            raise self._fault(name, f"begins at byte {offset}, which is no multiple of {item}")
        found: np.ndarray = np.asarray(content[offset:end]).view(dtype).reshape(shape)
        return found

    def _place(self, name: str, place: Any) -> tuple[str, int, tuple[int, ...]]:
        """The file, offset and shape that an entry states."""
        described = place if isinstance(place, dict) else {}
        file, offset, shape = (described.get(key) for key in ("file", "offset", "shape"))
        sizes = tuple(shape) if isinstance(shape, list) else (0,)
        if not isinstance(file, str) or not is_count(offset) or not all(is_count(n) and n > 0 for n in sizes):
            raise self._fault(name, "lacks a file, an offset or a shape of positive whole numbers")
        if len(sizes) > MAX_AXES:
            raise self._fault(name, f"has {len(sizes)} axes")
        return file, offset, sizes

    def _content(self, name: str, file: str) -> np.ndarray:
        if file not in self._files:
            path = inside(self._folder, file, "weights file")
            if "\0" in file or not path.is_file():  # opening a pipe would wait for ever
                raise DataError(f"{self._folder / INDEX}: {name} lies in {file!r}, which is no file of the folder")
            try:
                self._files[file] = np.memmap(path, np.uint8, "r")
            except (OSError, ValueError) as error:
                raise DataError(f"{path} cannot be read: {error}") from error
        return self._files[file]

    def _require_shape(self, name: str, found: tuple[int, ...], shape: AnyShape) -> None:
        if len(found) != len(shape) or any(n not in (None, m) for n, m in zip(shape, found, strict=True)):
            wanted = " × ".join("any" if n is None else str(n) for n in shape) or "one number"
            raise self._fault(name, f"is {' × '.join(map(str, found)) or 'one number'}, not {wanted}")

    def _fault(self, name: str, fault: str) -> DataError:
        return DataError(f"{self._folder / INDEX}: {name} {fault}")


def is_count(value: Any) -> TypeGuard[int]:
    """Whether a value from a JSON file is a whole number, 0 or more."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
