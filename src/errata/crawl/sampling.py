"""Which paragraphs are drawn: each has a random number that depends on its letters and the seed; the smallest win."""

from __future__ import annotations

import numpy as np

from errata.crawl.columns import open_column
from errata.crawl.comparing import load_marks
from errata.crawl.domains import REGISTERS
from errata.crawl.job import Job
from errata.crawl.reading import READ

SAMPLE = "sample"
_ALL = (1 << 64) - 1


def sample_task(job: Job, task: int) -> None:
    """Find the largest number that is drawn in each register."""
    settings = job.settings
    limits = dict.fromkeys(REGISTERS, round(settings.share * _ALL))
    if settings.sample is not None:
        for register, numbers in _smallest(job, settings.sample).items():
            if len(numbers) == settings.sample:
                limits[register] = min(limits[register], int(numbers[-1]))
    job.finish(SAMPLE, task, {"limits": limits})


def _smallest(job: Job, count: int) -> dict[str, np.ndarray]:
    """The smallest numbers of each register, among the paragraphs that repeat no other, in order."""
    smallest = {register: np.empty(0, np.uint64) for register in REGISTERS}
    for task in range(len(job.groups)):
        orders, registers = (open_column(job, READ, task, name) for name in ("orders", "registers"))
        is_free = load_marks(job, task, "compare", len(orders)) == 0
        for number, register in enumerate(REGISTERS):
            numbers = np.concatenate([smallest[register], orders[is_free & (registers == number)]])
            smallest[register] = np.sort(numbers)[:count]
    return smallest
