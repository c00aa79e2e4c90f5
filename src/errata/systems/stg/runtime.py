"""Running STG's networks: torch, or ONNX Runtime alone. Both take padded arrays and answer with the same arrays."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from errata.errors import DataError
from errata.networks.onnx import OnnxModel
from errata.networks.weights import place_model

if TYPE_CHECKING:
    from errata.systems.stg.model import StgModel

READER, FILLER = "model.onnx", "generator.onnx"
READ_INPUTS, READ_OUTPUTS = ("ids", "mask", "first"), ("pointers", "tags", "counts")
FILL_INPUTS, FILL_OUTPUTS = ("ids", "mask", "hints", "where"), ("piece", "probability")

Batch = Mapping[str, np.ndarray]


class Reading(NamedTuple):
    """Per sentence: log-probabilities of the slot that follows each slot, probabilities of tags and of counts."""

    pointers: np.ndarray
    tags: np.ndarray
    counts: np.ndarray


class Filling(NamedTuple):
    """The best subword for each mask, with its probability."""

    subword: np.ndarray
    probability: np.ndarray


class Runtime(Protocol):
    """Networks that answer."""

    def read(self, batch: Batch) -> Reading: ...

    def fill(self, batch: Batch) -> Filling: ...


class TorchRuntime:
    """A torch model on a device."""

    def __init__(self, model: StgModel, device: str = "cpu") -> None:
        self.model, self.device = place_model(model, device), device

    def read(self, batch: Batch) -> Reading:
        return Reading(*self._run("read", READ_INPUTS, batch))

    def fill(self, batch: Batch) -> Filling:
        return Filling(*self._run("fill", FILL_INPUTS, batch))

    def _run(self, method: str, inputs: tuple[str, ...], batch: Batch) -> list[np.ndarray]:
        import torch

        with torch.inference_mode():
            tensors = [torch.from_numpy(batch[name]).to(self.device) for name in inputs]
            answers = getattr(self.model, method)(*tensors)
            return [(one.float() if one.is_floating_point() else one).cpu().numpy() for one in answers]


class OnnxRuntime:
    """Exported networks; needs onnxruntime and nothing else."""

    def __init__(self, folder: Path, device: str = "cpu", threads: int = 0) -> None:
        self._reader = _open(folder / READER, READ_OUTPUTS, device, threads)
        self._filler = _open(folder / FILLER, FILL_OUTPUTS, device, threads)

    def read(self, batch: Batch) -> Reading:
        return Reading(**self._reader.run(batch))

    def fill(self, batch: Batch) -> Filling:
        outputs = self._filler.run(batch)
        return Filling(*(outputs[name] for name in FILL_OUTPUTS))


def _open(path: Path, outputs: tuple[str, ...], device: str, threads: int) -> OnnxModel:
    network = OnnxModel(path, device=device, threads=threads)
    if set(network.outputs) != set(outputs):
        raise DataError(f"{path} is not part of an exported STG: its outputs are {', '.join(network.outputs)}")
    return network
