"""Which encoders the kernels can run, and the names of their weights: BERT, and our own with learned positions.

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
BERT_SIZES = ("hidden_size", "num_attention_heads", "intermediate_size", "num_hidden_layers", "layer_norm_eps")


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
    """The sizes of an encoder the kernels can run."""

    kind: str
    hidden: int
    heads: int
    wide: int
    n_layers: int
    epsilon: float

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
    kind, config = described.get("kind"), described.get("config", {})
    if kind == "errata" and config.get("position_kind", "learned") == "learned":
        config = {**config, "epsilon": TORCH_EPSILON}
        names: tuple[str, ...] = ("hidden", "heads", "feed_forward", "layers", "epsilon")
    elif kind == "transformers" and _is_plain_bert(config):
        names = BERT_SIZES
    else:
        return None
    hidden, heads, wide, n_layers = (_size(config, name) for name in names[:4])
    epsilon = config.get(names[4])
    if isinstance(epsilon, bool) or not isinstance(epsilon, int | float) or not 0 <= epsilon < math.inf:
        raise ValueError(f"{names[4]} is {epsilon!r}, not a small number")
    # The kernels read 16 numbers of a row at a time, and 8 of a head.
    fits = hidden % 16 == 0 and wide % 16 == 0 and hidden % heads == 0 and hidden // heads % 8 == 0
    return Shape(str(kind), hidden, heads, wide, n_layers, float(epsilon)) if fits else None


def _size(config: Mapping[str, Any], name: str) -> int:
    value = config.get(name)
    if not is_count(value) or not 1 <= value <= MAX_SIZE:
        raise ValueError(f"{name} is {value!r}, not a whole number between 1 and {MAX_SIZE}")
    return value


def _is_plain_bert(config: Mapping[str, Any]) -> bool:
    return (
        config.get("model_type") == "bert"
        and config.get("hidden_act") == "gelu"
        and config.get("position_embedding_type", "absolute") == "absolute"
        and not config.get("is_decoder")
    )


def read_embedding(weights: Weights, shape: Shape, cases: np.ndarray | None) -> Embedding:
    """The tables of an encoder."""
    rows = (None, shape.hidden)
    if shape.kind == "errata":
        table, norm = f"{PREFIX}embedding.weight", None
        positions = weights.floats(f"{PREFIX}positions.weight", rows)
    else:
        prefix = f"{PREFIX}embeddings."
        table, norm = f"{prefix}word_embeddings.weight", _norm(weights, f"{prefix}LayerNorm", shape)
        sentence_kind = weights.floats(f"{prefix}token_type_embeddings.weight", rows)[0]
        positions = weights.floats(f"{prefix}position_embeddings.weight", rows) + sentence_kind
    quantised = weights.quantised(table, rows)
    if quantised is None or quantised.low is not None:
        return Embedding(positions, subwords=weights.floats(table, rows), cases=cases, norm=norm)
    block = quantised.high.shape[1] // quantised.scales.shape[1]
    scales = quantised.scales.astype(np.float32) / quantised.largest
    return Embedding(positions, quantised.high, scales, block, cases=cases, norm=norm)


def read_layers(weights: Weights, shape: Shape) -> Iterator[LayerWeights]:
    """The layers of an encoder, one after the other."""
    read = _errata_layer if shape.kind == "errata" else _bert_layer
    return (read(weights, shape, number) for number in range(shape.n_layers))


def read_last_norm(weights: Weights, shape: Shape) -> Norm | None:
    """The norm after the last layer, if there is one."""
    return _norm(weights, f"{PREFIX}norm", shape) if shape.kind == "errata" else None


def _bert_layer(weights: Weights, shape: Shape, number: int) -> LayerWeights:
    prefix, hidden, wide = f"{PREFIX}encoder.layer.{number}.", shape.hidden, shape.wide
    query, key, value = (
        read_linear(weights, f"{prefix}attention.self.{name}", hidden, hidden) for name in ("query", "key", "value")
    )
    return LayerWeights(
        (query, key, value),
        read_linear(weights, f"{prefix}attention.output.dense", hidden, hidden),
        read_linear(weights, f"{prefix}intermediate.dense", wide, hidden),
        read_linear(weights, f"{prefix}output.dense", hidden, wide),
        _norm(weights, f"{prefix}attention.output.LayerNorm", shape),
        _norm(weights, f"{prefix}output.LayerNorm", shape),
    )


def _errata_layer(weights: Weights, shape: Shape, number: int) -> LayerWeights:
    prefix, hidden, wide = f"{PREFIX}layers.{number}.", shape.hidden, shape.wide
    return LayerWeights(
        (read_linear(weights, f"{prefix}query_key_value", 3 * hidden, hidden),),
        read_linear(weights, f"{prefix}project", hidden, hidden),
        read_linear(weights, f"{prefix}widen", wide, hidden),
        read_linear(weights, f"{prefix}narrow", hidden, wide),
        _norm(weights, f"{prefix}attention_norm", shape),
        _norm(weights, f"{prefix}feed_norm", shape),
    )


def read_linear(weights: Weights, name: str, outputs: int, inputs: int) -> Linear:
    """A linear map, quantised if it is stored so."""
    quantised = weights.quantised(f"{name}.weight", (outputs, inputs))
    weight = weights.floats(f"{name}.weight", (outputs, inputs)) if quantised is None else quantised
    return weight, weights.floats(f"{name}.bias", (outputs,))


def _norm(weights: Weights, name: str, shape: Shape) -> Norm:
    row = (shape.hidden,)
    return weights.floats(f"{name}.weight", row), weights.floats(f"{name}.bias", row), shape.epsilon
