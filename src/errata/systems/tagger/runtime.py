"""Running a tagger's network: torch, or ONNX Runtime alone.

Both take the padded arrays of `subwords.pad_batch` and answer with the same four arrays (`Answers`).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from errata.errors import DataError, MissingExtra

if TYPE_CHECKING:
    from errata.systems.tagger.model import TaggerModel

ONNX = "model.onnx"
INPUTS = ("ids", "mask", "cases", "first")
OUTPUTS = ("keep", "best", "tag", "error")


class Answers(NamedTuple):
    """Per slot: the probability of keep, of the best other tag, that tag's number, and of an error."""

    keep: np.ndarray
    best: np.ndarray
    tag: np.ndarray
    error: np.ndarray


class Runtime(Protocol):
    """A network that answers; arrays are (sentences, slots)."""

    def run(self, batch: Mapping[str, np.ndarray]) -> Answers: ...


class TorchRuntime:
    """A torch model on a device."""

    def __init__(self, model: TaggerModel, device: str = "cpu") -> None:
        self.model, self.device = model.to(device).eval(), device

    def run(self, batch: Mapping[str, np.ndarray]) -> Answers:
        import torch

        with torch.inference_mode():
            tensors = {name: torch.from_numpy(batch[name]).to(self.device) for name in INPUTS}
            return Answers(*(answer.float().cpu().numpy() for answer in self.model.answers(**tensors)))


class OnnxRuntime:
    """An exported model; needs onnxruntime and nothing else."""

    def __init__(self, path: Path, device: str = "cpu", threads: int = 0) -> None:
        try:
            import onnxruntime
        except ImportError as error:
            raise MissingExtra("onnxruntime", "correct") from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        wanted = ["CUDAExecutionProvider"] if device.startswith("cuda") else []
        providers = [*(p for p in wanted if p in onnxruntime.get_available_providers()), "CPUExecutionProvider"]
        if wanted and len(providers) == 1:
            raise DataError(f"device {device}: this onnxruntime has no CUDA; install onnxruntime-gpu or use device=cpu")
        try:
            self._session = onnxruntime.InferenceSession(str(path), options, providers=providers)
        except Exception as error:  # onnxruntime's own exceptions share no base below this
            raise DataError(f"{path} is not a model onnxruntime can run: {error}") from error
        self._inputs = [one.name for one in self._session.get_inputs()]
        names = {one.name for one in self._session.get_outputs()}
        if not set(self._inputs) <= set(INPUTS) or names != set(OUTPUTS):
            raise DataError(f"{path} is not an exported tagger: its outputs are {', '.join(sorted(names))}")

    def run(self, batch: Mapping[str, np.ndarray]) -> Answers:
        return Answers(*self._session.run(list(OUTPUTS), {name: batch[name] for name in self._inputs}))
