"""The stages of a run, in order, and the tasks of each; a task that is done is not done again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from errata.crawl.comparing import compare_task
from errata.crawl.job import Job, load_job
from errata.crawl.reading import READ, read_task
from errata.crawl.sampling import SAMPLE, sample_task
from errata.crawl.splitting import SPLIT, split_task
from errata.crawl.writing import COMPARE_SENTENCES, WRITE, write_task

COMPARE = "compare"
STAGES: dict[str, Callable[[Job, int], None]] = {
    READ: read_task,
    COMPARE: partial(compare_task, source=READ, stage=COMPARE),
    SAMPLE: sample_task,
    SPLIT: split_task,
    COMPARE_SENTENCES: partial(compare_task, source=SPLIT, stage=COMPARE_SENTENCES),
    WRITE: write_task,
}


def count_tasks(job: Job) -> dict[str, int]:
    """How many tasks each stage of a run has; sentences of whole paragraphs are not compared."""
    n_tasks = {READ: len(job.groups), COMPARE: job.n_partitions, SAMPLE: 1, SPLIT: len(job.groups)}
    if job.settings.output == "sentences":
        n_tasks[COMPARE_SENTENCES] = job.n_partitions
    return {**n_tasks, WRITE: 1}


def run_task(folder: Path, stage: str, task: int) -> None:
    """Run a task of the run in a folder, in whatever process and on whatever machine."""
    job = load_job(folder)
    if not job.is_done(stage, task):
        STAGES[stage](job, task)
