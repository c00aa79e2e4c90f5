"""Which encoders the kernels can run, and where their weights are: BERT, and our own with learned positions.

An encoder is described by what `encoder.json` says, its weights by the names they have in torch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from errata.networks.native.description import Embedding, LayerWeights, Linear, Norm
from errata.networks.quantised import Quantised

DESCRIPTION = "encoder.json"
PREFIX = "encoder."
TORCH_EPSILON = 1e-5  # of torch's LayerNorm


class Weights(Protocol):
    """Stored weights by name."""

    def floats(self, name: str) -> np.ndarray:
        """The weights as floats."""
        ...

    def quantised(self, name: str) -> Quantised | None:
        """A table as whole numbers and scales; None if it is stored as floats."""
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


def find_shape(described: Mapping[str, Any]) -> Shape | None:
    """The shape of the encoder that `encoder.json` describes; None if it is not one for the kernels."""
    kind, config = described.get("kind"), described.get("config", {})
    try:
        if kind == "errata" and config.get("position_kind", "learned") == "learned":
            sizes = (config["hidden"], config["heads"], config["feed_forward"], config["layers"], TORCH_EPSILON)
        elif kind == "transformers" and _is_plain_bert(config):
            names = ("hidden_size", "num_attention_heads", "intermediate_size", "num_hidden_layers", "layer_norm_eps")
            sizes = tuple(config[name] for name in names)
        else:
            return None
    except KeyError:
        return None
    shape = Shape(kind, *sizes)
    fits = shape.hidden % 16 == 0 and shape.wide % 16 == 0 and shape.n_layers > 0
    return shape if fits and shape.hidden % shape.heads == 0 and shape.hidden // shape.heads % 8 == 0 else None


def _is_plain_bert(config: Mapping[str, Any]) -> bool:
    return (
        config.get("model_type") == "bert"
        and config.get("hidden_act") == "gelu"
        and config.get("position_embedding_type", "absolute") == "absolute"
        and not config.get("is_decoder")
    )


def read_embedding(weights: Weights, shape: Shape, cases: np.ndarray | None) -> Embedding:
    """The tables of an encoder."""
    if shape.kind == "errata":
        table, norm = "embedding.weight", None
        positions = weights.floats(f"{PREFIX}positions.weight")
    else:
        table, prefix = "embeddings.word_embeddings.weight", f"{PREFIX}embeddings."
        norm = _norm(weights, f"{prefix}LayerNorm", shape)
        kind = weights.floats(f"{prefix}token_type_embeddings.weight")[0]
        positions = weights.floats(f"{prefix}position_embeddings.weight") + kind
    quantised = weights.quantised(PREFIX + table)
    if quantised is None or quantised.low is not None:
        return Embedding(positions, subwords=weights.floats(PREFIX + table), cases=cases, norm=norm)
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
    prefix = f"{PREFIX}encoder.layer.{number}."
    return LayerWeights(
        tuple(read_linear(weights, f"{prefix}attention.self.{name}") for name in ("query", "key", "value")),
        read_linear(weights, f"{prefix}attention.output.dense"),
        read_linear(weights, f"{prefix}intermediate.dense"),
        read_linear(weights, f"{prefix}output.dense"),
        _norm(weights, f"{prefix}attention.output.LayerNorm", shape),
        _norm(weights, f"{prefix}output.LayerNorm", shape),
    )


def _errata_layer(weights: Weights, shape: Shape, number: int) -> LayerWeights:
    prefix = f"{PREFIX}layers.{number}."
    query_key_value, project, widen, narrow = (
        read_linear(weights, prefix + name) for name in ("query_key_value", "project", "widen", "narrow")
    )
    attention_norm, feed_norm = (_norm(weights, prefix + name, shape) for name in ("attention_norm", "feed_norm"))
    return LayerWeights((query_key_value,), project, widen, narrow, attention_norm, feed_norm)


def read_linear(weights: Weights, name: str) -> Linear:
    """A linear map, quantised if it is stored so."""
    quantised = weights.quantised(f"{name}.weight")
    return weights.floats(f"{name}.weight") if quantised is None else quantised, weights.floats(f"{name}.bias")


def _norm(weights: Weights, name: str, shape: Shape) -> Norm:
    return weights.floats(f"{name}.weight"), weights.floats(f"{name}.bias"), shape.epsilon
