"""Batches of similar length under a token budget: the same for a given (seed, epoch), from any index on.

The plan of an epoch is pure arithmetic on the examples' lengths, and the noise of a batch comes from a generator made
from (seed, epoch, index) alone. So a run resumes at any batch without replaying the ones before, and the number of
worker processes changes nothing but the speed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from errata.errors import DataError

if TYPE_CHECKING:
    import torch

    from errata.training.settings import BatchSettings
    from errata.training.task import Examples

# Examples are sorted by length times 1 … 1 + JITTER, so that batches differ between epochs. 0.1 costs about 4 %
# padding where sorting exactly costs next to none, and mixes each batch with its neighbours.
JITTER = 0.1

PLAN, NOISE = 1, 2  # last word of a seed sequence: keeps the two uses apart (trailing zeros would not)


class Position(NamedTuple):
    """The next batch: number `batch` in the plan of `epoch`."""

    epoch: int
    batch: int


START = Position(0, 0)


@dataclass(frozen=True, slots=True)
class Batch:
    """A collated batch: tensors by name, where the data stand after it, its tokens with and without padding."""

    tensors: dict[str, torch.Tensor]
    following: Position
    n_tokens: int
    n_padded: int


def plan_epoch(lengths: np.ndarray, settings: BatchSettings, seed: int, epoch: int) -> list[np.ndarray]:
    """The batches of an epoch, as arrays of example indices: every example once, in random order of batches.

    A batch's longest example times its size stays within `settings.tokens`; an example above that is alone.
    """
    rng = np.random.default_rng([seed, epoch, 0, PLAN])
    key = lengths * (1 + JITTER * rng.random(len(lengths)))
    order = np.lexsort((rng.random(len(lengths)), key))  # ties at random
    cost = np.maximum(lengths[order], 1)
    batches, start = [], 0
    while start < len(order):
        # Even if all that follow were as short as the first, no more than this many would fit.
        most = max(1, settings.tokens // int(cost[start]))
        window = cost[start : start + min(most, settings.sentences or most)]
        padded = np.maximum.accumulate(window) * np.arange(1, len(window) + 1)
        size = max(1, int(np.searchsorted(padded, settings.tokens, side="right")))
        batches.append(order[start : start + size])
        start += size
    return [batches[i] for i in rng.permutation(len(batches))]


@dataclass(frozen=True)
class Share:
    """The endless stream of batch keys of one process out of `world`, from a position on.

    Consecutive batches go to the processes in turn; `world` at a time, so all processes stay in step.
    """

    lengths: np.ndarray
    settings: BatchSettings
    seed: int
    start: Position
    rank: int = 0
    world: int = 1

    def __iter__(self) -> Iterator[tuple[int, int, np.ndarray, Position]]:
        """(epoch, index, examples, position after all processes took theirs)."""
        epoch, index = self.start
        plan = plan_epoch(self.lengths, self.settings, self.seed, epoch)
        while True:
            mine = None
            for turn in range(self.world):
                if index >= len(plan):
                    epoch, index = epoch + 1, 0
                    plan = plan_epoch(self.lengths, self.settings, self.seed, epoch)
                if turn == self.rank:
                    mine = (epoch, index, plan[index])
                index += 1
            assert mine is not None
            yield *mine, Position(epoch, index)


class _Collator:
    """What a worker process holds: the examples and the seed; indexed by the keys of `Share`."""

    def __init__(self, examples: Examples, seed: int) -> None:
        self.examples, self.seed = examples, seed

    def __getitem__(
        self, key: tuple[int, int, np.ndarray, Position]
    ) -> tuple[dict[str, torch.Tensor], tuple[int, int, int, int]]:
        import torch

        epoch, index, indices, following = key
        rng = np.random.default_rng([self.seed, epoch, index, NOISE])
        arrays = self.examples.collate(indices.tolist(), rng)
        lengths = self.examples.lengths[indices]
        counts = int(lengths.sum()), int(lengths.max()) * len(lengths)
        return {name: torch.from_numpy(array) for name, array in arrays.items()}, (*following, *counts)


def stream_batches(
    examples: Examples,
    settings: BatchSettings,
    seed: int,
    start: Position = START,
    *,
    rank: int = 0,
    world: int = 1,
    pin: bool = False,
) -> Iterator[Batch]:
    """Batches without end from `start` on, collated by `settings.workers` processes ahead of need."""
    import torch
    from torch.utils.data import DataLoader

    if not len(examples):
        raise DataError("there are no training examples")
    loader: DataLoader[Any] = DataLoader(
        _Collator(examples, seed),  # type: ignore[arg-type]
        batch_size=None,
        sampler=Share(np.asarray(examples.lengths), settings, seed, start, rank, world),
        num_workers=settings.workers,
        pin_memory=pin,
        prefetch_factor=4 if settings.workers else None,
        multiprocessing_context=settings.start_method if settings.workers else None,
        generator=torch.Generator(),  # else making the loader would draw from the global generator
    )
    for tensors, (epoch, index, n_tokens, n_padded) in loader:
        yield Batch(tensors, Position(epoch, index), n_tokens, n_padded)


def padding_share(lengths: np.ndarray, batches: Sequence[np.ndarray]) -> float:
    """The share of a plan's cells that is padding."""
    padded = sum(int(lengths[batch].max()) * len(batch) for batch in batches)
    return 1 - float(lengths.sum()) / max(1, padded)
