"""The routes of a project's owner: its figures, and its sentences as files."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import tempfile
from collections import OrderedDict
from concurrent.futures import Future
from threading import Lock
from typing import IO, cast
from urllib.parse import quote

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import StreamingResponse
from sqlalchemy import Connection
from starlette.datastructures import QueryParams

from errata.errors import ErrataError
from errata.web.parts import Tools
from errata.web.refusals import Refusal
from errata.web.workbench import permissions, projects
from errata.web.workbench.desk import Desk
from errata.web.workbench.exports.corpora import PURPOSES, STATES
from errata.web.workbench.exports.files import FORMATS, Order, name_file, read_chunks, write_export
from errata.web.workbench.exports.samples import STAGES, Sampled
from errata.web.workbench.figures import compute_figures
from errata.web.workbench.figures.record import find_newest, read_record
from errata.web.workbench.paths import check_id, read_choice
from errata.web.workbench.routes import PREFIX
from errata.web.workbench.scorer import Scorers

log = logging.getLogger(__name__)

# Projects whose figures are kept.
N_KEPT = 64
# Bytes of an export that stay in memory; more go to a temporary file.
IN_MEMORY = 8 << 20


def add(app: FastAPI, tools: Tools) -> None:
    """Add `/workbench/api/projects/…/figures` and `…/export`."""
    desk, scorers = Desk(tools), Scorers()
    kept = Figures(tools, scorers)
    router = APIRouter(prefix=PREFIX, include_in_schema=False)

    @router.get("/projects/{project_id}/figures")
    async def get_figures(request: Request, project_id: str) -> Response:
        person = await desk.person(request)
        check_id(project_id)

        def find(connection: Connection) -> int:
            permissions.require(connection, person.id, project_id, "figures")
            return find_newest(connection, project_id)

        content = await kept.find(project_id, await desk.read(find))
        return Response(content, media_type="application/json")

    @router.get("/projects/{project_id}/export")
    async def get_export(request: Request, project_id: str) -> Response:
        person = await desk.person(request)
        check_id(project_id)

        def find(connection: Connection) -> projects.Project:
            permissions.require(connection, person.id, project_id, "export")
            return projects.get_project(connection, project_id)

        project = await desk.read(find)
        order = read_order(request.query_params)
        stream, notes = await tools.files.run(_export, tools, scorers, project_id, order)
        headers = {"Content-Disposition": name_file(project.name, order.suffix)}
        if notes:
            headers["X-Errata-Notes"] = quote("; ".join(notes))
        return StreamingResponse(read_chunks(stream), media_type=order.media_type, headers=headers)

    app.include_router(router)


def read_order(query: QueryParams) -> Order:
    """What the address asks for."""
    sampled = None
    for name, side in (("gold_for", "gold"), ("answers_of", "answers")):
        if user_id := query.get(name):
            sampled = Sampled(check_id(user_id), side, read_choice(query, "stage", STAGES))
    try:
        return Order(
            read_choice(query, "format", FORMATS),
            read_choice(query, "state", STATES),
            read_choice(query, "purpose", PURPOSES),
            read_choice(query, "names", ("no", "yes")) == "yes",
            sampled,
        )
    except ErrataError as error:
        raise Refusal(422, str(error)) from error


def _export(tools: Tools, scorers: Scorers, project_id: str, order: Order) -> tuple[IO[bytes], list[str]]:
    """The whole file, and what it could not say."""
    stream = cast(IO[bytes], tempfile.SpooledTemporaryFile(IN_MEMORY))  # noqa: SIM115 (closed once it is sent)
    try:
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="\n")
        notes = write_export(tools.engine, project_id, order, scorers, text)
        text.flush()
        text.detach()
    except BaseException as error:
        stream.close()
        if isinstance(error, ErrataError):
            raise Refusal(422, str(error)) from error
        if isinstance(error, OSError):
            log.error("the file of an export cannot be written", exc_info=error)
            raise Refusal(503, "the server has no room for the file; try again later", retry_after=60) from error
        raise
    return stream, notes


class Figures:
    """The figures of projects as JSON, computed anew only after something happened, and once for all who ask."""

    def __init__(self, tools: Tools, scorers: Scorers) -> None:
        self._tools, self._scorers = tools, scorers
        self._lock = Lock()
        self._kept: OrderedDict[str, tuple[int, bytes]] = OrderedDict()
        self._running: dict[tuple[str, int], Future[bytes]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def find(self, project_id: str, newest: int) -> bytes:
        """The figures of a project whose newest event has this number, or a later one."""
        with self._lock:
            number, content = self._kept.get(project_id, (-1, b""))
            if number >= newest:
                return content
            key = (project_id, newest)
            future = self._running.get(key)
            is_first = future is None
            future = self._running.setdefault(key, Future())
        if is_first:
            task = asyncio.ensure_future(self._fill(key, future))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        # Who goes away does not stop what others wait for.
        return await asyncio.shield(asyncio.wrap_future(future))

    async def _fill(self, key: tuple[str, int], future: Future[bytes]) -> None:
        try:
            future.set_result(await self._tools.files.run(self._compute, key[0]))
        except BaseException as error:
            future.set_exception(error)
        finally:
            with self._lock:
                del self._running[key]

    def _compute(self, project_id: str) -> bytes:
        record = read_record(self._tools.engine, project_id)
        figures = compute_figures(record, self._scorers[record.language])
        content = json.dumps(figures, ensure_ascii=False, allow_nan=False).encode()
        with self._lock:
            self._kept[project_id] = (record.newest, content)
            self._kept.move_to_end(project_id)
            while len(self._kept) > N_KEPT:
                self._kept.popitem(last=False)
        return content
