"""The app: its parts, its limits, what is refused and how it is told."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request, Response
from fastapi.middleware.cors import CORSMiddleware
from starlette.exceptions import HTTPException

import errata
from errata.pipeline.load import load_model
from errata.registry import describe_failure, find_object, load_plugins
from errata.web.access import AccessLog
from errata.web.database import open_database
from errata.web.gate import Gate
from errata.web.limits import BodyLimit
from errata.web.metrics import Metrics
from errata.web.parts import PARTS, PLUGINS, Tools
from errata.web.refusals import SHOWN, Refusal, refusal_response
from errata.web.service import Load, Service
from errata.web.settings import Settings
from errata.web.threads import Lanes, Threads
from errata.web.words import WordStore

log = logging.getLogger(__name__)

# Requests for users' words that the database works on, and that may wait for it. It takes milliseconds for one.
DATABASE_THREADS, DATABASE_QUEUE = 2, 64


def create_app(settings: Settings, load: Load = load_model, parts: Mapping[str, str] = PARTS) -> FastAPI:
    """An app that has loaded its models and can answer at once; `app.state.service` is what corrects."""
    metrics = Metrics()
    max_users = settings.max_users if settings.api_keys is None else None
    words = WordStore(open_database(settings.database), max_words=settings.max_words, max_users=max_users)
    lanes = Lanes(capacity=settings.max_connections)
    database = Threads("database", n_threads=DATABASE_THREADS, capacity=DATABASE_THREADS + DATABASE_QUEUE)
    try:
        service = Service(settings, metrics, load)
    except BaseException:
        words.close()
        raise

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        service.close()
        lanes.close()
        database.close()
        words.close()

    app = FastAPI(
        title="errata",
        version=errata.__version__,
        description="Grammatical error correction in English and Chinese.",
        docs_url=None,  # the usual page loads its scripts from elsewhere
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.service, app.state.settings = service, settings
    tools = Tools(settings, service, metrics, words, lanes, database)
    for add in map(find_object, parts.values()):
        add(app, tools)
    _add_brought(app, tools, parts)
    _add_refusals(app)
    # The last one added is asked first.
    app.add_middleware(BodyLimit, max_length=settings.max_length, timeout=settings.timeout)
    if settings.cors:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.cors),
            allow_methods=["GET", "POST"],
            allow_headers=["*"],
            allow_private_network=True,  # browsers ask when a page from elsewhere wants a server on this machine
            expose_headers=["Retry-After"],
            max_age=86400,
        )
    app.add_middleware(Gate, hosts=settings.hosts, origins=settings.cors)
    app.add_middleware(AccessLog, metrics=metrics, enabled=settings.access_log)
    return app


def _add_brought(app: FastAPI, tools: Tools, parts: Mapping[str, str]) -> None:
    """Add the parts that other packages bring; one that fails is a warning."""
    brought, faults = load_plugins("page", parts, PLUGINS)
    for name, add in brought.items():
        try:
            add(app, tools)
        except Exception as error:  # the other package's code may fail in any way
            faults.append(f"page {name!r} of another package cannot be added: {describe_failure(error)}")
    for fault in faults:
        log.warning("%s", fault)


def _add_refusals(app: FastAPI) -> None:
    def tell(request: Request, status: int, message: str, headers: Mapping[str, str] | None = None) -> Response:
        return refusal_response(request.url.path, Refusal(status, message, headers=headers))

    @app.exception_handler(Refusal)
    async def refused(request: Request, error: Refusal) -> Response:
        return refusal_response(request.url.path, error)

    @app.exception_handler(HTTPException)
    async def failed(request: Request, error: HTTPException) -> Response:
        is_unknown = error.status_code == 404
        message = f"there is nothing at {request.url.path[:SHOWN]}" if is_unknown else str(error.detail)
        return tell(request, error.status_code, message, error.headers)

    @app.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> Response:
        return tell(request, 500, "the server failed on this request; its log says why")
