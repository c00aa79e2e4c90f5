"""Which encoders the kernels can run, and the names of their weights: BERT, MPNet, and our own with learned positions.

`encoder.json` describes an encoder. Weights have the names they have in torch; each is read with the shape that the
description asks for, so a folder whose files do not fit each other is refused here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from errata.errors import DataError
from errata.files import read_json
from errata.networks.native.description import Embedding, LayerWeights, Linear, Norm
from errata.networks.quantised import Quantised
from errata.networks.stored import AnyShape, is_count

DESCRIPTION = "encoder.json"
PREFIX = "encoder."
TORCH_EPSILON = 1e-5  # of torch's LayerNorm
# Far above any encoder. Products of three sizes fit a 64-bit number.
MAX_SIZE = 2**20
OWN_SIZES = ("hidden", "heads", "feed_forward", "layers", "epsilon")
BERT_SIZES = ("hidden_size", "num_attention_heads", "intermediate_size", "num_hidden_layers", "layer_norm_eps")
# transformers' MPNet has these built in: its positions begin after the row of padding, and distances have 32 buckets.
MPNET_PADDING, MPNET_BUCKETS = 1, 32  # transformers' defaults


@dataclass(frozen=True, slots=True)
class LayerNames:
    """What the weights of one layer are called; queries, keys and values may be one linear map or three."""

    prefix: str
    query_key_value: tuple[str, ...]
    project: str
    widen: str
    narrow: str
    attention_norm: str
    feed_norm: str


LAYERS = {
    "errata": LayerNames(
        "layers.{}.", ("query_key_value",), "project", "widen", "narrow", "attention_norm", "feed_norm"
    ),
    "bert": LayerNames(
        "encoder.layer.{}.",
        ("attention.self.query", "attention.self.key", "attention.self.value"),
        "attention.output.dense",
        "intermediate.dense",
        "output.dense",
        "attention.output.LayerNorm",
        "output.LayerNorm",
    ),
    "mpnet": LayerNames(
        "encoder.layer.{}.",
        ("attention.attn.q", "attention.attn.k", "attention.attn.v"),
        "attention.attn.o",
        "intermediate.dense",
        "output.dense",
        "attention.LayerNorm",
        "output.LayerNorm",
    ),
}


class Weights(Protocol):
    """Stored weights by name; a shape that is not the expected one is a `DataError`."""

    def floats(self, name: str, shape: AnyShape) -> np.ndarray:
        """The weights as floats."""
        ...

    def quantised(self, name: str, shape: AnyShape) -> Quantised | None:
        """A matrix as whole numbers and scales; None if it is stored as floats."""
        ...


@dataclass(frozen=True, slots=True)
class Shape:
    """The kind (`errata`, `bert` or `mpnet`) and sizes of an encoder the kernels can run.

    `first_position` is the row of the first subword in the table of positions.
    """

    kind: str
    hidden: int
    heads: int
    wide: int
    n_layers: int
    epsilon: float
    first_position: int = 0

    @property
    def is_pre_norm(self) -> bool:
        return self.kind == "errata"


def read_shape(folder: Path) -> Shape | None:
    """The shape of the encoder in a folder; None if the kernels cannot run it."""
    path = folder / DESCRIPTION
    described = read_json(path)
    if not isinstance(described, dict) or not isinstance(described.get("config"), dict):
        raise DataError(f"{path} does not describe an encoder")
    try:
        return find_shape(described)
    except ValueError as error:
        raise DataError(f"{path} does not describe an encoder: {error}") from error


def find_shape(described: Mapping[str, Any]) -> Shape | None:
    """The shape of the encoder that `encoder.json` describes; None if the kernels cannot run it.

    Sizes that no encoder has are a `ValueError`.
    """
    config = described.get("config", {})
    kind = _find_kind(described.get("kind"), config)
    if kind is None:
        return None
    if kind == "errata":
        config = {**config, "epsilon": TORCH_EPSILON}
    names = OWN_SIZES if kind == "errata" else BERT_SIZES
    hidden, heads, wide, n_layers = (_size(config, name) for name in names[:4])
    epsilon = config.get(names[4])
    if isinstance(epsilon, bool) or not isinstance(epsilon, int | float) or not 0 <= epsilon < math.inf:
        raise ValueError(f"{names[4]} is {epsilon!r}, not a small number")
    # The kernels read 16 numbers of a row at a time, and 8 of a head.
    fits = hidden % 16 == 0 and wide % 16 == 0 and hidden % heads == 0 and hidden // heads % 8 == 0
    first_position = 0
    if kind == "mpnet":
        padding = config.get("pad_token_id", MPNET_PADDING)
        if not is_count(padding):
            raise ValueError(f"pad_token_id is {padding!r}, not the number of a subword")
        first_position = padding + 1
    return Shape(kind, hidden, heads, wide, n_layers, float(epsilon), first_position) if fits else None


def _size(config: Mapping[str, Any], name: str) -> int:
    value = config.get(name)
    if not is_count(value) or not 1 <= value <= MAX_SIZE:
        raise ValueError(f"{name} is {value!r}, not a whole number between 1 and {MAX_SIZE}")
    return value


def _find_kind(origin: Any, config: Mapping[str, Any]) -> str | None:
    """Which of `LAYERS` an encoder is; None if it is another, or a variant that the kernels do not compute."""
    if origin == "errata":
        return "errata" if config.get("position_kind", "learned") == "learned" else None
    if origin != "transformers" or config.get("hidden_act") != "gelu":
        return None
    if config.get("model_type") == "bert":
        is_plain = config.get("position_embedding_type", "absolute") == "absolute" and not config.get("is_decoder")
        return "bert" if is_plain else None
    if config.get("model_type") == "mpnet":
        n_buckets = config.get("relative_attention_num_buckets", MPNET_BUCKETS)
        return "mpnet" if n_buckets == MPNET_BUCKETS else None
    return None


def read_embedding(weights: Weights, shape: Shape, cases: np.ndarray | None) -> Embedding:
    """The tables of an encoder."""
    rows = (None, shape.hidden)
    if shape.kind == "errata":
        table, norm = f"{PREFIX}embedding.weight", None
        positions = weights.floats(f"{PREFIX}positions.weight", rows)
    else:
        prefix = f"{PREFIX}embeddings."
        table, norm = f"{prefix}word_embeddings.weight", _norm(weights, f"{prefix}LayerNorm", shape)
        positions = weights.floats(f"{prefix}position_embeddings.weight", rows)
        if shape.kind == "mpnet":
            positions = positions[shape.first_position :]
        else:
            positions = positions + weights.floats(f"{prefix}token_type_embeddings.weight", rows)[0]
    quantised = weights.quantised(table, rows)
    return Embedding(weights.floats(table, rows) if quantised is None else quantised, positions, cases, norm)


def read_distances(weights: Weights, shape: Shape, n_positions: int) -> np.ndarray | None:
    """What the distance of two subwords adds to attention (heads, distances); None if the encoder does not use it.

    Distances go from -(n_positions - 1), a key before its query, to n_positions - 1.
    """
    if shape.kind != "mpnet":
        return None
    by_bucket = weights.floats(f"{PREFIX}encoder.relative_attention_bias.weight", (MPNET_BUCKETS, shape.heads))
    buckets = [distance_bucket(distance) for distance in range(1 - n_positions, n_positions)]
    return np.ascontiguousarray(by_bucket[buckets].T)


def distance_bucket(distance: int) -> int:
    """MPNet's bucket of a distance: 0 to 7 exactly, then two buckets to every doubling up to 15; keys after: 16 more.

    >>> [distance_bucket(n) for n in (-1000, -128, -12, -11, -7, 0, 1, 9, 91)]
    [15, 15, 9, 8, 7, 0, 17, 24, 31]
    """
    n, later = abs(distance), MPNET_BUCKETS // 2 * (distance > 0)
    # 8 + floor(2 log2(n / 8)), in whole numbers
    return later + (n if n < 8 else min(7 + (n * n // 64).bit_length(), 15))


def read_layers(weights: Weights, shape: Shape) -> Iterator[LayerWeights]:
    """The layers of an encoder, one after the other."""
    return (_read_layer(weights, shape, number) for number in range(shape.n_layers))


def read_last_norm(weights: Weights, shape: Shape) -> Norm | None:
    """The norm after the last layer, if there is one."""
    return _norm(weights, f"{PREFIX}norm", shape) if shape.kind == "errata" else None


def _read_layer(weights: Weights, shape: Shape, number: int) -> LayerWeights:
    names, hidden, wide = LAYERS[shape.kind], shape.hidden, shape.wide
    prefix = PREFIX + names.prefix.format(number)
    outputs = 3 * hidden // len(names.query_key_value)
    return LayerWeights(
        tuple(read_linear(weights, prefix + name, outputs, hidden) for name in names.query_key_value),
        read_linear(weights, prefix + names.project, hidden, hidden),
        read_linear(weights, prefix + names.widen, wide, hidden),
        read_linear(weights, prefix + names.narrow, hidden, wide),
        _norm(weights, prefix + names.attention_norm, shape),
        _norm(weights, prefix + names.feed_norm, shape),
    )


def read_linear(weights: Weights, name: str, outputs: int, inputs: int) -> Linear:
    """A linear map, quantised if it is stored so."""
    quantised = weights.quantised(f"{name}.weight", (outputs, inputs))
    weight = weights.floats(f"{name}.weight", (outputs, inputs)) if quantised is None else quantised
    return weight, weights.floats(f"{name}.bias", (outputs,))


def _norm(weights: Weights, name: str, shape: Shape) -> Norm:
    row = (shape.hidden,)
    return weights.floats(f"{name}.weight", row), weights.floats(f"{name}.bias", row), shape.epsilon
