"""Routes for those who run the server: health, readiness, numbers for Prometheus."""

from __future__ import annotations

from fastapi import FastAPI, Response
from fastapi.responses import PlainTextResponse

from errata.web.metrics import CONTENT_TYPE
from errata.web.parts import Tools


def add(app: FastAPI, tools: Tools) -> None:
    """Add `/healthz`, `/readyz` and `/metrics`."""

    @app.head("/healthz", include_in_schema=False)
    @app.get("/healthz", tags=["operations"], summary="Whether the process is alive")
    async def health() -> dict[str, str]:
        return {"status": "alive"}

    @app.head("/readyz", include_in_schema=False)
    @app.get("/readyz", tags=["operations"], summary="Whether it takes requests", responses={503: {}})
    async def ready(response: Response) -> dict[str, str]:
        if tools.service.is_draining:
            response.status_code = 503
            return {"status": "shutting down"}
        return {"status": "ready"}

    @app.get("/metrics", tags=["operations"], summary="Numbers for Prometheus", response_class=PlainTextResponse)
    async def numbers() -> Response:
        return Response(tools.metrics.render(), media_type=CONTENT_TYPE)
