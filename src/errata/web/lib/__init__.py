"""JavaScript and styles that the pages share, at `/lib`: above all the editor (`editor.js`)."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI

from errata.web.pages import add_files
from errata.web.parts import Tools


def add(app: FastAPI, tools: Tools) -> None:
    """Add the files."""
    add_files(app, "/lib", Path(__file__).parent)
