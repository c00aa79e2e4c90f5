"""Perturb a corpus of any length: chunk by chunk, in several processes, with the same result whatever their number."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

from errata.errors import DataError
from errata.model import AnnotatedSentence
from errata.synth.perturb.checks import Thresholds
from errata.synth.perturb.counts import WordCounts
from errata.synth.perturb.learning import count_words, get_tongue, learn_thresholds
from errata.synth.perturb.proposers import make_proposer
from errata.synth.perturb.variants import Perturber, PerturbOptions, Tally, Varied
from errata.synth.pools import run_in_order

# Sentences that are handed to a process at once, and parsed together.
CHUNK = 50
# Sentences at the beginning of a corpus that words and thresholds are learnt from. They stay in memory.
LEARNT = 20_000

Numbered = tuple[int, AnnotatedSentence]


class NoSentences(DataError):
    """A corpus that has nothing to perturb."""


@dataclass(frozen=True, slots=True)
class Job:
    """How a corpus is perturbed: the language, the proposer with its model, and what is made."""

    language: str
    proposer: str = "words"
    model: str | None = None
    device: str = "cpu"
    options: PerturbOptions = field(default_factory=PerturbOptions)


@dataclass(frozen=True, slots=True)
class Learnt:
    """What the beginning of a corpus taught: its words, and the thresholds of the score."""

    counts: WordCounts
    thresholds: Thresholds
    n_sentences: int


class Session:
    """A corpus that is being perturbed."""

    def __init__(self, sentences: Iterable[AnnotatedSentence], job: Job, *, texts: Iterable[str] = ()) -> None:
        """Learn from the first sentences, and from `texts`: further correct sentences, one each."""
        self.job = job
        stream = iter(sentences)
        head = list(islice(stream, LEARNT))
        if not head:
            raise NoSentences("there are no sentences to perturb")
        self._sentences = chain(head, stream)
        tongue = get_tongue(job.language)
        counts = count_words(head, texts, tongue, tokenise=job.options.tokenise)
        if not counts.n_sentences:
            raise NoSentences("nobody has corrected any of the sentences: give annotated or parallel text")
        proposer = make_proposer(job.proposer, counts, job.model, job.device)
        self._perturber = Perturber(tongue, proposer, Thresholds({}), job.options, len(head))
        thresholds = learn_thresholds(self._perturber, head)
        self._perturber.thresholds = thresholds
        self.learnt = Learnt(counts, thresholds, len(head))

    def run(self, *, skip: int = 0, limit: int | None = None, workers: int = 1) -> Iterator[tuple[list[Varied], Tally]]:
        """The sentences [skip, skip + limit) with their variants, chunk by chunk, each with its tally.

        A sentence gets the same variants under the same seed, whatever `skip`, `limit` and `workers` are.
        """
        stop = None if limit is None else skip + limit
        numbered = islice(enumerate(self._sentences), skip, stop)
        chunks = _chunk(numbered)
        if workers <= 1:
            for chunk in chunks:
                yield self._perturber.perturb(chunk)
            return
        work = ((chunk,) for chunk in chunks)
        yield from run_in_order(_run, work, workers=workers, start=_start, arguments=(self.job, self.learnt))


def _chunk(numbered: Iterator[Numbered]) -> Iterator[list[Numbered]]:
    """Chunks that end at multiples of CHUNK, so that sentences are parsed together with the same others."""
    chunk: list[Numbered] = []
    for number, sentence in numbered:
        chunk.append((number, sentence))
        if (number + 1) % CHUNK == 0:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


_perturbers: list[Perturber] = []  # of this process; filled by the pool's initializer


def _start(job: Job, learnt: Learnt) -> None:
    # The processes are the parallelism; threads of each BLAS would only fight over the same cores.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    proposer = make_proposer(job.proposer, learnt.counts, job.model, job.device)
    tongue = get_tongue(job.language)
    _perturbers[:] = [Perturber(tongue, proposer, learnt.thresholds, job.options, learnt.n_sentences)]


def _run(chunk: Sequence[Numbered]) -> tuple[list[Varied], Tally]:
    return _perturbers[0].perturb(chunk)
