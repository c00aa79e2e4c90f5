"""What the kernels need to know of a network: its sizes, and its weights as arrays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from errata.networks.quantised import Quantised

Linear: TypeAlias = tuple[np.ndarray | Quantised, np.ndarray]  # weight (outputs, inputs), bias (outputs)
Norm: TypeAlias = tuple[np.ndarray, np.ndarray, float]  # weight, bias, epsilon
Detector: TypeAlias = tuple[np.ndarray, float]  # weight (hidden), bias


@dataclass(frozen=True, slots=True)
class Embedding:
    """The table of subwords (subwords, hidden), quantised or as floats.

    `positions` (positions, hidden) and `cases` (case classes, hidden) are added to it; then the norm is applied.
    """

    subwords: np.ndarray | Quantised
    positions: np.ndarray
    cases: np.ndarray | None = None
    norm: Norm | None = None

    @property
    def n_subwords(self) -> int:
        return int(self.subwords.shape[0])


@dataclass(frozen=True, slots=True)
class LayerWeights:
    """One layer; `query_key_value` are linear maps whose outputs lie side by side."""

    query_key_value: tuple[Linear, ...]
    project: Linear
    widen: Linear
    narrow: Linear
    attention_norm: Norm
    feed_norm: Norm


@dataclass(frozen=True, slots=True)
class Description:
    """A network: an encoder, and what taggers have besides it. Norms stand after each step (BERT) or before it.

    `layers` is read once, so only one layer at a time is in memory as it was stored. `tags` are linear maps whose
    outputs lie side by side; an encoder alone has none. With `errors`, tags are scored only where an error is at
    least as probable as `gate`; without it they are scored everywhere. `early` looks for errors after `exit_after`
    layers: slots where one is less probable than `exit_below` are done. `distances` (heads, 2 * positions - 1) is
    what the distance of two subwords adds to their attention; the first column is for a key that is positions - 1
    before its query.
    """

    hidden: int
    heads: int
    wide: int
    is_pre_norm: bool
    embedding: Embedding
    layers: Iterator[LayerWeights]
    last_norm: Norm | None
    tags: tuple[Linear, ...] = ()
    errors: Detector | None = None
    gate: float = 0.0
    early: Detector | None = None
    exit_after: int = 0
    exit_below: float = 0.0
    distances: np.ndarray | None = None
