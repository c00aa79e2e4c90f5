"""The correcting part of a server: a model with its batches for each language, and documents in, edits out."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Lock

from errata.edits.explain import explain
from errata.errors import DataError
from errata.model import TextEdit
from errata.pipeline.corrector import Together
from errata.pipeline.documents import DocumentEdits, Options, correct_document
from errata.pipeline.load import load_model
from errata.pipeline.sentences import SentenceCorrector
from errata.pipeline.settle import Candidates
from errata.pipeline.views import Writing
from errata.text.projection import Projection
from errata.web.batching import Batcher
from errata.web.metrics import Metrics
from errata.web.refusals import Refusal, shutting_down
from errata.web.settings import DEFAULT_PRESET, PRESETS, Settings
from errata.web.threads import Threads

Load = Callable[[str], SentenceCorrector]

# Run once when a model is loaded, so that the first client does not wait for what libraries do on first use.
WARM_UP = {"en": "This are a test.", "zh": "这是一个测试。"}


@dataclass(frozen=True, slots=True)
class Engine:
    """A loaded model: its name, its presets, and the queue in front of it."""

    name: str
    presets: tuple[str, ...]
    batcher: Batcher


@dataclass(slots=True)
class _Request:
    """The documents of a request, and what it waits for; `drop` gives all of it up, also from another thread."""

    lock: Lock = field(default_factory=Lock)
    together: Together | None = None
    futures: list[Future[list[Candidates]]] = field(default_factory=list)
    is_dropped: bool = False
    asked_at: float = field(default_factory=time.monotonic)

    def drop(self) -> None:
        with self.lock:
            self.is_dropped = True
            for future in self.futures:
                future.cancel()


class Service:
    """Loaded models, ready to correct; `close` finishes what is queued."""

    def __init__(self, settings: Settings, metrics: Metrics, load: Load = load_model) -> None:
        self.metrics = metrics
        self.engines: dict[str, Engine] = {}
        self.is_draining = False
        self.n_in_flight = 0
        metrics.watch_begun(lambda: self.n_in_flight)
        for language, name in settings.models.items():
            corrector = warm_up(load(name), language)
            batcher = Batcher(
                language,
                corrector,
                capacity=settings.queue,
                patience=settings.timeout,
                workers=settings.workers,
                recent=settings.recent,
                metrics=metrics,
            )
            presets = tuple(preset for preset in PRESETS if preset in corrector.presets)
            self.engines[language] = Engine(corrector.name, presets, batcher)

    @property
    def languages(self) -> tuple[str, ...]:
        return tuple(self.engines)

    def best_preset(self, language: str, wanted: str) -> str:
        """The preset, or the default where the language's model does not have it."""
        engine = self.engines.get(language)
        return wanted if engine and wanted in engine.presets else DEFAULT_PRESET

    async def correct(
        self, read: Callable[[], Sequence[Projection]], writing: Writing, options: Options, threads: Threads
    ) -> list[DocumentEdits]:
        """The edits of the documents that `read` gives; sentences in a language without a model are left as they are.

        All that takes longer with a longer text runs in `threads`. Cancelling the call drops the work. A preset that a
        model lacks is a refusal.
        """
        if self.is_draining:
            raise shutting_down()
        request = _Request()

        def begin() -> None:
            request.together = Together([correct_document(view, writing, options) for view in read()])
            self._submit(request, options.preset)

        self.n_in_flight += 1
        try:
            await threads.run(begin)
            while request.futures:
                found = await asyncio.gather(*map(asyncio.wrap_future, request.futures))
                await threads.run(self._go_on, request, found, options.preset)
        finally:
            request.drop()
            self.n_in_flight -= 1
        assert request.together is not None
        return request.together.results

    def _go_on(self, request: _Request, found: Sequence[Sequence[Candidates]], preset: str) -> None:
        """Hand what was found to the documents, and submit what they want next."""
        assert request.together is not None
        wanted = request.together.wanted
        request.together.tell(
            {
                language: dict(zip(texts, looks, strict=True))
                for (language, texts), looks in zip(wanted.items(), found, strict=True)
            }
        )
        self._submit(request, preset, since=request.asked_at)

    def _submit(self, request: _Request, preset: str, *, since: float | None = None) -> None:
        assert request.together is not None
        with request.lock:
            request.futures.clear()
            if not request.is_dropped:
                for language, texts in request.together.wanted.items():
                    batcher = self._engine(language, preset).batcher
                    request.futures.append(batcher.submit(texts, since=since))

    def _engine(self, language: str, preset: str) -> Engine:
        engine = self.engines[language]
        if preset not in engine.presets:
            raise Refusal(400, f"the model {engine.name} has no preset {preset!r}: use {', '.join(engine.presets)}")
        return engine

    def drain(self) -> None:
        """Refuse new work from now on."""
        self.is_draining = True

    def close(self) -> None:
        self.drain()
        for engine in self.engines.values():
            engine.batcher.close()


def warm_up(corrector: SentenceCorrector, language: str) -> SentenceCorrector:
    """The corrector, after a first correction."""
    if corrector.language != language:
        raise DataError(f"the model {corrector.name} corrects {corrector.language}, not {language}")
    sample = WARM_UP.get(language, "")
    corrector.look([(sample, None)])
    explain(sample, TextEdit(0, 1, sample[1:2]), language)
    return corrector
