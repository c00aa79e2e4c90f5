"""Where tasks run: in this process, in several, on a Ray cluster, or under Slurm; the last two as datatrove runs them.

datatrove's own local executor is not used. It starts a server process for every stage, which stays behind when the
run is killed, and it marks a task as done in another place than the task's results.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Self

from errata.crawl.job import LOGS, Job
from errata.crawl.stages import count_tasks, run_task
from errata.errors import DataError, MissingExtra
from errata.scale.cluster import joined_cluster, silenced


@dataclass(frozen=True, slots=True)
class Engine:
    """What runs a run: its name, how many tasks at once (0: as many as a cluster takes), and what it needs to know."""

    name: str = "local"
    workers: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)


IN_PROCESS = Engine()
# How often processes of a stage may crash. Each page that crashes its parser takes three: after two a task is careful.
MOST_CRASHES = 10


class LocalRunner:
    """Runs tasks in this process or in several new ones, which serve all stages: each takes a second to start."""

    def __init__(self, job: Job, engine: Engine) -> None:
        self._job, self._workers = job, min(engine.workers, len(job.groups))
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def __call__(self, stage: str, tasks: Sequence[int]) -> None:
        if min(self._workers, len(tasks)) <= 1:
            for task in tasks:
                run_task(self._job.folder, stage, task)
            return
        for n_left in reversed(range(MOST_CRASHES)):
            try:
                self._run_in_pool(stage, [task for task in tasks if not self._job.is_done(stage, task)])
                return
            except BrokenProcessPool as error:
                self._pool = None
                if not n_left:
                    raise DataError(
                        f"processes of the run were killed {MOST_CRASHES} times (is there enough memory?): "
                        "run the same command again to go on"
                    ) from error

    def _run_in_pool(self, stage: str, tasks: Sequence[int]) -> None:
        if self._pool is None:
            # Fresh processes: forked ones would inherit whatever threads and locks this one has.
            self._pool = ProcessPoolExecutor(self._workers, get_context("spawn"), _die_with, (os.getpid(),))
        for future in as_completed([self._pool.submit(run_task, self._job.folder, stage, task) for task in tasks]):
            future.result()


class RayRunner(LocalRunner):
    """Runs tasks on a Ray cluster, each on one core of any of its machines; a stage with one task stays here."""

    def __init__(self, job: Job, engine: Engine) -> None:
        super().__init__(job, Engine())
        self._engine, self._open = engine, ExitStack()

    def __enter__(self) -> Self:
        with _importing("ray"):
            from datatrove.executor.ray import RayPipelineExecutor
        _quieten()
        self._executor = RayPipelineExecutor
        with ExitStack() as opening:
            opening.enter_context(silenced())
            opening.enter_context(joined_cluster(self._engine.options.get("address")))
            self._open = opening.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()
        super().__exit__(*error)

    def __call__(self, stage: str, tasks: Sequence[int]) -> None:
        if len(tasks) <= 1:
            super().__call__(stage, tasks)
            return
        folder = self._job.folder.resolve()
        self._executor(
            [_step(folder, stage, tasks)],
            tasks=len(tasks),
            workers=self._engine.workers or -1,
            logging_dir=str(self._job.work.resolve() / LOGS / stage),
            skip_completed=False,
            mem_per_cpu_gb=self._engine.options.get("memory", 2),
        ).run()


def submit_to_slurm(job: Job, engine: Engine) -> str:
    """Hand all stages of a run to Slurm, each to begin when the one before is done; the number of the last job."""
    with _importing("crawl"):
        from datatrove.executor.slurm import SlurmPipelineExecutor
    _quieten()
    before = None
    for stage, n_tasks in count_tasks(job).items():
        before = SlurmPipelineExecutor(
            [_step(job.folder.resolve(), stage, range(n_tasks))],
            tasks=n_tasks,
            workers=engine.workers or -1,
            time=engine.options["time"],
            partition=engine.options["partition"],
            mem_per_cpu_gb=engine.options.get("memory", 4),
            job_name=f"errata-{stage}",
            qos="",
            venv_path=_activation(),
            depends=before,
            logging_dir=str(job.work.resolve() / LOGS / stage),
            with_srun=engine.options.get("srun", True),
        )
    assert before is not None
    before.run()
    return str(before.job_id)


RUNNERS: dict[str, type[LocalRunner]] = {"local": LocalRunner, "ray": RayRunner}
ENGINES = (*RUNNERS, "slurm")


def _step(folder: Path, stage: str, tasks: Sequence[int]) -> Any:
    """A step of datatrove that runs the task of its rank."""
    from datatrove.pipeline.base import PipelineStep

    class Step(PipelineStep):  # type: ignore[misc]
        name, type = stage, "errata crawl"

        def run(self, data: object, rank: int = 0, world_size: int = 1) -> Any:
            run_task(folder, stage, tasks[rank])
            yield from ()

    return Step()


def _activation() -> str | None:
    """The script that enters this virtual environment, for jobs on other machines."""
    script = Path(sys.prefix) / "bin" / "activate"
    return str(script) if sys.prefix != sys.base_prefix and script.exists() else None


def _quieten() -> None:
    """Leave datatrove's log to its files; errors are ours to tell."""
    from datatrove.utils.logging import logger

    logger.remove()


class _importing:
    """In the block, a missing package is a `MissingExtra`."""

    def __init__(self, extra: str) -> None:
        self._extra = extra

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if isinstance(error, ImportError):
            raise MissingExtra(error.name or self._extra, self._extra) from error


def _die_with(parent: int) -> None:
    """Have this process end when its parent does, however that ends."""
    if not sys.platform.startswith("linux"):
        return
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    if os.getppid() != parent:  # it was killed before we could ask
        os._exit(1)
