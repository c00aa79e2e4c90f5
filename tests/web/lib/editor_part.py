"""A part of the server that only tests have: a page with editors, at `/`."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI

from errata.web.pages import add_page
from errata.web.parts import Tools


def add(app: FastAPI, tools: Tools) -> None:
    add_page(app, "/", Path(__file__).parent / "editor_page", files="/editor-page")
