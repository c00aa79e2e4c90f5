"""Where tasks run: in this process, in several, on a Ray cluster, or under Slurm; the last two as datatrove runs them.

datatrove's own local executor is not used. It starts a server process for every stage, which stays behind when the
run is killed, and it marks a task as done in another place than the task's results.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from errata.crawl.job import Job
from errata.crawl.stages import count_tasks, run_task
from errata.errors import DataError, MissingExtra

# Stages with fewer tasks than this are not worth a trip to other machines.
FEWEST_TASKS = 2


@dataclass(frozen=True, slots=True)
class Engine:
    """How a run is run: what, with how many processes at once, and what Slurm or Ray need to know."""

    name: str = "local"
    workers: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)


IN_PROCESS = Engine()


def run_locally(job: Job, stage: str, tasks: Sequence[int], engine: Engine) -> None:
    """Run tasks of a stage in this process, or in several new ones."""
    if min(engine.workers, len(tasks)) <= 1:
        for task in tasks:
            run_task(job.folder, stage, task)
        return
    # Fresh processes: forked ones would inherit whatever threads and locks this one has.
    with ProcessPoolExecutor(min(engine.workers, len(tasks)), get_context("spawn"), _die_with, (os.getpid(),)) as pool:
        pending = {pool.submit(run_task, job.folder, stage, task) for task in tasks}
        try:
            while pending:
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                for future in done:
                    future.result()
        except BrokenProcessPool as error:
            raise DataError(
                "a process of the run was killed (is there enough memory?): run the same command again to go on"
            ) from error
        finally:
            for future in pending:
                future.cancel()


def run_on_ray(job: Job, stage: str, tasks: Sequence[int], engine: Engine) -> None:
    """Run tasks of a stage on a Ray cluster, each on one core of any of its machines."""
    if len(tasks) < FEWEST_TASKS:
        run_locally(job, stage, tasks, engine)
        return
    with _importing("ray"):
        import ray
        from datatrove.executor.ray import RayPipelineExecutor
    _quieten()
    if not ray.is_initialized():
        address = engine.options.get("address")
        ray.init(address=address, log_to_driver=False, logging_level="warning", configure_logging=bool(address))
    RayPipelineExecutor(
        [_step(job.folder, stage, tasks)],
        tasks=len(tasks),
        workers=engine.workers if engine.workers > 1 else -1,
        logging_dir=str(job.work / "datatrove" / stage),
        skip_completed=False,
        mem_per_cpu_gb=engine.options.get("memory", 2),
        log_first=False,
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
            workers=engine.workers if engine.workers > 1 else -1,
            time=engine.options["time"],
            partition=engine.options["partition"],
            mem_per_cpu_gb=engine.options.get("memory", 4),
            job_name=f"errata-{stage}",
            qos="",
            venv_path=_activation(),
            depends=before,
            logging_dir=str(job.work.resolve() / "datatrove" / stage),
            with_srun=engine.options.get("srun", True),
        )
    assert before is not None
    before.run()
    return str(before.job_id)


RUNNERS: dict[str, Callable[[Job, str, Sequence[int], Engine], None]] = {"local": run_locally, "ray": run_on_ray}
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
