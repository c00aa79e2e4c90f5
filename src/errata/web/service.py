"""The correcting part of a server: a model with its batches for each language, and texts in, edits out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from errata.errors import DataError, UsageError
from errata.model import TextEdit
from errata.systems.base import Corrector, load_corrector
from errata.systems.explain import explain
from errata.text.wrapping import keep_line_ends, unwrap
from errata.web.batching import Batcher
from errata.web.documents import Piece, split_document
from errata.web.metrics import Metrics
from errata.web.recent import Edits
from errata.web.refusals import Refusal, shutting_down
from errata.web.settings import DEFAULT_PRESET, PRESETS, Settings

Load = Callable[[str], Any]

# Run once when a model is loaded, so that the first client does not wait for what libraries do on first use.
WARM_UP = {"en": "This are a test.", "zh": "这是一个测试。"}


@dataclass(frozen=True, slots=True)
class Engine:
    """A loaded model: its name, its presets, and the queue in front of it."""

    name: str
    presets: tuple[str, ...]
    batcher: Batcher


@dataclass(frozen=True, slots=True)
class Reading:
    """A corrected text: its sentences, and the edits in order."""

    pieces: tuple[Piece, ...]
    edits: Edits


class Service:
    """Loaded models, ready to correct; `close` finishes what is queued."""

    def __init__(self, settings: Settings, metrics: Metrics, load: Load = load_corrector) -> None:
        self.metrics = metrics
        self.engines: dict[str, Engine] = {}
        self.is_draining = False
        self.n_in_flight = 0
        metrics.watch_begun(lambda: self.n_in_flight)
        for language, name in settings.models.items():
            correctors = load_presets(load(name), language)
            batcher = Batcher(
                language,
                correctors,
                capacity=settings.queue,
                patience=settings.timeout,
                workers=settings.workers,
                recent=settings.recent,
                metrics=metrics,
            )
            self.engines[language] = Engine(correctors[DEFAULT_PRESET].name, tuple(correctors), batcher)

    @property
    def languages(self) -> tuple[str, ...]:
        return tuple(self.engines)

    def best_preset(self, language: str, wanted: str) -> str:
        """The preset, or the default where the language's model does not have it."""
        engine = self.engines.get(language)
        return wanted if engine and wanted in engine.presets else DEFAULT_PRESET

    async def correct(self, texts: Sequence[str], language: str, preset: str) -> list[Reading]:
        """The edits of each text; sentences in a language without a model are left as they are.

        Cancelling the call drops the work. A preset that a model lacks is a refusal.
        """
        if self.is_draining:
            raise shutting_down()
        read = [unwrap(text) for text in texts]
        documents = [split_document(text, language) for text in read]
        self.n_in_flight += 1
        try:
            found = await self._ask(read, documents, preset)
        finally:
            self.n_in_flight -= 1
        edits = [keep_line_ends(text, some) for text, some in zip(texts, found, strict=True)]
        return [Reading(tuple(pieces), tuple(some)) for pieces, some in zip(documents, edits, strict=True)]

    async def _ask(self, texts: Sequence[str], documents: Sequence[list[Piece]], preset: str) -> list[list[TextEdit]]:
        wanted: dict[str, list[tuple[int, Piece]]] = {}
        for number, pieces in enumerate(documents):
            for piece in pieces:
                if piece.language in self.engines:
                    wanted.setdefault(piece.language, []).append((number, piece))
        futures: list[Future[list[Edits]]] = []
        try:
            for language, asked in wanted.items():
                futures.append(self._submit(language, [texts[n][p.start : p.end] for n, p in asked], preset))
            answers = await asyncio.gather(*map(asyncio.wrap_future, futures))
        finally:
            for future in futures:
                future.cancel()
        placed: dict[tuple[int, int], list[TextEdit]] = {}
        for asked, answer in zip(wanted.values(), answers, strict=True):
            for (number, piece), edits in zip(asked, answer, strict=True):
                placed[number, piece.start] = [move_edit(edit, piece.start) for edit in edits]
        return [
            [edit for piece in pieces for edit in placed.get((number, piece.start), ())]
            for number, pieces in enumerate(documents)
        ]

    def _submit(self, language: str, sentences: list[str], preset: str) -> Future[list[Edits]]:
        engine = self.engines[language]
        if preset not in engine.presets:
            raise Refusal(400, f"the model {engine.name} has no preset {preset!r}: use {', '.join(engine.presets)}")
        return engine.batcher.submit(sentences, preset)

    def drain(self) -> None:
        """Refuse new work from now on."""
        self.is_draining = True

    def close(self) -> None:
        self.drain()
        for engine in self.engines.values():
            engine.batcher.close()


def move_edit(edit: TextEdit, by: int) -> TextEdit:
    """The edit `by` characters further on."""
    return replace(edit, start=edit.start + by, end=edit.end + by)


def load_presets(corrector: Any, language: str) -> Mapping[str, Corrector]:
    """A warm corrector for each preset a model has, sharing its weights."""
    if corrector.language != language:
        raise DataError(f"the model {corrector.name} corrects {corrector.language}, not {language}")
    found: dict[str, Corrector] = {}
    with_preset = getattr(corrector, "with_preset", None)
    if with_preset is None:  # a corrector that is no trained model
        found[DEFAULT_PRESET] = corrector
    else:
        for preset in PRESETS:
            with suppress(UsageError):
                found[preset] = with_preset(preset)
    sample = WARM_UP.get(language, "")
    for one in found.values():
        one.correct([sample])
    explain(sample, TextEdit(0, 1, sample[1:2]), language)
    return found
