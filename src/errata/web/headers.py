"""Headers that keep a browser from doing more with an answer than was meant."""

from __future__ import annotations

import base64
import hashlib

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from errata.web.error_page import STYLE
from errata.web.paths import PRIVATE

_STYLE_DIGEST = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()

# Scripts and styles come from this server, nothing from anywhere else; the style of `error_page` is the one exception.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data:",
        f"style-src 'self' 'sha256-{_STYLE_DIGEST}'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
SAFE_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",  # browsers that do not know frame-ancestors
    "Referrer-Policy": "no-referrer",
}


def safe_headers(path: str) -> dict[str, str]:
    """The headers of an answer for this path."""
    return {**SAFE_HEADERS, "Cache-Control": "no-store"} if path.startswith(PRIVATE) else SAFE_HEADERS


class SafeHeaders:
    """Adds them to every answer that has not its own."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in safe_headers(scope["path"]).items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, add)
