"""A corpus in two parts, one to train on and one held out, drawn by a seed.

Copies and near duplicates (`datasets.similar`) stay together, so nothing in one part is nearly in the other.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from errata.datasets.similar import Collection
from errata.datasets.texts import Texts
from errata.errors import DataError


@dataclass(frozen=True, slots=True)
class Split:
    """The numbers of the records that are held out, and how many groups of near duplicates were kept together."""

    held_out: frozenset[int]
    n_groups: int


def split_records(records: Sequence[Texts], n_held_out: int, seed: int) -> Split:
    """Choose the records to hold out: the same ones for the same records and seed.

    Records that belong together are held out together or not at all. `DataError` where that leaves nothing to train
    on, or cannot give exactly `n_held_out`.
    """
    if n_held_out >= len(records):
        raise DataError(f"there are {len(records):,} sentences, and {n_held_out:,} to hold out: none to train on")
    groups = find_groups(records)
    random.Random(seed).shuffle(groups)
    chosen: list[int] = []
    for group in groups:
        if len(chosen) + len(group) <= n_held_out:
            chosen += group
    if len(chosen) < n_held_out:
        raise DataError(
            f"{n_held_out:,} sentences cannot be held out, only {len(chosen):,}: the others are in groups of near "
            "duplicates that are too large"
        )
    return Split(frozenset(chosen), sum(len(group) > 1 for group in groups))


def find_groups(records: Sequence[Texts]) -> list[list[int]]:
    """The numbers of records that belong together, each in one group: they have copies or near duplicates of texts."""
    owners: dict[str, list[int]] = {}
    for number, texts in enumerate(records):
        for text in texts:
            owners.setdefault(text, []).append(number)
    collection, numbers = Collection(list(owners)), list(owners.values())
    leaders = list(range(len(records)))
    for own, text in zip(numbers, owners, strict=True):
        alike = [other for place, _ in collection.find(text) for other in numbers[place]]
        for other in (*own, *alike):
            leaders[_leader(leaders, other)] = _leader(leaders, own[0])
    groups: dict[int, list[int]] = defaultdict(list)
    for number in range(len(records)):
        groups[_leader(leaders, number)].append(number)
    return sorted(groups.values())


def _leader(leaders: list[int], number: int) -> int:
    """The record that stands for the group of this one; the way to it becomes shorter."""
    while leaders[number] != number:
        leaders[number] = number = leaders[leaders[number]]
    return number
