"""The page where people try errata, at `/`."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI

from errata.web.pages import add_page
from errata.web.parts import Tools


def add(app: FastAPI, tools: Tools) -> None:
    """Add the page."""
    add_page(app, "/", Path(__file__).parent, files="/static")
