"""Running a classifier's network: torch, or ONNX Runtime alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from errata.errors import DataError
from errata.networks.onnx import OnnxModel
from errata.networks.weights import place_model

if TYPE_CHECKING:
    from errata.systems.classifier.model import ClassifierModel

ONNX = "model.onnx"
INPUTS, OUTPUT = ("ids", "mask"), "probabilities"


class Runtime(Protocol):
    """A network that answers with probabilities (sentences, labels)."""

    def run(self, batch: Mapping[str, np.ndarray]) -> np.ndarray: ...


class TorchRuntime:
    """A torch model on a device."""

    def __init__(self, model: ClassifierModel, device: str = "cpu") -> None:
        self.model, self.device = place_model(model, device), device

    def run(self, batch: Mapping[str, np.ndarray]) -> np.ndarray:
        import torch

        with torch.inference_mode():
            tensors = [torch.from_numpy(batch[name]).to(self.device) for name in INPUTS]
            answers: np.ndarray = self.model.probabilities(*tensors).cpu().numpy()
            return answers


class OnnxRuntime:
    """An exported model; needs onnxruntime and nothing else."""

    def __init__(self, path: Path, device: str = "cpu", threads: int = 0) -> None:
        self._network = OnnxModel(path, device=device, threads=threads)
        if self._network.outputs != (OUTPUT,):
            raise DataError(f"{path} is not a classifier: its outputs are {', '.join(self._network.outputs)}")

    def run(self, batch: Mapping[str, np.ndarray]) -> np.ndarray:
        return self._network.run(batch)[OUTPUT]
