"""An export as a file: written whole before anybody gets the first byte of it, so that what is wrong can be told."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO
from urllib.parse import quote

from sqlalchemy import Connection, Engine

from errata.errors import UnknownName, UsageError
from errata.web.database import reading
from errata.web.workbench.exports.corpora import CORPORA, Wanted
from errata.web.workbench.exports.history import write_history
from errata.web.workbench.exports.samples import SIDES, STAGES, Sampled, export_samples
from errata.web.workbench.figures.record import read_record
from errata.web.workbench.projects import Project, get_project
from errata.web.workbench.scorer import Scorers

HISTORY = "jsonl"
FORMATS = (*CORPORA, HISTORY)
# Bytes of an export that are handed on at once.
CHUNK = 1 << 16
# What names of files have none of, wherever they go.
_NOT_PLAIN = re.compile(r"[^A-Za-z0-9_]+")


@dataclass(frozen=True, slots=True)
class Order:
    """What an owner asks for: a format, which sentences, whether with names, or the files of a person's score."""

    format: str = "m2"
    state: str = "done"
    purpose: str = "work"
    names: bool = False
    sampled: Sampled | None = None

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise UnknownName("format", self.format, FORMATS)
        if self.sampled is not None and (self.sampled.side not in SIDES or self.sampled.stage not in STAGES):
            raise UsageError(f"a score has {' and '.join(SIDES)}, {' and '.join(STAGES)} self-study")
        if self.names and self.format != HISTORY:
            raise UsageError(f"only {HISTORY} has names of people")
        Wanted(self.state, self.purpose)

    @property
    def suffix(self) -> str:
        return ".jsonl" if self.format == HISTORY else CORPORA[self.format][1]

    @property
    def media_type(self) -> str:
        return "application/x-ndjson" if self.format == HISTORY else CORPORA[self.format][2]


def write_export(engine: Engine, project_id: str, order: Order, scorers: Scorers, stream: IO[str]) -> list[str]:
    """Write what was ordered; a line for each thing that the format could not say."""
    wanted = Wanted(order.state, order.purpose)
    if order.sampled is not None:
        record = read_record(engine, project_id)
        _write(export_samples(record, scorers[record.language], order.sampled, order.format), stream)
        return []
    with reading(engine) as connection:
        _write(_chunks(connection, get_project(connection, project_id), order, wanted, scorers), stream)
    return wanted.notes()


def _chunks(connection: Connection, project: Project, order: Order, wanted: Wanted, scorers: Scorers) -> Iterator[str]:
    if order.format == HISTORY:
        return write_history(connection, project.id, names=order.names)
    return CORPORA[order.format][0](connection, project.id, scorers[project.language], wanted)


def _write(chunks: Iterable[str], stream: IO[str]) -> None:
    for chunk in chunks:
        stream.write(chunk)


def read_chunks(stream: IO[bytes]) -> Iterator[bytes]:
    """The bytes of a file from its beginning; it is closed at the end, also when nobody wants the rest."""
    with stream:
        stream.seek(0)
        while chunk := stream.read(CHUNK):
            yield chunk


def name_file(project_name: str, suffix: str) -> str:
    """The header that gives a download its name, in any script.

    >>> name_file("My project", ".m2")
    'attachment; filename="My-project.m2"; filename*=UTF-8\\'\\'My%20project.m2'
    """
    plain = _NOT_PLAIN.sub("-", project_name).strip("-") or "project"
    return f"attachment; filename=\"{plain}{suffix}\"; filename*=UTF-8''{quote(project_name + suffix, safe='')}"
