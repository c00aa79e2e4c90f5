"""Several sets of examples as one: real pairs and corrupted text, say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

import numpy as np

Row = TypeVar("Row", covariant=True)


class Rows(Protocol[Row]):
    """A set of examples that gives one row of a batch at a time."""

    @property
    def lengths(self) -> np.ndarray: ...

    def __len__(self) -> int: ...

    def row(self, index: int, rng: np.random.Generator) -> Row: ...


class Mixture(Generic[Row]):
    """Sets of examples one after the other; a subclass says how rows become a batch (`collate`)."""

    def __init__(self, parts: Sequence[Rows[Row]]) -> None:
        self.parts = [part for part in parts if len(part)]
        self._starts = np.cumsum([0, *(len(part) for part in self.parts)])

    @property
    def lengths(self) -> np.ndarray:
        """Tokens of each example, shape (examples,)."""
        return np.concatenate([part.lengths for part in self.parts] or [np.zeros(0, np.int64)])

    def __len__(self) -> int:
        return int(self._starts[-1])

    def rows(self, indices: Sequence[int], rng: np.random.Generator) -> list[Row]:
        """The examples with these numbers; fresh noise comes from `rng` alone."""
        return [self._row(index, rng) for index in indices]

    def _row(self, index: int, rng: np.random.Generator) -> Row:
        part = int(np.searchsorted(self._starts, index, side="right")) - 1
        return self.parts[part].row(index - int(self._starts[part]), rng)
