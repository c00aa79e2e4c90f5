"""Pages of other sites may read answers of the APIs, where they are allowed (`--cors`), and nothing else."""

from __future__ import annotations

from collections.abc import Collection

from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from errata.web.paths import APIS

# Browsers ask again after so many seconds.
REMEMBER_SECONDS = 86400


class ApiCors(CORSMiddleware):
    """CORS for these origins, under the paths of the APIs alone."""

    def __init__(self, app: ASGIApp, *, origins: Collection[str]) -> None:
        super().__init__(
            app,
            allow_origins=list(origins),
            allow_methods=["GET", "POST"],
            allow_headers=["*"],
            allow_private_network=True,  # browsers ask when a page from elsewhere wants a server on this machine
            expose_headers=["Retry-After"],
            max_age=REMEMBER_SECONDS,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith(APIS):
            await super().__call__(scope, receive, send)
        else:
            await self.app(scope, receive, send)
