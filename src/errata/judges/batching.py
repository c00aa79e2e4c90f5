"""Batches of like length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def plan_batches(lengths: Sequence[int], batch_tokens: int) -> Iterator[list[int]]:
    """The places of all rows, in batches whose longest row times their size stays within `batch_tokens`.

    >>> list(plan_batches([3, 1, 9, 2], 6))
    [[1, 3], [0], [2]]
    """
    ordered = sorted(range(len(lengths)), key=lengths.__getitem__)
    start = 0
    while start < len(ordered):
        end = start + 1
        while end < len(ordered) and (end + 1 - start) * lengths[ordered[end]] <= batch_tokens:
            end += 1
        yield ordered[start:end]
        start = end
