"""Pages that are whole in themselves: files of one folder, served with the headers that keep them to this server."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.responses import FileResponse, Response
from fastapi.staticfiles import StaticFiles

# Scripts and styles come from this server, nothing from anywhere else.
PAGE_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",  # ask whether it has changed: an update must not meet yesterday's scripts
}


# What browsers ask for; the code of a part lies in the same folder and is nobody's business.
SERVED = frozenset({".html", ".js", ".css", ".svg", ".png", ".webp", ".json", ".woff2"})


class _PageFiles(StaticFiles):
    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        return super().lookup_path(path) if Path(path).suffix in SERVED else ("", None)

    def file_response(self, *args: Any, **options: Any) -> Response:
        response = super().file_response(*args, **options)
        response.headers.update(PAGE_HEADERS)
        return response


def add_page(app: FastAPI, address: str, folder: Path, *, files: str) -> None:
    """Serve `index.html` of a folder at `address`, and what is beside it under the address `files`."""

    @app.api_route(address, methods=["GET", "HEAD"], include_in_schema=False)
    async def page() -> FileResponse:
        return FileResponse(folder / "index.html", headers=PAGE_HEADERS)

    add_files(app, files, folder)


def add_files(app: FastAPI, address: str, folder: Path) -> None:
    """Serve the files of a folder that are for browsers, under `address`."""
    app.mount(address, _PageFiles(directory=folder), name=address.strip("/"))
