"""Corrupt text of any length: line by line, in several processes, with the same result whatever their number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from errata.formats.base import Format, get_format
from errata.model import AnnotatedSentence, Annotation, Sentence, Tokens
from errata.synth.model import NoiseModel
from errata.synth.noisy import Noisy
from errata.synth.pools import run_in_order
from errata.text.tokens import join_tokens, split_characters, split_tokens
from errata.text.words import tokenise_words

CHUNK = 1_000


@dataclass(frozen=True, slots=True)
class Job:
    """How lines are corrupted and written; `copies` gives each that many times, each time with other errors."""

    model: NoiseModel
    seed: int = 0
    copies: int = 1
    format: str = "parallel"
    is_tokenised: bool = False


@dataclass(slots=True)
class Tally:
    """What came out of a run."""

    n_sentences: int = 0
    n_tokens: int = 0
    n_changed: int = 0
    n_errors: int = 0

    def add(self, other: Tally) -> None:
        self.n_sentences += other.n_sentences
        self.n_tokens += other.n_tokens
        self.n_changed += other.n_changed
        self.n_errors += other.n_errors


def corrupt_text(lines: Iterable[str], job: Job, *, workers: int = 1) -> Iterator[tuple[str, Tally]]:
    """Formatted chunks of the corrupted text in the order of the lines, each with its tally.

    Lines come without their ends. Line n is corrupted the same way under the same seed, whatever `workers` is. Empty
    lines stay, as sentences without tokens. Memory does not grow with the text.
    """
    chunks = enumerate(_chunked(iter(lines)))
    if workers <= 1:
        worker = _Worker(job)
        for number, chunk in chunks:
            yield worker(number * CHUNK, chunk)
        return
    work = ((number * CHUNK, chunk) for number, chunk in chunks)
    yield from run_in_order(_run_worker, work, workers=workers, start=_start_worker, arguments=(job,))


def corrupt_chunk(first: int, lines: list[str], job: Job) -> tuple[str, Tally]:
    """The corrupted lines of a text that has `first` lines before them: what `corrupt_text` makes of them."""
    return _Worker(job)(first, lines)


def annotate(noisy: Noisy, clean: Tokens) -> AnnotatedSentence:
    """The corrupted sentence with its correction, ready for any format."""
    if not clean:  # an empty line: nothing to correct, and no format has a word for that
        return AnnotatedSentence(Sentence(()))
    target = join_tokens(clean)
    return AnnotatedSentence(Sentence(noisy.tokens), (Annotation("0", noisy.edits, target=target),))


class _Worker:
    def __init__(self, job: Job) -> None:
        self._job = job
        self._format: Format = get_format(job.format)

    def __call__(self, first: int, lines: list[str]) -> tuple[str, Tally]:
        tally = Tally()
        text = "".join(self._format.format(self._sentences(first, lines, tally)))
        return text, tally

    def _sentences(self, first: int, lines: list[str], tally: Tally) -> Iterator[AnnotatedSentence]:
        job = self._job
        for index, line in enumerate(lines, first):
            tokens = self._split(line)
            for copy in range(job.copies):
                noisy = job.model.corrupt_at(tokens, seed=job.seed, index=index, copy=copy)
                tally.n_sentences += 1
                tally.n_tokens += len(tokens)
                tally.n_changed += bool(noisy.edits)
                tally.n_errors += len(noisy.edits)
                yield annotate(noisy, tokens)

    def _split(self, line: str) -> Tokens:
        if self._job.model.language == "zh":
            return split_characters(line)
        return split_tokens(line) if self._job.is_tokenised else tuple(tokenise_words(line))


_workers: list[_Worker] = []  # of this process; filled by the pool's initializer


def _start_worker(job: Job) -> None:
    _workers[:] = [_Worker(job)]


def _run_worker(first: int, lines: list[str]) -> tuple[str, Tally]:
    return _workers[0](first, lines)


def _chunked(lines: Iterator[str]) -> Iterator[list[str]]:
    while chunk := list(islice(lines, CHUNK)):
        yield chunk
