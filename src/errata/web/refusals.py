"""Why a request gets no answer, as one exception the app turns into a response."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response

from errata.web.chinese import PAGES, translate, translate_facts
from errata.web.error_page import choose_language, error_page
from errata.web.headers import safe_headers
from errata.web.paths import PROGRAMS


class Refusal(Exception):
    """A request is refused: the HTTP status, one line that says why, and when to try again (seconds).

    `facts` stand beside the line in JSON, such as what a conflicting change would have to begin with (409).
    """

    def __init__(
        self,
        status: int,
        message: str,
        *,
        retry_after: int | None = None,
        headers: Mapping[str, str] | None = None,
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.message, self.retry_after = status, message, retry_after
        self.facts = facts or {}
        self.headers = {**(headers or {}), **({} if retry_after is None else {"Retry-After": str(retry_after)})}


# Characters of what a client sent, in what it is told.
SHOWN = 100
# What a server logs when the client hung up; nobody reads the answer.
CLIENT_GONE = 499


def busy(retry_after: int) -> Refusal:
    return Refusal(503, "too many requests are waiting; try again later", retry_after=retry_after)


def shutting_down() -> Refusal:
    return Refusal(503, "the server is shutting down; try another one", retry_after=5)


def no_database() -> Refusal:
    return Refusal(503, "the database does not answer; try again later", retry_after=5)


def too_long(length: int, limit: int) -> Refusal:
    message = (
        f"Your text exceeds the limit of {limit} characters (it's {length} characters). Please submit a shorter text."
    )
    return Refusal(413, message)


def refusal_response(scope: Mapping[str, Any], refusal: Refusal) -> Response:
    """The answer to a request that is refused.

    It is a page for people, `Error: …` for LanguageTool's clients, and JSON for all other programs.
    """
    path = scope["path"]
    headers = {**safe_headers(path), **refusal.headers}
    if path.startswith("/v2/"):
        return PlainTextResponse(f"Error: {refusal.message}", refusal.status, headers)
    asked = Headers(raw=scope["headers"])
    language = choose_language(asked.get("accept-language", ""))
    if not _wants_page(scope["method"], path, asked):
        return JSONResponse(
            _body(refusal, is_chinese=language == "zh" and path.startswith(PAGES)), refusal.status, headers
        )
    page = error_page(refusal.status, refusal.message, language=language, home=f"{scope.get('root_path', '')}/")
    about = {"Cache-Control": "no-store", "Vary": "Accept, Accept-Language", "Content-Language": language}
    return HTMLResponse(page, refusal.status, {**headers, **about})


def _body(refusal: Refusal, *, is_chinese: bool) -> dict[str, Any]:
    if is_chinese:
        return {"detail": translate(refusal.message), **translate_facts(refusal.facts)}
    return {"detail": refusal.message, **refusal.facts}


def _wants_page(method: str, path: str, asked: Headers) -> bool:
    """Whether a browser asks for something that it will show."""
    return method in ("GET", "HEAD") and not path.startswith(PROGRAMS) and "text/html" in asked.get("accept", "")
