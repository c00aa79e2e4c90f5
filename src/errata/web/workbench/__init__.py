"""The annotation workbench: people correct sentences, review each other's answers, study their mistakes, and agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastapi import FastAPI

    from errata.web.parts import Tools


def add(app: FastAPI, tools: Tools) -> None:
    """Add the API under `/workbench/api` and the pages under `/workbench`."""
    # The domain is imported by commands that need no server.
    from errata.web.workbench import owner, pages, routes

    for part in (routes, owner, pages):
        part.add(app, tools)
