"""Which paragraphs, or sentences, repeat an earlier one: all that have a number in common are brought together.

The first of all with the same number stays, in the order of the inputs; whatever has a number in common with an earlier
one goes. So the result is the same whatever the number of tasks, and partitions of the numbers can be compared apart.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from errata.crawl.columns import open_column, save_columns
from errata.crawl.fingerprints import NEAR
from errata.crawl.job import Job

# What a repetition is marked with; the smaller one counts where both are found.
DUPLICATE, NEAR_DUPLICATE = 1, 2


def compare_task(job: Job, partition: int, source: str, stage: str) -> None:
    """Find what repeats an earlier item, among the numbers of one partition of a stage's files."""
    keys, tasks, ordinals = _gather(job, partition, source)
    order = np.lexsort((ordinals, tasks, keys))
    keys, tasks, ordinals = keys[order], tasks[order], ordinals[order]
    is_repeated = np.zeros(len(keys), bool)
    is_repeated[1:] = keys[1:] == keys[:-1]
    kinds = np.where(keys & np.uint64(1) == NEAR, NEAR_DUPLICATE, DUPLICATE).astype(np.uint8)
    tasks, ordinals, kinds = tasks[is_repeated], ordinals[is_repeated], kinds[is_repeated]
    order = np.lexsort((kinds, ordinals, tasks))
    save_columns(job, stage, partition, tasks=tasks[order], ordinals=ordinals[order], kinds=kinds[order])
    job.finish(stage, partition, {"n_repeated": len(order)})


def load_marks(job: Job, task: int, stage: str, n_items: int) -> NDArray[np.uint8]:
    """For each item of a task 0, `DUPLICATE` or `NEAR_DUPLICATE`."""
    marks = np.zeros(n_items, np.uint8)
    for partition in range(job.n_partitions):
        first, last = np.searchsorted(open_column(job, stage, partition, "tasks"), [task, task + 1])
        ordinals, kinds = (open_column(job, stage, partition, name)[first:last] for name in ("ordinals", "kinds"))
        known = marks[ordinals]
        is_new = (known == 0) | (kinds < known)
        # From the last to the first: of several marks for an item, the first (and smallest) is written last.
        marks[ordinals[is_new][::-1]] = kinds[is_new][::-1]
    return marks


def _gather(job: Job, partition: int, source: str) -> tuple[NDArray[np.uint64], NDArray[np.uint32], NDArray[np.uint32]]:
    """The numbers of a partition in all tasks: keys, tasks, ordinals."""
    low = (partition << 64) // job.n_partitions
    high = ((partition + 1) << 64) // job.n_partitions - 1
    keys, tasks, ordinals = [], [], []
    for task in range(len(job.groups)):
        all_keys = open_column(job, source, task, "keys")
        first = np.searchsorted(all_keys, np.uint64(low), "left")
        last = np.searchsorted(all_keys, np.uint64(high), "right")
        keys.append(all_keys[first:last])
        ordinals.append(open_column(job, source, task, "ordinals")[first:last])
        tasks.append(np.full(int(last - first), task, np.uint32))
    return np.concatenate(keys), np.concatenate(tasks), np.concatenate(ordinals)
