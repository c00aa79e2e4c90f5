"""A whole run: begin or go on, stage after stage, and the report at the end."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from errata.crawl.domains import REGISTERS
from errata.crawl.engines import IN_PROCESS, RUNNERS, Engine, submit_to_slurm
from errata.crawl.inputs import Input
from errata.crawl.job import JOB, LOGS, REPORT, WORK, Job, Settings, load_job
from errata.crawl.stages import STAGES, count_tasks
from errata.crawl.writing import write_report
from errata.errors import DataError, UsageError
from errata.files import read_json
from errata.scale.keeping import LOCK, locked

# A file that says that a run was handed to Slurm, and the files by which tasks save what they have.
SUBMITTED = "submitted"
_SAVED = (".json", ".jsonl", ".npz")
# What a task says of its end in datatrove's log.
_REASON = re.compile(r"^errata\.errors\.\w+: (.+)$", re.MULTILINE)

# Shows how far a stage is, while the block runs: the run, the stage, and how many tasks it has.
Show = Callable[[Job, str, int], AbstractContextManager[None]]


@dataclass(frozen=True, slots=True)
class Finished:
    """What came of a call: the report (None under Slurm, which goes on by itself), seconds, and what was new."""

    report: dict[str, Any] | None
    seconds: float = 0.0
    n_records: int = 0
    slurm_job: str | None = None


def crawl(
    inputs: Sequence[Input],
    folder: Path,
    settings: Settings,
    *,
    engine: Engine = IN_PROCESS,
    restart: bool = False,
    show: Show | None = None,
) -> Finished:
    """Turn pages into a corpus in `folder`; a run that was killed goes on, one that is complete is left as it is."""
    if restart:
        _clear(folder)
    planned = Job.plan(folder, settings, inputs)
    if (report := _find_report(planned)) is not None:
        shutil.rmtree(folder / WORK, ignore_errors=True)
        return Finished(report)
    (folder / WORK).mkdir(parents=True, exist_ok=True)
    with locked(folder, folder / WORK / LOCK):
        job = _begin(planned)
        if engine.name == "slurm":
            (job.work / SUBMITTED).touch()
            return Finished(None, slurm_job=submit_to_slurm(job, engine))
        return _run(job, engine, show)


def _run(job: Job, engine: Engine, show: Show | None) -> Finished:
    begun, n_before = time.monotonic(), _count_records(job)
    with RUNNERS[engine.name](job, engine) as run_tasks:
        for stage, n_tasks in count_tasks(job).items():
            with show(job, stage, n_tasks) if show else nullcontext():
                run_tasks(stage, [task for task in range(n_tasks) if not job.is_done(stage, task)])
            _refuse_undone(job, stage, n_tasks)
    report = write_report(job)
    n_records = report["counts"]["records"]["read"] - n_before
    shutil.rmtree(job.work, ignore_errors=True)
    return Finished(report, time.monotonic() - begun, n_records)


def _count_records(job: Job) -> int:
    from errata.crawl.progress import read_progress

    return read_progress(job).n_records


def _begin(planned: Job) -> Job:
    """The run that was begun in the folder; a new one where there is none, or another one that has saved nothing."""
    if not (planned.work / JOB).exists():
        planned.save()
        return planned
    job = load_job(planned.folder)
    if _find_difference(job.as_dict(), planned) is None:
        return job
    if _has_results(planned.work):
        _refuse_other(job.as_dict(), planned)
    for stage in count_tasks(job):
        shutil.rmtree(planned.work / stage, ignore_errors=True)
    planned.save()
    return planned


def _has_results(work: Path) -> bool:
    """Whether a run has saved anything, or was handed to Slurm, where it may be about to."""
    saved = (path for stage in STAGES for path in (work / stage).rglob("*") if path.suffix in _SAVED)
    return (work / SUBMITTED).exists() or any(saved)


def _find_report(planned: Job) -> dict[str, Any] | None:
    """The report of the same run, if it is complete."""
    path = planned.folder / REPORT
    if not path.exists():
        return None
    report = read_json(path)
    if not isinstance(report, dict) or not isinstance(report.get("job"), dict):
        raise DataError(f"{path} is no report of errata crawl: choose another folder")
    _refuse_other(report["job"], planned)
    return report


def _refuse_other(known: dict[str, Any], planned: Job) -> None:
    """Refuse a folder in which something else was begun: its parts would be mixed with ours."""
    if difference := _find_difference(known, planned):
        raise UsageError(f"{planned.folder} was begun with {difference}: choose another folder, or --restart")


def _find_difference(known: dict[str, Any], planned: Job) -> str | None:
    """What another run has other than ours, if anything."""
    wanted = planned.as_dict()
    old, new = known.get("settings", {}), wanted["settings"]
    for name in new:
        if old.get(name) != new[name]:
            return f"{name} {old.get(name)!r}, and this is {new[name]!r}"
    return None if known.get("inputs") == wanted["inputs"] else "other inputs"


def _refuse_undone(job: Job, stage: str, n_tasks: int) -> None:
    undone = [task for task in range(n_tasks) if not job.is_done(stage, task)]
    if undone:
        why = _find_reason(job.work / LOGS / stage / "logs")
        raise DataError(
            f"{len(undone)} of {n_tasks} tasks of the stage {stage} failed{why}: run the same command again to go on"
        )


def _find_reason(logs: Path) -> str:
    """Why a task failed, by what it left in its log; else where the logs are, if there are any."""
    for path in sorted(logs.glob("*.log")):
        if found := _REASON.findall(path.read_text("utf-8", "replace")):
            return f" ({found[-1]})"
    return f"; {logs} says why" if logs.is_dir() else ""


def _clear(folder: Path) -> None:
    """Remove what an earlier run left in a folder, and nothing else."""
    if not (folder / REPORT).exists() and not (folder / WORK / JOB).exists():
        return
    for name in (REPORT, *(f"{register}{end}" for register in REGISTERS for end in (".txt", ".jsonl"))):
        (folder / name).unlink(missing_ok=True)
    for register in REGISTERS:
        (folder / f"{register}.provenance.jsonl").unlink(missing_ok=True)
    shutil.rmtree(folder / WORK, ignore_errors=True)
