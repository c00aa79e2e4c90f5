"""Running a tagger's network: torch, ONNX Runtime, or our own kernels (`native`).

All take batches of sentences in subwords and answer with the same four arrays (`SlotAnswers`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from errata.errors import DataError
from errata.networks.subwords import EncoderInput, pad_batch
from errata.networks.weights import place_model

if TYPE_CHECKING:
    from errata.systems.tagger.model import TaggerModel

ONNX = "model.onnx"
INPUTS = ("ids", "mask", "cases", "first")
OUTPUTS = ("keep", "best", "tag", "error")


class SlotAnswers(NamedTuple):
    """Per slot: the probability of keep, of the best other tag, that tag's number, and of an error.

    The slots of all sentences of a batch, one after the other.
    """

    keep: np.ndarray
    best: np.ndarray
    tag: np.ndarray
    error: np.ndarray


class Runtime(Protocol):
    """A network that answers.

    `batch_tokens` is the batch size that suits it, `chunk_batches` how many batches' worth of sentences to take at
    once. `workers` threads may call `run` at the same time.
    """

    batch_tokens: int
    chunk_batches: int
    workers: int

    def run(self, batches: Sequence[Sequence[EncoderInput]]) -> Iterator[SlotAnswers]:
        """The answers to each batch, in order."""
        ...


class TorchRuntime:
    """A torch model on a device."""

    def __init__(self, model: TaggerModel, device: str = "cpu") -> None:
        self.model, self.device = place_model(model, device), device
        self.batch_tokens = 2048 if device == "cpu" else 65536
        self.chunk_batches, self.workers = 32, 1

    def run(self, batches: Sequence[Sequence[EncoderInput]]) -> Iterator[SlotAnswers]:
        import torch

        for batch in batches:
            arrays = pad_batch(batch, 0)
            with torch.inference_mode():
                tensors = {name: torch.from_numpy(arrays[name]).to(self.device) for name in INPUTS}
                keep, best, tag, error = self.model.answers(**tensors)
                answers = [keep.float(), best.float(), tag, error.float()]
            yield SlotAnswers(*without_padding([answer.cpu().numpy() for answer in answers], batch))


class OnnxRuntime:
    """An exported model; needs onnxruntime and no torch.

    Each batch runs on one core: two batches on a core each are done a fifth sooner than one after the other on both
    (8,600 against 7,000 tokens a second with MiniLM). A core is as fast with 128 tokens as with 2,048, so batches are
    small, for little padding.
    """

    def __init__(self, path: Path, device: str = "cpu", threads: int = 0) -> None:
        from errata.networks.onnx import OnnxModel

        self._network = OnnxModel(path, device=device, threads=1)
        self.workers = (threads or os.cpu_count() or 1) if device == "cpu" else 1
        self.batch_tokens, self.chunk_batches = 512 if device == "cpu" else 65536, 16
        if not set(self._network.inputs) <= set(INPUTS) or set(self._network.outputs) != set(OUTPUTS):
            raise DataError(f"{path} is not an exported tagger: its outputs are {', '.join(self._network.outputs)}")

    def run(self, batches: Sequence[Sequence[EncoderInput]]) -> Iterator[SlotAnswers]:
        return map(self._answer, batches)

    def _answer(self, batch: Sequence[EncoderInput]) -> SlotAnswers:
        outputs = self._network.run(pad_batch(batch, 0))
        return SlotAnswers(*without_padding([outputs[name] for name in OUTPUTS], batch))


def without_padding(arrays: Sequence[np.ndarray], batch: Sequence[EncoderInput]) -> list[np.ndarray]:
    """The slots of all sentences, one after the other, from arrays (sentences, slots of the longest)."""
    n_slots = np.array([len(one.first) for one in batch])
    is_slot = np.arange(arrays[0].shape[1]) < n_slots[:, None]
    return [array[is_slot] for array in arrays]
