"""The parts of the server: each adds its routes or pages to the app.

A part is a function `add(app, tools)`, in a module or folder of its own, and a line in `PARTS`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from random import Random

from sqlalchemy import Engine

from errata.errors import UnknownName
from errata.web.accounts.accounts import Accounts
from errata.web.clock import Clock
from errata.web.metrics import Metrics
from errata.web.service import Service
from errata.web.settings import Settings
from errata.web.threads import Lanes, Threads
from errata.web.words import WordStore

# name → "module:function".
PARTS: dict[str, str] = {
    "v1": "errata.web.v1:add",
    "languagetool": "errata.web.languagetool.api:add",
    "operations": "errata.web.operations:add",
    "lib": "errata.web.lib:add",
    "playground": "errata.web.playground:add",
    "accounts": "errata.web.accounts.routes:add",
    "workbench": "errata.web.workbench:add",
}

# Parts of other packages are entry points in this group.
PLUGINS = "errata.pages"


@dataclass(frozen=True, slots=True)
class Tools:
    """What parts work with.

    Whatever takes longer with a longer text runs in `lanes`, what asks the database (`engine`) in `database`: never on
    the event loop, where everybody would wait for it. What reads or writes much of the database, such as an import or
    an export, runs in `files`, so that nobody who only wants a task waits behind it. `clock` and `rng` are the time and
    the chance of everything that is kept.
    """

    settings: Settings
    service: Service
    metrics: Metrics
    engine: Engine
    words: WordStore
    lanes: Lanes
    database: Threads
    files: Threads
    clock: Clock
    rng: Random
    accounts: Accounts

    def close(self) -> None:
        """Finish what is being corrected, drop what waits, and let go of the database."""
        self.service.close()
        self.accounts.close()
        for threads in (self.lanes, self.database, self.files):
            threads.close()
        self.engine.dispose()


def choose_parts(*, without: Collection[str] = ()) -> list[str]:
    """The names of all parts but some."""
    for name in without:
        if name not in PARTS:
            raise UnknownName("part", name, PARTS)
    return [name for name in PARTS if name not in without]
