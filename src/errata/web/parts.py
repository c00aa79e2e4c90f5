"""The parts of the server: each adds its routes or pages to the app.

A part is a function `add(app, tools)`, in a module or folder of its own, and a line in `PARTS`.
"""

from __future__ import annotations

from dataclasses import dataclass

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
}

# Parts of other packages are entry points in this group.
PLUGINS = "errata.pages"


@dataclass(frozen=True, slots=True)
class Tools:
    """What parts work with.

    Whatever takes longer with a longer text runs in `lanes`, what asks the database in `database`: never on the event
    loop, where everybody would wait for it.
    """

    settings: Settings
    service: Service
    metrics: Metrics
    words: WordStore
    lanes: Lanes
    database: Threads
