"""What each command does to a shard, in whatever process that runs."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from errata.cli.renderings import RENDERERS, Style

if TYPE_CHECKING:
    from errata.metrics.base import Item, Metric
    from errata.pipeline.corrector import Pipeline
    from errata.synth.stream import Job

# Lines that are corrected together: enough for full batches, few enough to keep memory flat.
AT_ONCE = 1_024

Options = tuple[tuple[str, Any], ...]  # names and values: what is remembered by its options must be hashable


@dataclass(frozen=True, slots=True)
class CorrectLines:
    """Corrects lines, each by itself, and renders them; `options` are those of `load_corrector`."""

    options: Options
    name: str
    rendering: str
    tokenised: bool
    explains: bool

    def __call__(self, first: int, rows: list[str]) -> bytes:
        from errata.cli.corrections import correct_lines

        corrector = _load_corrector(self.options)
        style = Style(language=corrector.language, tokenised=self.tokenised, explains=self.explains)
        batches = (rows[start : start + AT_ONCE] for start in range(0, len(rows), AT_ONCE))
        lines = correct_lines(corrector, self.name, batches, lambda: None, first + 1)
        return "".join(RENDERERS[self.rendering](lines, style)).encode()


@lru_cache(maxsize=1)
def _load_corrector(options: Options) -> Pipeline:
    """The corrector of this process: a model takes seconds to load, and a process does many shards."""
    from errata.pipeline.load import load_corrector

    return load_corrector(**dict(options))


@dataclass(frozen=True, slots=True)
class ExtractEdits:
    """Finds the edits of pairs of lines and writes them in a format."""

    language: str
    options: Options
    format: str

    def __call__(self, first: int, rows: list[tuple[str, ...]]) -> bytes:
        from errata.formats.base import get_format

        extractor = _load_extractor(self.language, self.options)
        sentences = extractor.annotate((source, targets) for source, *targets in rows)
        return "".join(get_format(self.format).format(sentences)).encode()


@lru_cache(maxsize=1)
def _load_extractor(language: str, options: Options) -> Any:
    from errata.edits.base import get_extractor

    return get_extractor(language, **dict(options))


@dataclass(frozen=True, slots=True)
class CountItems:
    """The statistics of a metric for each item, pickled."""

    kind: type[Metric[Any]]
    options: Any

    def __call__(self, first: int, rows: list[Item]) -> bytes:
        return pickle.dumps(_load_metric(self.kind, self.options).stats(rows))


@lru_cache(maxsize=4)
def _load_metric(kind: type[Metric[Any]], options: Any) -> Metric[Any]:
    return kind(options)


@dataclass(frozen=True, slots=True)
class CorruptLines:
    """Corrupts lines; the first line of the result is the tally."""

    job: Job

    def __call__(self, first: int, rows: list[str]) -> bytes:
        from errata.synth.stream import corrupt_chunk

        text, tally = corrupt_chunk(first, rows, self.job)
        return f"{json.dumps(asdict(tally))}\n{text}".encode()


def freeze(options: dict[str, Any]) -> Options:
    """Options as a tuple that can be hashed."""
    return tuple((name, tuple(value) if isinstance(value, list) else value) for name, value in sorted(options.items()))


def read_stats(paths: Iterable[Any]) -> Iterator[Any]:
    """The statistics of all items, in order."""
    for path in paths:
        yield from pickle.loads(path.read_bytes())
