"""One JSON line on the log for every request, and its numbers for `/metrics`. Never a word of anybody's text."""

from __future__ import annotations

import json
import logging
import time
from typing import Any

from fastapi import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from errata.web.metrics import Metrics
from errata.web.refusals import CLIENT_GONE

log = logging.getLogger("errata.access")

# What metrics tell apart: whatever else a client sends must not grow them.
METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
# Characters of a path or an address in the log: a proxy may tell any address, and a path may be 64,000 long.
MAX_SHOWN = 200
_NOTES = "errata.notes"


def note(request: Request, **facts: Any) -> None:
    """Add facts to the log line of a request."""
    request.scope.setdefault(_NOTES, {}).update(facts)


class AccessLog:
    """Times every request; logs it where `enabled`."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics, enabled: bool) -> None:
        self.app, self.metrics, self.enabled = app, metrics, enabled

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = time.perf_counter()
        notes = scope.setdefault(_NOTES, {})
        status = 500

        async def watch(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, watch)
        finally:
            self._record(scope, status, time.perf_counter() - started, notes)

    def _record(self, scope: Scope, status: int, seconds: float, notes: dict[str, Any]) -> None:
        route = getattr(scope.get("route"), "path", None) or "other"
        method = scope["method"] if scope["method"] in METHODS else "other"
        self.metrics.requests.labels(method, route, str(status)).inc()
        if status != CLIENT_GONE:
            self.metrics.request_seconds.labels(route).observe(seconds)
        if self.enabled:
            client = scope.get("client") or ("", 0)
            line = {
                "time": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
                "client": _shorten(client[0]),
                "method": scope["method"],
                "path": _shorten(scope["path"]),
                "status": status,
                "seconds": round(seconds, 4),
                **notes,
            }
            log.info(json.dumps(line))  # in ASCII: what else a client sends could be commands to a terminal


def _shorten(value: str) -> str:
    return value if len(value) <= MAX_SHOWN else f"{value[:MAX_SHOWN]}…"
