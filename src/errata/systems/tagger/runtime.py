"""Running a tagger's network: torch, or ONNX Runtime alone.

Both take the padded arrays of `subwords.pad_batch` and answer with the same four arrays (`Answers`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from errata.errors import DataError
from errata.systems.onnx import OnnxModel

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
    """A network that answers; arrays are (sentences, slots). `batch_tokens` is the batch size that suits it."""

    batch_tokens: int

    def run(self, batches: Iterable[Mapping[str, np.ndarray]]) -> Iterator[Answers]:
        """The answers to each batch, in order."""
        ...


class TorchRuntime:
    """A torch model on a device."""

    def __init__(self, model: TaggerModel, device: str = "cpu") -> None:
        self.model, self.device = model.to(device).eval(), device
        self.batch_tokens = 2048 if device == "cpu" else 65536

    def run(self, batches: Iterable[Mapping[str, np.ndarray]]) -> Iterator[Answers]:
        import torch

        for batch in batches:
            with torch.inference_mode():
                tensors = {name: torch.from_numpy(batch[name]).to(self.device) for name in INPUTS}
                answers = [answer.float().cpu().numpy() for answer in self.model.answers(**tensors)]
            yield Answers(*answers)


class OnnxRuntime:
    """An exported model; needs onnxruntime and no torch.

    Each batch runs on one core, several at a time: two batches on a core each are done a fifth sooner than one after
    the other on both (8,600 against 7,000 tokens a second with MiniLM). A core is as fast with 128 tokens as with
    2,048, so batches are small: little padding, and work for every core in later passes too.
    """

    def __init__(self, path: Path, device: str = "cpu", threads: int = 0) -> None:
        self._network = OnnxModel(path, device=device, threads=1)
        self._threads = threads or os.cpu_count() or 1
        self.batch_tokens = 512 if device == "cpu" else 65536
        if not set(self._network.inputs) <= set(INPUTS) or set(self._network.outputs) != set(OUTPUTS):
            raise DataError(f"{path} is not an exported tagger: its outputs are {', '.join(self._network.outputs)}")

    def run(self, batches: Iterable[Mapping[str, np.ndarray]]) -> Iterator[Answers]:
        with ThreadPoolExecutor(self._threads) as pool:
            for outputs in pool.map(self._network.run, batches):
                yield Answers(**outputs)
