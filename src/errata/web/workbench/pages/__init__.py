"""The pages of the workbench, under `/workbench/`: files for browsers, which take everything they show from the API."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI

from errata.web.pages import add_pages
from errata.web.parts import Tools


def add(app: FastAPI, tools: Tools) -> None:
    """Add the pages."""
    add_pages(app, "/workbench", Path(__file__).parent, files="/workbench/static")
