"""What the routes of the workbench share: who asks, the body, a transaction in the threads of the database."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Any, Concatenate, ParamSpec, TypeVar

from fastapi import Request
from sqlalchemy import Connection

from errata.errors import DataError
from errata.web.accounts.people import Person
from errata.web.database import reading, writing
from errata.web.json_body import read_json
from errata.web.parts import Tools
from errata.web.requests import read_body
from errata.web.workbench.bodies import MAX_VALUES, Body
from errata.web.workbench.extraction import Extraction, edits_json
from errata.web.workbench.views import TaskView

Model = TypeVar("Model", bound=Body)
Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer")


class Desk:
    """The tools of a server, at hand for the workbench."""

    def __init__(self, tools: Tools) -> None:
        self.tools, self.extraction = tools, Extraction()
        self._prepared: set[str] = set()

    @property
    def now(self) -> float:
        return self.tools.clock()

    async def person(self, request: Request) -> Person:
        """Who asks; refused without a session."""
        return await self.tools.accounts.require(request)

    async def body(self, request: Request, model: type[Model]) -> Model:
        """What was sent, read where it holds up nobody."""
        content = await read_body(request)
        content_type = request.headers.get("content-type", "")
        return await self.tools.lanes.choose(content).run(read_json, content_type, content, model, MAX_VALUES)

    async def read(
        self,
        function: Callable[Concatenate[Connection, Parameters], Answer],
        *arguments: Parameters.args,
        **options: Parameters.kwargs,
    ) -> Answer:
        """What a function finds in a transaction that only reads."""

        def run() -> Answer:
            with reading(self.tools.engine) as connection:
                return function(connection, *arguments, **options)

        return await self.tools.database.run(run)

    async def write(
        self,
        function: Callable[Concatenate[Connection, Parameters], Answer],
        *arguments: Parameters.args,
        **options: Parameters.kwargs,
    ) -> Answer:
        """What a function returns that may change things; an exception undoes all of it."""

        def run() -> Answer:
            with writing(self.tools.engine) as connection:
                return function(connection, *arguments, **options)

        return await self.tools.database.run(run)

    def prepare(self, language: str) -> None:
        """Load the extractor of a language meanwhile: whoever has a task will soon want edits."""
        if language not in self._prepared:
            self._prepared.add(language)
            Thread(target=self.extraction.warm_up, args=(language,), daemon=True).start()

    async def find_edits(
        self, language: str, source: str, target: str, *, is_tokenised: bool, messages: str
    ) -> list[dict[str, Any]]:
        """The edits between two texts, for a page."""

        def run() -> list[dict[str, Any]]:
            return self._edits(language, source, target, is_tokenised, messages)

        return await self.tools.lanes.choose((source + target).encode()).run(run)

    async def show(self, view: TaskView, person: Person) -> dict[str, Any]:
        """A task as JSON, with the edits of every text that is shown beside the source."""
        shown = [entry for name in ("answers", "golden", "mine") for entry in view.content.get(name, [])]
        if "complaint" in view.content:
            shown.append(view.content["complaint"])
        if shown:
            await self.tools.lanes.choose(b"").run(self._add_edits, view, shown, person.language or "auto")
        return view.content

    def _add_edits(self, view: TaskView, shown: list[dict[str, Any]], messages: str) -> None:
        for entry in shown:
            source, target = view.item.source, entry["target"]
            entry["edits"] = []
            with suppress(DataError):  # too long to align: it is shown without marks
                if target:
                    entry["edits"] = self._edits(view.language, source, target, view.item.is_tokenised, messages)

    def _edits(
        self, language: str, source: str, target: str, is_tokenised: bool, messages: str
    ) -> list[dict[str, Any]]:
        found = self.extraction.show(language, source, target, is_tokenised=is_tokenised, messages=messages)
        return edits_json(source, target, found)
