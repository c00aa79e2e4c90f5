"""Running the app: a socket of ours, and a shutdown that finishes what was begun."""

from __future__ import annotations

import gc
import logging
import socket
from collections.abc import Callable
from functools import partial
from types import FrameType

import uvicorn
from fastapi import FastAPI

from errata.errors import UsageError
from errata.logs import StderrHandler
from errata.web.connections import SEND_BUFFER, Connection
from errata.web.service import Service

# Connections that may wait to be accepted; a burst of clients must not be turned away.
BACKLOG = 2048
# Looking for garbage among all objects stops every thread, with a large document in memory for a quarter of a second.
# So it is done when nobody waits, if young objects were looked at this often since, and under load only rarely.
YOUNG_BEFORE_IDLE, YOUNG_BEFORE_ALL = 10, 5000
NEVER = 2**30


class GracefulServer(uvicorn.Server):
    """On the first signal refuses new work and ends when the old is done; on the second ends at once."""

    def __init__(self, config: uvicorn.Config, service: Service, on_start: Callable[[], None]) -> None:
        super().__init__(config)
        self._service, self._on_start = service, on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_start()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self._service.is_draining:
            self.force_exit = True
            super().handle_exit(sig, frame)
        self._service.drain()

    async def on_tick(self, counter: int) -> bool:
        if self._service.is_draining and not self._service.n_in_flight:
            self.should_exit = True
        collect_garbage(is_idle=not self.server_state.tasks)  # of requests that are not answered yet
        return await super().on_tick(counter)


def collect_garbage(*, is_idle: bool) -> None:
    """Look through all objects for garbage, if it is time."""
    if gc.get_count()[2] >= (YOUNG_BEFORE_IDLE if is_idle else YOUNG_BEFORE_ALL):
        gc.collect()


def bind(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 is any free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=BACKLOG)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)  # connections have it of their listener
        return listener
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"cannot listen on {host} port {port}: {reason}; give another --host or --port") from error


def serve(app: FastAPI, listener: socket.socket, *, on_start: Callable[[], None] = lambda: None) -> None:
    """Serve until a signal comes; SIGINT and SIGTERM mean the same."""
    service: Service = app.state.service
    _log_to_stderr()
    # What was made until now stays: looking through it for garbage again and again would hold up everybody.
    gc.collect()
    gc.freeze()
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, NEVER)
    config = uvicorn.Config(
        app,
        access_log=False,
        log_config=None,
        log_level="warning",
        backlog=BACKLOG,
        http=partial(Connection, max_connections=app.state.settings.max_connections),  # type: ignore[arg-type]
        ws="none",  # a WebSocket would be a connection without our limits
        timeout_graceful_shutdown=int(app.state.settings.timeout) + 1,
        server_header=False,
    )
    GracefulServer(config, service, on_start).run(sockets=[listener])


def _log_to_stderr() -> None:
    handler = StderrHandler()
    handler.setFormatter(logging.Formatter("%(message)s"))
    for name, level in (("errata", logging.INFO), ("uvicorn", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level)
