"""Shards: runs of rows (lines, pairs, items) of an input, each with a digest of all that its result depends on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

import errata

# Rows of a shard, unless the caller says how many shards there are: seconds to a minute of work that a kill can cost.
ROWS_PER_SHARD = 2_000
# Above this, shards grow instead: a folder with many more files is slow to list on network disks.
MOST_SHARDS = 4_096


class Work(Protocol):
    """What is done to the rows of a shard. It is sent to other processes, so it can be pickled."""

    def __call__(self, first: int, rows: list[Any]) -> bytes:
        """The result for rows that have `first` rows before them."""
        ...


@dataclass(frozen=True, slots=True)
class Shard:
    """Some rows of an input, with their place in it."""

    number: int
    first: int
    rows: list[Any]

    def name(self, key: str) -> str:
        """The name of the file with its result: another one if the rows, their place, `key` or errata are other ones.

        >>> Shard(3, 6000, ["A row ."]).name("upper case") == Shard(3, 6000, ["A row !"]).name("upper case")
        False
        """
        digest = hashlib.sha256(f"{errata.__version__}\n{key!r}\n{self.first}\n".encode())
        for row in self.rows:
            # Paths in a row may have bytes that are no UTF-8.
            digest.update(repr(row).encode("utf-8", "surrogatepass") + b"\n")
        return f"{self.number:05d}-{digest.hexdigest()[:32]}"


def choose_size(n_rows: int, n_shards: int | None = None) -> int:
    """How many rows a shard has.

    >>> choose_size(10_001, 10), choose_size(50), choose_size(1_000_000_000)
    (1001, 2000, 244141)
    """
    if n_shards is not None:
        return max(1, -(-n_rows // n_shards))
    return max(ROWS_PER_SHARD, -(-n_rows // MOST_SHARDS))


def cut(rows: Iterable[Any], size: int) -> Iterator[Shard]:
    """The shards of an input, in order; only one of them is in memory.

    >>> [(shard.first, shard.rows) for shard in cut("abcde", 2)]
    [(0, ['a', 'b']), (2, ['c', 'd']), (4, ['e'])]
    """
    stream, number = iter(rows), 0
    while chunk := list(islice(stream, size)):
        yield Shard(number, number * size, chunk)
        number += 1
