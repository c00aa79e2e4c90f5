"""Vectors of subwords, from an encoder's states after one of its layers: what BERTScore compares.

An encoder is a published one (BERT, MPNet; `package:…`, a folder, a Hugging Face name) or that of an errata tagger
(`zh-small`, `./runs/mine/model`). Our own kernels run the first two kinds without torch; others need it. Sentences of
any length: those that the encoder cannot take at once are read in segments, and no word is left out.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from errata.errors import DataError, UsageError
from errata.files import read_json
from errata.judges.batching import plan_batches
from errata.judges.models import DIGEST_LENGTH, digest_model
from errata.model import Tokens
from errata.networks.encoder import find_pretrained, load_pretrained, load_tokenizer, longest_input
from errata.networks.native import is_available
from errata.networks.native.description import Description
from errata.networks.native.encoders import (
    Shape,
    Weights,
    find_shape,
    read_distances,
    read_embedding,
    read_last_norm,
    read_layers,
    read_shape,
)
from errata.networks.pretrained_weights import PretrainedWeights
from errata.networks.stored import INDEX, StoredWeights
from errata.networks.subwords import N_CASES, EncoderInput, Subwords, pad_batch
from errata.networks.weights import WEIGHTS, place_model
from errata.systems.installed import NoModel, find_model
from errata.systems.manifest import MANIFEST
from errata.systems.tagger.borrowing import borrow_encoder, borrow_subwords
from errata.text.sentences import cut_long

# The longest input in subwords of encoders that state no limit.
POSITIONS = 512


class SubwordVectors(NamedTuple):
    """Vectors of length 1 (subwords, hidden), and which of them are words: the marks around a sentence are not."""

    vectors: np.ndarray
    is_word: np.ndarray


class Runtime(Protocol):
    """A network that gives states; several threads may ask it at once."""

    arithmetic: str
    reads_cases: bool
    batch_tokens: int
    workers: int

    def run(self, batch: Sequence[EncoderInput]) -> list[np.ndarray]:
        """The states of each sentence (subwords, hidden)."""
        ...


class TokenVectors:
    """Gives the subwords of sentences vectors, which do not depend on the other sentences.

    `name`, `digest` and `layer` tell one encoder from another, for signatures.
    """

    def __init__(self, runtime: Runtime, subwords: Subwords, name: str, digest: str, layer: int) -> None:
        self._runtime, self._subwords = runtime, subwords
        self.name, self.digest, self.layer = name, digest, layer

    @property
    def arithmetic(self) -> str:
        """How numbers are computed: float32, or int16 by our own kernels."""
        return self._runtime.arithmetic

    def __call__(self, sentences: Sequence[Tokens], batch_tokens: int | None = None) -> list[SubwordVectors]:
        """The vectors of each sentence; sentences that are the same to the encoder share theirs."""
        cut = [self._cut(tokens) for tokens in sentences]
        segments = {_key(one): one for own in cut for one in own}
        states = dict(zip(segments, self._encode(list(segments.values()), batch_tokens), strict=True))
        joined: dict[tuple[Any, ...], SubwordVectors] = {}
        for own in cut:
            keys = tuple(map(_key, own))
            if keys not in joined:
                joined[keys] = _join([states[key] for key in keys])
        return [joined[tuple(map(_key, own))] for own in cut]

    def _cut(self, tokens: Tokens) -> list[EncoderInput]:
        """Segments that the encoder can take; an empty sentence has none."""
        room = self._subwords.max_positions - 2
        places = cut_long(tokens, room, lambda token: not token[-1:].isalnum())
        segments = [self._subwords.encode(tokens[start:end]) for start, end in places if start < end]
        if self._runtime.reads_cases:
            return segments
        # "The" and "the" are the same to this encoder, so they must have the very same vectors.
        return [replace(one, cases=[0] * len(one.ids)) for one in segments]

    def _encode(self, segments: Sequence[EncoderInput], batch_tokens: int | None) -> list[np.ndarray]:
        runtime = self._runtime
        batches = list(plan_batches([len(one.ids) for one in segments], batch_tokens or runtime.batch_tokens))
        with ThreadPoolExecutor(runtime.workers) as pool:
            answers = list(pool.map(lambda batch: runtime.run([segments[place] for place in batch]), batches))
        found = dict(zip(chain.from_iterable(batches), chain.from_iterable(answers), strict=True))
        if not all(np.isfinite(states).all() for states in found.values()):
            raise DataError(f"{self.name}: the network's answers are not numbers: copy it again")
        return [found[place] for place in range(len(segments))]


def _key(segment: EncoderInput) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(segment.ids), tuple(segment.cases)


def _join(segments: Sequence[np.ndarray]) -> SubwordVectors:
    if not segments:
        return SubwordVectors(np.zeros((0, 0), np.float32), np.zeros(0, bool))
    states = np.concatenate(segments).astype(np.float32)
    is_word = np.concatenate([[False, *[True] * (len(one) - 2), False] for one in segments])
    return SubwordVectors(states / np.maximum(np.linalg.norm(states, axis=1, keepdims=True), 1e-12), is_word)


@cache
def load_token_vectors(model: str, layer: int | None = None, device: str = "cpu") -> TokenVectors:
    """The encoder called `model`, up to its layer number `layer` (from 1; None: the last)."""
    folder = _find_folder(model)
    if isinstance(folder, Path) and device == "cpu" and is_available():
        source = _read_native(folder)
        if source is not None:
            return _load_native(folder, model, layer, *source)
    return _load_torch(folder, model, layer, device)


def _find_folder(model: str) -> Path | str:
    """The folder of an encoder: an installed model of errata, or what `find_pretrained` finds."""
    try:
        folder = find_model(model)
    except NoModel:
        return find_pretrained(model)
    return folder if (folder / MANIFEST).is_file() else find_pretrained(model)


def _read_native(folder: Path) -> tuple[Weights, Shape, Subwords | None] | None:
    """The weights and shape of an encoder that our kernels can run; a tagger brings its subwords."""
    if (folder / INDEX).is_file() and (folder / MANIFEST).is_file():
        shape = read_shape(folder)
        return None if shape is None else (StoredWeights.load(folder), shape, borrow_subwords(folder))
    if not (folder / "config.json").is_file() or not (folder / WEIGHTS).is_file():
        return None
    config = read_json(folder / "config.json")
    try:
        shape = find_shape({"kind": "transformers", "config": config}) if isinstance(config, dict) else None
    except ValueError as error:
        raise DataError(f"{folder / 'config.json'} does not describe an encoder: {error}") from error
    return None if shape is None else (PretrainedWeights(folder / WEIGHTS), shape, None)


def _load_native(
    folder: Path, model: str, layer: int | None, weights: Weights, shape: Shape, subwords: Subwords | None
) -> TokenVectors:
    n_layers = _check_layer(model, layer, shape.n_layers)
    has_cases = isinstance(weights, StoredWeights) and "cases.weight" in weights
    cases = weights.floats("cases.weight", (N_CASES, shape.hidden)) if has_cases else None
    embedding = read_embedding(weights, shape, cases)
    positions = len(embedding.positions)
    subwords = subwords or Subwords(load_tokenizer(str(folder)), positions, str(folder))
    n_subwords = subwords.tokenizer.get_vocab_size()
    if n_subwords > embedding.n_subwords or subwords.max_positions > positions:
        raise DataError(f"{folder}: the tokenizer does not fit the encoder: copy the folder again")
    description = Description(
        shape.hidden,
        shape.heads,
        shape.wide,
        shape.is_pre_norm,
        embedding,
        read_layers(weights, replace(shape, n_layers=n_layers)),
        read_last_norm(weights, shape),
        distances=read_distances(weights, shape, positions),
    )
    runtime = NativeStates(description, has_cases=has_cases, origin=str(folder))
    return TokenVectors(runtime, subwords, _name(model, folder), digest_model(folder), n_layers)


def _load_torch(folder: Path | str, model: str, layer: int | None, device: str) -> TokenVectors:
    cases = None
    if isinstance(folder, Path) and (folder / MANIFEST).is_file():
        subwords, (encoder, _, cases) = borrow_subwords(folder), borrow_encoder(folder)
    else:
        tokenizer = load_tokenizer(str(folder))
        encoder, _ = load_pretrained(str(folder), tokenizer.get_vocab_size(), 1)
        subwords = Subwords(tokenizer, longest_input(encoder.config) or POSITIONS, model)
    n_layers = _keep_layers(encoder, model, layer)
    digest = digest_model(folder) if isinstance(folder, Path) else _digest_encoder(encoder)
    return TokenVectors(TorchStates(encoder, cases, device), subwords, _name(model, folder), digest, n_layers)


def _keep_layers(encoder: Any, model: str, layer: int | None) -> int:
    """Remove the layers above `layer`; how many are left."""
    from torch import nn

    layers: Any = next((one for one in encoder.modules() if isinstance(one, nn.ModuleList)), None)
    if layers is None:
        raise UsageError(f"{model} has no list of layers: name another encoder")
    n_layers = _check_layer(model, layer, len(layers))
    del layers[n_layers:]
    return n_layers


def _check_layer(model: str, layer: int | None, n_layers: int) -> int:
    if layer is not None and not 1 <= layer <= n_layers:
        raise UsageError(f"layer is between 1 and {n_layers} for {model}, not {layer}")
    return layer or n_layers


def _name(model: str, folder: Path | str) -> str:
    """A name for signatures, which does not depend on where the folder lies."""
    return model.removeprefix("package:") if not isinstance(folder, Path) or "/" not in model else folder.name


def _digest_encoder(encoder: Any) -> str:
    digest = sha256()
    for name, tensor in sorted(encoder.state_dict().items()):
        digest.update(name.encode() + tensor.detach().cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()[:DIGEST_LENGTH]


class NativeStates:
    """An encoder under our own kernels; a batch runs on one core, and nothing is padded."""

    arithmetic, batch_tokens = "int16", 256

    def __init__(self, description: Description, *, has_cases: bool, origin: str) -> None:
        from errata.networks.native._network import Network

        self._network, self.reads_cases, self._origin = Network(description), has_cases, origin
        self.workers = os.cpu_count() or 1

    def run(self, batch: Sequence[EncoderInput]) -> list[np.ndarray]:
        ids = np.fromiter(chain.from_iterable(one.ids for one in batch), np.int32)
        cases = np.fromiter(chain.from_iterable(one.cases for one in batch), np.int32)
        lengths = np.fromiter((len(one.ids) for one in batch), np.int32)
        slots = np.concatenate([np.arange(n, dtype=np.int32) for n in lengths])
        try:
            states = self._network.states(ids, cases, lengths, slots, lengths)
        except ValueError as error:
            raise DataError(f"{self._origin}: the tokenizer does not fit the network: {error}") from error
        return np.split(states, np.cumsum(lengths)[:-1])


class TorchStates:
    """A torch encoder on a device; on a processor each sentence runs by itself, so nothing depends on padding."""

    arithmetic = "float32"

    def __init__(self, encoder: Any, cases: Any, device: str = "cpu") -> None:
        self._encoder, self._device = place_model(encoder, device), device
        self._cases, self.reads_cases = None if cases is None else cases.to(device), cases is not None
        self.batch_tokens, self.workers = (1 if device == "cpu" else 16384), 1

    def run(self, batch: Sequence[EncoderInput]) -> list[np.ndarray]:
        import torch

        arrays = pad_batch(batch, 0)
        ids, mask, cases = (torch.from_numpy(arrays[name]).to(self._device) for name in ("ids", "mask", "cases"))
        with torch.inference_mode():
            embedded = self._encoder.get_input_embeddings()(ids)
            if self._cases is not None:
                embedded = embedded + self._cases[cases]
            states = self._encoder(inputs_embeds=embedded, attention_mask=mask).last_hidden_state.float().cpu().numpy()
        return [states[row, : len(one.ids)] for row, one in enumerate(batch)]
