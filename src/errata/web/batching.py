"""Requests of many clients as batches of one model.

Each request is a job of sentences. A worker thread takes sentences from the jobs in turn, so that a short request
does not wait for the end of a long one, corrects them together, and answers every job whose last sentence is done.
A sentence that the model would cut is taken piece by piece. A job that could not be done before its client gives up is
refused at once, and one is dropped when nobody waits for it any more. What a sentence is corrected with never changes
its edits: models promise that, and a sentence whose batch fails is tried alone.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import islice
from math import ceil
from threading import Condition, Thread

from errata.pipeline.sentences import SentenceCorrector
from errata.pipeline.settle import Candidates
from errata.web.metrics import Metrics
from errata.web.pace import Pace
from errata.web.recent import RecentSentences
from errata.web.refusals import busy, shutting_down
from errata.web.segments import QueuedSegment, cut_sentence

log = logging.getLogger(__name__)

# A batch has about this many characters of English: two batches of 512 tokens, which keep two cores busy, in a fifth of
# a second. A model that takes longer than BATCH_SECONDS for as many gets fewer (of Chinese, a character is a token):
# whoever comes next waits for the end of the batch.
BATCH_CHARACTERS, MIN_BATCH_CHARACTERS = 4096, 1024
BATCH_SECONDS = 0.5
# How much of a batch one job may fill before the next job gets its turn: a quarter, or this many characters.
TURN = 4
SHARE_CHARACTERS = BATCH_CHARACTERS // TURN
MAX_RETRY_AFTER = 30
# A job that is not done after this share of the time its client waits is in every batch.
URGENT_SHARE = 0.25
# A job is refused when the queue before it would take this share of the time its client waits: speeds are estimates.
PATIENCE_SHARE = 0.7


@dataclass(slots=True, eq=False)
class Job:
    """The sentences of one request."""

    parts: Sequence[QueuedSegment]
    n_parts: Sequence[int]  # of each sentence
    answers: list[Candidates | None]
    waiting: deque[int]
    future: Future[list[Candidates]] = field(default_factory=Future)
    n_open: int = 0
    n_characters: int = 0  # that wait
    is_continued: bool = False
    asked_at: float = field(default_factory=time.monotonic)  # when its request came
    queued_at: float = field(default_factory=time.monotonic)
    is_begun: bool = False
    is_answered: bool = False

    def __post_init__(self) -> None:
        self.n_open = len(self.waiting)
        self.n_characters = sum(self.parts[n].n_characters for n in self.waiting)

    def take(self) -> int:
        """The number of the next part that waits."""
        number = self.waiting.popleft()
        self.n_characters -= self.parts[number].n_characters
        return number

    def finish(self) -> None:
        """Give what was found in every sentence, now that all parts are done."""
        found = iter(self.answers)
        self.answer([tuple(one for some in islice(found, n) for one in some or ()) for n in self.n_parts])

    def answer(self, result: list[Candidates] | Exception) -> None:
        """Give the result, once, to whoever still waits for it."""
        self.is_answered = True
        if not self.future.set_running_or_notify_cancel():
            return
        if isinstance(result, Exception):
            self.future.set_exception(result)
        else:
            self.future.set_result(result)


Task = tuple[Job, int]  # a job and the number of one of its parts


class Batcher:
    """The queue and the workers of one model."""

    def __init__(
        self,
        language: str,
        corrector: SentenceCorrector,
        *,
        capacity: int,
        patience: float,
        workers: int,
        recent: int,
        metrics: Metrics,
    ) -> None:
        """At most `capacity` jobs wait, and none is taken that would have to wait for about `patience` seconds."""
        self.language, self.corrector, self._metrics = language, corrector, metrics
        self._capacity, self._patience = capacity, patience
        self._recent = RecentSentences(recent)
        self._jobs: deque[Job] = deque()
        self._changed = Condition()
        self._closed = False
        self.pace = Pace()
        metrics.watch_queue(language, lambda: len(self._jobs))
        self._threads = [Thread(target=self._work, name=f"{language}-{n}", daemon=True) for n in range(workers)]
        for thread in self._threads:
            thread.start()

    def submit(self, sentences: Sequence[str], *, since: float | None = None) -> Future[list[Candidates]]:
        """What is found in each sentence, in time; cancelling the future drops the work. Refused when too many wait.

        A request that came before (`since`, by `time.monotonic`) goes on: it is not refused, and waits for nobody who
        came later.
        """
        cut = [cut_sentence(self.corrector, sentence) for sentence in sentences]
        parts = [part for some in cut for part in some]
        answers = [self._recent.get(part.sentence) for part in parts]
        waiting = deque(n for n, found in enumerate(answers) if found is None)
        job = Job(parts, [len(some) for some in cut], answers, waiting)
        if since is not None:
            job.is_continued, job.asked_at = True, since
        # A sentence in parts is never remembered, so the parts of a sentence wait together.
        n_remembered = len(answers) - job.n_open
        self._metrics.sentences.labels(self.language, "memory").inc(n_remembered)
        self._metrics.sentences.labels(self.language, "model").inc(len(sentences) - n_remembered)
        if not job.n_open:
            job.finish()
            return job.future
        with self._changed:
            if self._closed:
                raise shutting_down()
            if job.is_continued:
                self._jobs.appendleft(job)
            else:
                self._make_room(job)
                self._jobs.append(job)
            self.pace.send(job.n_characters, again=job.is_continued)
            self._changed.notify()
        return job.future

    def close(self) -> None:
        """Finish what is queued, take nothing more, and stop the workers."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _make_room(self, job: Job) -> None:
        if self._is_full(job):
            self._forget_dropped()
        if self._is_full(job):
            raise busy(self._retry_after())

    def _is_full(self, job: Job) -> bool:
        return len(self._jobs) >= self._capacity or self._wait_before(job) > PATIENCE_SHARE * self._patience

    def _wait_before(self, job: Job) -> float:
        """Seconds the others' sentences take until `job` is done; they take turns with its own."""
        own = self._work_of(job)
        return self._seconds(sum(min(self._work_of(other), own + SHARE_CHARACTERS) for other in self._jobs))

    def _work_of(self, job: Job) -> float:
        """The characters that will be looked at until the request is done."""
        return job.n_characters * (1 if job.is_continued else self.pace.growth)

    def _seconds(self, characters: float) -> float:
        return characters / (self.pace.speed * len(self._threads))

    def _retry_after(self) -> int:
        return min(MAX_RETRY_AFTER, max(1, ceil(self._seconds(sum(map(self._work_of, self._jobs))))))

    def _forget_dropped(self) -> None:
        kept = [job for job in self._jobs if not job.future.cancelled()]
        self._metrics.dropped.labels(self.language).inc(len(self._jobs) - len(kept))
        self._jobs = deque(kept)

    def _work(self) -> None:
        while batch := self._take():
            started = time.monotonic()
            self._run(batch)
            seconds = time.monotonic() - started
            characters = sum(job.parts[n].n_characters for job, n in batch)
            self.pace.work(characters, seconds)
            self._metrics.batch_seconds.labels(self.language).observe(seconds)
            self._metrics.batch_sentences.labels(self.language).observe(len(batch))

    def _take(self) -> list[Task]:
        """The next batch, waiting for one; empty when the queue is closed and done."""
        with self._changed:
            while True:
                batch = self._next_batch()
                if batch or (self._closed and not self._jobs):
                    return batch
                self._changed.wait()

    def _next_batch(self) -> list[Task]:
        batch: list[Task] = []
        room = max(MIN_BATCH_CHARACTERS, min(BATCH_CHARACTERS, int(self.pace.speed * BATCH_SECONDS)))
        turn = room // TURN
        urgent: list[Job] = []
        while self._jobs and room > 0:
            job = self._jobs.popleft()
            if job.future.cancelled():
                self._metrics.dropped.labels(self.language).inc()
                continue
            if not job.is_begun:
                job.is_begun = True
                self._metrics.wait_seconds.labels(self.language).observe(time.monotonic() - job.queued_at)
            share = min(room, turn)
            while job.waiting and share > 0:
                number = job.take()
                batch.append((job, number))
                share -= job.parts[number].n_characters
                room -= job.parts[number].n_characters
            if job.waiting:
                (urgent if self._is_urgent(job) else self._jobs).append(job)
        self._jobs.extendleft(reversed(urgent))
        return batch

    def _is_urgent(self, job: Job) -> bool:
        """Whether a request has waited so long that it must be in every batch from now on, and is done in time if so.

        Otherwise a long text waits for a turn of every short one that comes meanwhile, again and again. A text that
        takes too long in any case gets no more than its turn.
        """
        age = time.monotonic() - job.asked_at
        left = self._patience - age
        return age > URGENT_SHARE * self._patience and TURN * self._seconds(self._work_of(job)) < left

    def _run(self, batch: Sequence[Task]) -> None:
        found = self._look(list(dict.fromkeys(job.parts[n] for job, n in batch)))
        for job, number in batch:
            self._deliver(job, number, found[job.parts[number]])

    def _look(self, parts: list[QueuedSegment]) -> dict[QueuedSegment, Candidates | Exception]:
        """What is found in each part, or why nothing is."""
        try:
            looks = self.corrector.look([(part.sentence, part.segment) for part in parts])
        except Exception as error:  # whatever a model raises must reach the request, not end the thread
            if len(parts) == 1:
                name, n_characters = self.corrector.name, parts[0].n_characters
                log.exception("%s cannot correct a sentence of %d characters", name, n_characters)
                return {parts[0]: error}
            found: dict[QueuedSegment, Candidates | Exception] = {}
            for part in parts:
                found |= self._look([part])
            return found
        for part, candidates in zip(parts, looks, strict=True):
            self._recent.put(part.sentence, candidates)
        return dict(zip(parts, looks, strict=True))

    def _deliver(self, job: Job, number: int, found: Candidates | Exception) -> None:
        with self._changed:
            if job.is_answered:
                return
            job.n_open -= 1
            if isinstance(found, Exception):
                job.waiting.clear()
                job.answer(found)
                return
            job.answers[number] = found
            if job.n_open == 0:
                job.finish()
