"""Arrays of a task on disk, one file each, of which a reader loads only the part that it looks at."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from errata.crawl.job import Job
from errata.files import replacing

Column = NDArray[Any]


def save_columns(job: Job, stage: str, task: int, **columns: Column) -> None:
    """Write arrays of a task, each whole or not at all."""
    for name, column in columns.items():
        with replacing(job.path(stage, task, f".{name}.npy")) as beside, beside.open("wb") as stream:
            np.save(stream, column)


def open_column(job: Job, stage: str, task: int, name: str) -> Column:
    """An array of a task; what is not used of it is not read."""
    column: Column = np.load(job.path(stage, task, f".{name}.npy"), mmap_mode="r")
    return column
