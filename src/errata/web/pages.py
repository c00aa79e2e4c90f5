"""Pages that are whole in themselves: files of one folder. `headers` keeps them to this server."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.responses import FileResponse, Response
from fastapi.staticfiles import StaticFiles

# Ask whether it has changed: an update must not meet yesterday's scripts.
PAGE_HEADERS = {"Cache-Control": "no-cache"}

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
    _add_file(app, address, folder / "index.html")
    add_files(app, files, folder)


def add_pages(app: FastAPI, address: str, folder: Path, *, files: str) -> None:
    """Serve several pages of one folder: `index.html` at `address/`, `login.html` at `address/login`, and so on."""
    for path in sorted(folder.glob("*.html")):
        _add_file(app, f"{address}/{'' if path.stem == 'index' else path.stem}", path)
    add_files(app, files, folder)


def _add_file(app: FastAPI, address: str, path: Path) -> None:
    @app.api_route(address, methods=["GET", "HEAD"], include_in_schema=False)
    async def page() -> FileResponse:
        return FileResponse(path, headers=PAGE_HEADERS)


def add_files(app: FastAPI, address: str, folder: Path) -> None:
    """Serve the files of a folder that are for browsers, under `address`."""
    app.mount(address, _PageFiles(directory=folder), name=address.strip("/"))
