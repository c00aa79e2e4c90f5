"""Vectors of sentences, from torch, ONNX Runtime or our own kernels.

Sentences of any length: those that the encoder cannot take at once are read in segments, and their vector is the mean
of the segments', weighted by their subwords. An empty sentence has no vector (zeros).
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from errata.errors import DataError, UsageError
from errata.files import read_json
from errata.judges.batching import plan_batches
from errata.model import Tokens
from errata.networks.native import is_available
from errata.networks.native.description import Description
from errata.networks.native.encoders import (
    DESCRIPTION,
    read_distances,
    read_embedding,
    read_last_norm,
    read_layers,
    read_shape,
)
from errata.networks.stored import INDEX, StoredWeights, is_count
from errata.networks.subwords import N_CASES, EncoderInput, Subwords, pad_batch
from errata.networks.weights import WEIGHTS, place_model
from errata.text.sentences import cut_long

if TYPE_CHECKING:
    from errata.judges.sentence_model import Pooling, SentenceModel

ONNX = "model.onnx"
SHAPE = "vectors.json"
INPUTS, OUTPUT = ("ids", "mask", "cases"), "vectors"
BACKENDS = ("native", "onnx", "torch")


@dataclass(frozen=True, slots=True)
class VectorShape:
    """What a folder says of its sentence model."""

    hidden: int
    pooling: Pooling
    has_cases: bool
    max_positions: int

    def write(self, folder: Path) -> None:
        described = {name: getattr(self, name) for name in self.__slots__}
        (folder / SHAPE).write_text(json.dumps(described, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> VectorShape:
        described = read_json(folder / SHAPE)
        if not isinstance(described, dict) or set(described) != set(cls.__slots__):
            raise DataError(f"{folder / SHAPE} does not describe sentence vectors: it has {', '.join(cls.__slots__)}")
        shape = cls(**described)
        if not (is_count(shape.hidden) and shape.hidden and is_count(shape.max_positions) and shape.max_positions > 2):
            raise DataError(f"{folder / SHAPE}: hidden and max_positions are numbers above 0 and 2")
        if shape.pooling not in ("first", "mean") or not isinstance(shape.has_cases, bool):
            raise DataError(f"{folder / SHAPE}: pooling is first or mean, has_cases true or false")
        return shape


class Runtime(Protocol):
    """A network that gives vectors; several threads may ask it at once."""

    arithmetic: str
    batch_tokens: int
    workers: int

    def run(self, batch: Sequence[EncoderInput]) -> np.ndarray:
        """The vectors (sentences, hidden)."""
        ...


class SentenceVectors:
    """Gives sentences vectors, which do not depend on the other sentences."""

    def __init__(self, runtime: Runtime, subwords: Subwords) -> None:
        self._runtime, self._subwords = runtime, subwords

    @classmethod
    def load(
        cls, folder: Path, *, device: str = "cpu", backend: str | None = None, threads: int = 0
    ) -> SentenceVectors:
        """What `save_sentence_model` or `export_sentence_model` wrote."""
        shape = VectorShape.read(folder)
        subwords = Subwords.load(folder, shape.max_positions)
        if backend is not None and backend not in BACKENDS:
            raise UsageError(f"unknown backend {backend!r}: choose {', '.join(BACKENDS)}")
        return cls(_open(folder, shape, subwords, device, backend, threads), subwords)

    @property
    def arithmetic(self) -> str:
        """How numbers are computed: float32, or int16 by our own kernels."""
        return self._runtime.arithmetic

    def __call__(self, sentences: Sequence[Tokens]) -> np.ndarray:
        """Vectors (sentences, hidden); (sentences, 0) if all are empty."""
        rows, segments = self._cut(sentences)
        if not segments:
            return np.zeros((len(sentences), 0))
        vectors = self._encode(segments)
        sizes = np.array([len(segment.ids) for segment in segments], float)
        sums, weights = np.zeros((len(sentences), vectors.shape[1])), np.zeros(len(sentences))
        np.add.at(sums, rows, vectors * sizes[:, None])
        np.add.at(weights, rows, sizes)
        means: np.ndarray = sums / np.maximum(weights, 1)[:, None]
        return means

    def _cut(self, sentences: Sequence[Tokens]) -> tuple[list[int], list[EncoderInput]]:
        """Segments the encoder can take, with the sentence that each belongs to."""
        rows, segments = [], []
        for row, tokens in enumerate(sentences):
            for start, end in cut_long(
                tokens, self._subwords.max_positions - 2, lambda token: not token[-1:].isalnum()
            ):
                if start < end:
                    rows.append(row)
                    segments.append(self._subwords.encode(tokens[start:end]))
        return rows, segments

    def _encode(self, segments: Sequence[EncoderInput]) -> np.ndarray:
        batches = list(plan_batches([len(segment.ids) for segment in segments], self._runtime.batch_tokens))
        with ThreadPoolExecutor(self._runtime.workers) as pool:
            answers = list(pool.map(lambda batch: self._runtime.run([segments[place] for place in batch]), batches))
        if not all(np.isfinite(answer).all() for answer in answers):
            raise DataError(f"{self._subwords.origin}: the network's answers are not numbers: copy the folder again")
        vectors = np.empty((len(segments), answers[0].shape[1]))
        for batch, answer in zip(batches, answers, strict=True):
            vectors[batch] = answer
        return vectors


def _open(
    folder: Path, shape: VectorShape, subwords: Subwords, device: str, backend: str | None, threads: int
) -> Runtime:
    is_exported = (folder / INDEX).is_file()
    can_be_native = is_exported and device == "cpu" and is_available() and read_shape(folder) is not None
    if backend == "native" and not can_be_native:
        raise UsageError(
            f"{folder} cannot run natively here: export it, on a processor with AVX2, or leave the backend out"
        )
    if backend == "native" or (backend is None and can_be_native):
        return NativeVectors.load(folder, shape, subwords, threads)
    if backend == "onnx" or (backend is None and is_exported):
        return OnnxVectors(folder / ONNX, device, threads)
    if not (folder / WEIGHTS).is_file():
        raise DataError(f"{folder} has neither {WEIGHTS} nor {INDEX}: copy or export the folder again")
    from errata.judges.saved_vectors import load_sentence_model

    return TorchVectors(load_sentence_model(folder), device)


class TorchVectors:
    """A torch model on a device."""

    arithmetic = "float32"

    def __init__(self, model: SentenceModel, device: str = "cpu") -> None:
        self.model, self.device = place_model(model, device), device
        self.batch_tokens, self.workers = (2048 if device == "cpu" else 65536), 1

    def run(self, batch: Sequence[EncoderInput]) -> np.ndarray:
        import torch

        arrays = pad_batch(batch, 0)
        with torch.inference_mode():
            tensors = (torch.from_numpy(arrays[name]).to(self.device) for name in INPUTS)
            vectors: np.ndarray = self.model(*tensors).float().cpu().numpy()
        return vectors


class OnnxVectors:
    """An exported model; needs onnxruntime and no torch."""

    arithmetic = "float32"

    def __init__(self, path: Path, device: str = "cpu", threads: int = 0) -> None:
        from errata.networks.onnx import OnnxModel

        self._network = OnnxModel(path, device=device, threads=1)
        self.workers = (threads or os.cpu_count() or 1) if device == "cpu" else 1
        self.batch_tokens = 512 if device == "cpu" else 65536
        if self._network.outputs != (OUTPUT,):
            raise DataError(f"{path} gives no sentence vectors: its outputs are {', '.join(self._network.outputs)}")

    def run(self, batch: Sequence[EncoderInput]) -> np.ndarray:
        return self._network.run(pad_batch(batch, 0))[OUTPUT]


class NativeVectors:
    """An exported model under our own kernels; a batch runs on one core, and nothing is padded."""

    arithmetic, batch_tokens = "int16", 256

    def __init__(
        self, description: Description, pooling: Pooling, threads: int = 0, origin: str = "the network"
    ) -> None:
        from errata.networks.native._network import Network

        self._network, self._pooling, self._origin = Network(description), pooling, origin
        self.workers = threads or os.cpu_count() or 1

    @classmethod
    def load(cls, folder: Path, shape: VectorShape, subwords: Subwords, threads: int = 0) -> NativeVectors:
        description = describe(StoredWeights.load(folder), folder, shape)
        positions = len(description.embedding.positions)
        if subwords.tokenizer.get_vocab_size() > description.embedding.n_subwords:
            raise DataError(f"{folder}: tokenizer.json has more subwords than the table of embeddings has rows")
        if shape.max_positions > positions:
            raise DataError(f"{folder / SHAPE}: max_positions is {shape.max_positions}, the network has {positions}")
        return cls(description, shape.pooling, threads, str(folder))

    def run(self, batch: Sequence[EncoderInput]) -> np.ndarray:
        ids, cases = (
            np.fromiter(chain.from_iterable(getattr(one, name) for one in batch), np.int32) for name in ("ids", "cases")
        )
        lengths = np.fromiter((len(one.ids) for one in batch), np.int32)
        if self._pooling == "first":
            n_slots, first = np.ones(len(batch), np.int32), np.zeros(len(batch), np.int32)
        else:
            n_slots, first = lengths, np.concatenate([np.arange(n, dtype=np.int32) for n in lengths])
        try:
            states = self._network.states(ids, cases, lengths, first, n_slots)
        except ValueError as error:
            raise DataError(f"{self._origin}: the tokenizer does not fit the network: {error}") from error
        if self._pooling == "first":
            return states
        ends = np.cumsum(lengths)
        return np.stack([states[end - n : end].mean(0, dtype=float) for n, end in zip(lengths, ends, strict=True)])


def describe(weights: StoredWeights, folder: Path, vectors: VectorShape) -> Description:
    """A sentence model's network from its stored weights."""
    shape = read_shape(folder)
    assert shape is not None
    if shape.hidden != vectors.hidden:
        raise DataError(f"{folder}: {SHAPE} and {DESCRIPTION} speak of {vectors.hidden} and {shape.hidden} numbers")
    if not vectors.has_cases and "cases.weight" in weights:
        raise DataError(f"{folder / SHAPE}: has_cases is false, but they have weights: export the folder again")
    cases = weights.floats("cases.weight", (N_CASES, shape.hidden)) if vectors.has_cases else None
    embedding = read_embedding(weights, shape, cases)
    return Description(
        shape.hidden,
        shape.heads,
        shape.wide,
        shape.is_pre_norm,
        embedding,
        read_layers(weights, shape),
        read_last_norm(weights, shape),
        distances=read_distances(weights, shape, len(embedding.positions)),
    )


def cosines(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The cosine of each row of one array with the same row of another; 0 where one has no length."""
    lengths: Any = np.linalg.norm(left, axis=-1) * np.linalg.norm(right, axis=-1)
    products: np.ndarray = (left * right).sum(-1)
    found: np.ndarray = np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)
    return found
