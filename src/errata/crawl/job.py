"""A run of `errata crawl` on disk: what it was asked for, its tasks, and which of them are done.

Everything that a task knows stands in the folder of the run, so a task can run in any process on any machine that sees
the folder, and a run that was killed goes on where it was.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from errata.crawl.inputs import Input, group_inputs
from errata.errors import DataError
from errata.files import read_json, write_text

WORK, JOB, REPORT = "work", "job.json", "report.json"
# Where datatrove writes what it has to say, inside `WORK`.
LOGS = "datatrove"
# What is written at the end: sentences in random order, or whole paragraphs for annotation.
OUTPUTS = ("sentences", "paragraphs")
# Records after which a task saves what it has: a few seconds of work that a kill can cost.
RECORDS_PER_PART = 1000
# Packed bytes whose paragraphs are compared at once. Pages that are all prose give nine numbers a kilobyte, so a task
# that compares them needs at most some five gigabytes of memory. Addresses are taken for archives of a gigabyte.
BYTES_PER_PARTITION, BYTES_OF_ADDRESS = 10 << 30, 1 << 30


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides which text comes out; how it is run is not among it."""

    language: str = "en"
    extractor: str = "justext"
    domains: str = "paper"
    output: str = "sentences"
    is_tokenised: bool = True
    fewest_sentences: int = 1
    near_duplicates: bool = True
    share: float = 1.0
    sample: int | None = None
    masks: tuple[str, ...] = ()
    seed: int = 0
    max_page: int = 5 << 20


@dataclass(frozen=True, slots=True)
class Job:
    """The settings and the inputs of a run, and the folder of its tasks."""

    folder: Path
    settings: Settings
    groups: tuple[tuple[Input, ...], ...]
    n_partitions: int
    records_per_part: int = RECORDS_PER_PART

    @classmethod
    def plan(cls, folder: Path, settings: Settings, inputs: Sequence[Input]) -> Job:
        """A new run that writes into `folder`."""
        groups = tuple(map(tuple, group_inputs(inputs)))
        n_bytes = sum(one.size or BYTES_OF_ADDRESS for one in inputs)
        return cls(folder, settings, groups, 1 + n_bytes // BYTES_PER_PARTITION)

    @property
    def n_bytes(self) -> int:
        return sum(one.size for group in self.groups for one in group)

    @property
    def work(self) -> Path:
        return self.folder / WORK

    def path(self, stage: str, task: int, suffix: str) -> Path:
        """A file of a task, such as `work/read/00003.npz`."""
        return self.work / stage / f"{task:05d}{suffix}"

    def is_done(self, stage: str, task: int) -> bool:
        return self.path(stage, task, ".json").exists()

    def finish(self, stage: str, task: int, facts: dict[str, Any]) -> None:
        """Remember that a task is done; its other files are there already."""
        write_text(self.path(stage, task, ".json"), json.dumps(facts, ensure_ascii=False))

    def facts(self, stage: str, task: int) -> dict[str, Any]:
        """What a task said when it was done."""
        known: dict[str, Any] = read_json(self.path(stage, task, ".json"))
        return known

    def as_dict(self) -> dict[str, Any]:
        """The run as JSON: the same for the same settings and inputs, wherever it runs."""
        return {
            "settings": {**asdict(self.settings), "masks": list(self.settings.masks)},
            "inputs": [[[one.path, one.size] for one in group] for group in self.groups],
            "n_partitions": self.n_partitions,
            "records_per_part": self.records_per_part,
        }

    def save(self) -> None:
        write_text(self.work / JOB, json.dumps(self.as_dict(), indent=1) + "\n")


def load_job(folder: Path) -> Job:
    """The run that was begun in a folder."""
    path = folder / WORK / JOB
    known = read_json(path)
    try:
        return parse_job(folder, known)
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"{path} is damaged: run again with --restart") from error


def parse_job(folder: Path, known: dict[str, Any]) -> Job:
    """The run that `as_dict` described."""
    names = {field.name for field in fields(Settings)}
    given = {name: value for name, value in known["settings"].items() if name in names}
    settings = Settings(**{**given, "masks": tuple(given["masks"])})
    groups = tuple(tuple(Input(path, size) for path, size in group) for group in known["inputs"])
    return Job(folder, settings, groups, known["n_partitions"], known["records_per_part"])
