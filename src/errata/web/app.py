"""The app: its parts, its limits, what is refused and how it is told."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from random import Random, SystemRandom

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException

import errata
from errata.pipeline.load import load_model
from errata.registry import describe_failure, load_plugins, lookup
from errata.web.access import AccessLog
from errata.web.accounts.accounts import Accounts
from errata.web.clock import Clock
from errata.web.cors import ApiCors
from errata.web.database import open_database
from errata.web.deadlines import TimeLimit
from errata.web.gate import Gate
from errata.web.headers import SafeHeaders
from errata.web.json_body import describe_faults
from errata.web.limits import BodyLimit, find_limits
from errata.web.metrics import Metrics
from errata.web.parts import PARTS, PLUGINS, Tools
from errata.web.refusals import SHOWN, Refusal, no_database, refusal_response
from errata.web.service import Load, Service
from errata.web.settings import Settings
from errata.web.threads import Lanes, Threads
from errata.web.words import WordStore

log = logging.getLogger(__name__)

# Calls of the database that run at a time, and that may wait for their turn. One takes milliseconds, and those that
# write wait for each other in any case: more threads let the others read meanwhile.
DATABASE_THREADS, DATABASE_QUEUE = 4, 512
# Imports and exports that run at a time, and that may wait: each may take minutes.
FILE_THREADS, FILE_QUEUE = 2, 16


def create_app(
    settings: Settings,
    load: Load = load_model,
    parts: Collection[str] | None = None,
    *,
    clock: Clock = time.time,
    rng: Random | None = None,
) -> FastAPI:
    """An app of these parts, by default all, that has loaded its models and can answer at once.

    `app.state.tools` is what its parts work with, `app.state.service` what corrects.
    """
    tools = _open_tools(settings, load, clock, rng or SystemRandom())

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        tools.close()

    app = FastAPI(
        title="errata",
        version=errata.__version__,
        description="Grammatical error correction in English and Chinese.",
        docs_url=None,  # the usual page loads its scripts from elsewhere
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.tools, app.state.service, app.state.settings = tools, tools.service, settings
    for name in PARTS if parts is None else parts:
        lookup("part", PARTS, name)(app, tools)
    _add_brought(app, tools)
    _add_refusals(app)
    # The last one added is asked first.
    limits = find_limits(settings)
    app.add_middleware(TimeLimit, limits=limits)
    app.add_middleware(BodyLimit, limits=limits, timeout=settings.timeout)
    if settings.cors:
        app.add_middleware(ApiCors, origins=settings.cors)
    app.add_middleware(Gate, hosts=settings.hosts, origins=settings.cors)
    app.add_middleware(SafeHeaders)
    app.add_middleware(AccessLog, metrics=tools.metrics, enabled=settings.access_log)
    return app


def _open_tools(settings: Settings, load: Load, clock: Clock, rng: Random) -> Tools:
    metrics, engine = Metrics(), open_database(settings.database)
    try:
        service = Service(settings, metrics, load)
    except BaseException:
        engine.dispose()
        raise
    max_users = settings.max_users if settings.api_keys is None else None
    database = Threads("database", n_threads=DATABASE_THREADS, capacity=DATABASE_THREADS + DATABASE_QUEUE)
    return Tools(
        settings=settings,
        service=service,
        metrics=metrics,
        engine=engine,
        words=WordStore(engine, max_words=settings.max_words, max_users=max_users),
        lanes=Lanes(capacity=settings.max_connections),
        database=database,
        files=Threads("files", n_threads=FILE_THREADS, capacity=FILE_THREADS + FILE_QUEUE),
        clock=clock,
        rng=rng,
        accounts=Accounts(engine, database, clock),
    )


def _add_brought(app: FastAPI, tools: Tools) -> None:
    """Add the parts that other packages bring; one that fails is a warning."""
    brought, faults = load_plugins("page", PARTS, PLUGINS)
    for name, add in brought.items():
        try:
            add(app, tools)
        except Exception as error:  # the other package's code may fail in any way
            faults.append(f"page {name!r} of another package cannot be added: {describe_failure(error)}")
    for fault in faults:
        log.warning("%s", fault)


def _add_refusals(app: FastAPI) -> None:
    def tell(request: Request, status: int, message: str, headers: Mapping[str, str] | None = None) -> Response:
        return refusal_response(request.scope, Refusal(status, message, headers=headers))

    @app.exception_handler(Refusal)
    async def refused(request: Request, error: Refusal) -> Response:
        return refusal_response(request.scope, error)

    @app.exception_handler(HTTPException)
    async def failed(request: Request, error: HTTPException) -> Response:
        is_unknown = error.status_code == 404
        message = f"there is nothing at {request.url.path[:SHOWN]}" if is_unknown else str(error.detail)
        return tell(request, error.status_code, message, error.headers)

    @app.exception_handler(RequestValidationError)
    async def senseless(request: Request, error: RequestValidationError) -> Response:
        return tell(request, 422, describe_faults(error.errors()))

    @app.exception_handler(OperationalError)
    @app.exception_handler(InternalError)  # PostgreSQL's word for a database that may only be read
    @app.exception_handler(PoolTimeout)
    async def without_database(request: Request, error: Exception) -> Response:
        log.error("the database does not answer", exc_info=error)
        return refusal_response(request.scope, no_database())

    @app.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> Response:
        return tell(request, 500, "the server failed on this request; its log says why")
