"""Exported networks under ONNX Runtime: no torch, one file or several parts.

A network too large for one file of a package is in several parts: `model.onnx.part0`, `model.onnx.part1`, …
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from errata.errors import DataError, UsageError
from errata.networks.stored import INDEX, StoredWeights

PART_LIMIT = 16 * 2**20
# On a CPU this fused kernel is slower than the two it replaces: 4.7 against 0.5 ms for 2,048 × 384 numbers.
SLOW_FUSIONS = ["SkipLayerNormFusion"]


class OnnxModel:
    """A network ready to run; `threads` 0 takes all cores, `device` is `cpu` or `cuda`."""

    def __init__(self, path: Path, *, device: str = "cpu", threads: int = 0) -> None:
        import onnxruntime

        self._path = path
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3  # errors only: its warnings are about its own optimisations
        providers = ["CPUExecutionProvider"]
        if device.startswith("cuda"):
            if "CUDAExecutionProvider" not in onnxruntime.get_available_providers():
                raise UsageError(f"no device {device!r}: this onnxruntime has no CUDA (install onnxruntime-gpu)")
            providers.insert(0, "CUDAExecutionProvider")
        elif device != "cpu":
            raise UsageError(f"no device {device!r} for an exported network: use cpu, cuda or cuda:N")
        # ONNX Runtime does not copy these arrays: they must live as long as the session.
        self._handed_over = read_initializers(path)
        if self._handed_over:
            values = [onnxruntime.OrtValue.ortvalue_from_numpy(array) for array in self._handed_over.values()]
            options.add_external_initializers(list(self._handed_over), values)
        # Weights in files of their own are found beside a file only, not beside bytes.
        network = str(path) if path.is_file() else read_parts(path)
        try:
            self._session = onnxruntime.InferenceSession(
                network, options, providers=providers, disabled_optimizers=SLOW_FUSIONS
            )
        except Exception as error:  # onnxruntime's exceptions have no common base of their own
            raise DataError(f"{path} is not a network onnxruntime can run: {str(error).splitlines()[0]}") from error
        self.inputs = tuple(entry.name for entry in self._session.get_inputs())
        self.outputs = tuple(entry.name for entry in self._session.get_outputs())

    def run(self, arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """The outputs by name; arrays the network does not take are left out.

        A network that cannot take the others (a subword without an embedding, say) is a `DataError`.
        """
        if unknown := [name for name in self.inputs if name not in arrays]:
            raise DataError(f"{self._path} asks for {', '.join(unknown)}, which no system of this kind has")
        fed = {name: arrays[name] for name in self.inputs}
        try:
            return dict(zip(self.outputs, self._session.run(None, fed), strict=True))
        except Exception as error:  # onnxruntime's exceptions have no common base of their own
            raise DataError(f"{self._path} cannot run on this input: {str(error).splitlines()[0]}") from error


def read_initializers(path: Path) -> dict[str, np.ndarray]:
    """The weights in few bits that the network at `path` takes as floats, by their names in it."""
    return StoredWeights.load(path.parent).initializers(path.name) if (path.parent / INDEX).is_file() else {}


def has_network(path: Path) -> bool:
    """Whether a network lies at `path`, whole or in parts."""
    return path.is_file() or bool(_parts(path))


def read_parts(path: Path) -> bytes:
    """The bytes of a file, or of its parts in order; a missing part is a `DataError`."""
    if path.is_file():
        return path.read_bytes()
    parts = _parts(path)
    if not parts:
        raise DataError(f"no such file {path}, nor {path.name}.part0")
    numbers = sorted(parts)
    if numbers != list(range(len(numbers))):
        absent = next(n for n in range(numbers[-1]) if n not in parts)
        raise DataError(f"{path}.part{absent} is missing")
    return b"".join(parts[n].read_bytes() for n in numbers)


def split_file(path: Path, limit: int = PART_LIMIT) -> list[Path]:
    """Cut a file above `limit` bytes into parts beside it and remove it; return the files that are there now."""
    content = path.read_bytes()
    for stale in _parts(path).values():
        stale.unlink()
    if len(content) <= limit:
        return [path]
    written = []
    for number, start in enumerate(range(0, len(content), limit)):
        written.append(path.with_name(f"{path.name}.part{number}"))
        written[-1].write_bytes(content[start : start + limit])
    path.unlink()
    return written


def _parts(path: Path) -> dict[int, Path]:
    found = ((p.name.removeprefix(f"{path.name}.part"), p) for p in path.parent.glob(f"{path.name}.part*"))
    return {int(number): p for number, p in found if number.isdecimal()}
