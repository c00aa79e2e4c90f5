"""The systems that analyses ask: models by name, and the outputs of others in files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from errata import __version__
from errata.analysis.journal import AnswerFile, answers_folder, stamp_files
from errata.analysis.tracing import DensityCorpus, Progress
from errata.errors import UsageError
from errata.metrics.inputs import read_texts
from errata.pipeline.load import load_model
from errata.pipeline.sentences import SentenceCorrector
from errata.systems.installed import find_model
from errata.systems.manifest import read_manifest, read_name

BATCH = 64  # sentences that are corrected together: a second's work, so that the bar moves and little is lost


class ModelSystem:
    """An installed model or a folder; what it answered is kept on disk."""

    def __init__(self, name: str, cache: Path | None = None, **options: Any) -> None:
        self._model, self._cache = name, answers_folder(cache)
        self._options = {key: value for key, value in options.items() if value is not None}
        told = [str(value) if key == "preset" else f"{key}={value}" for key, value in self._options.items()]
        self._folder = find_model(name)
        self.name = f"{self._folder.name} ({', '.join(told)})" if told else self._folder.name

    @property
    def signature(self) -> str:
        """What its answers depend on: its files as they are now, its options, the version of errata."""
        return f"{self.name}|{__version__}|{self._options}|{stamp_files(self._folder)}"

    @cached_property
    def _answers(self) -> AnswerFile[str]:
        return AnswerFile(self._cache, "corrections", self.signature)

    @cached_property
    def _corrector(self) -> SentenceCorrector:
        return load_model(self._model, tokenised=self._language == "en", **self._options)

    @cached_property
    def _language(self) -> str:
        return read_name(self._folder, read_manifest(self._folder), "language")

    def correct(self, corpus: DensityCorpus, progress: Progress | None) -> list[str]:
        return self._ask(corpus, corpus.sources, f"{self.name}: {corpus.name}", progress)

    def correct_corrected(self, corpus: DensityCorpus, progress: Progress | None) -> list[str]:
        return self._ask(corpus, corpus.corrected, f"{self.name}: {corpus.name}, corrected", progress)

    def _ask(self, corpus: DensityCorpus, texts: Sequence[str], stage: str, progress: Progress | None) -> list[str]:
        def correct(batch: Sequence[str]) -> list[str]:
            corrector = self._load(corpus)
            return [one.target for one in corrector.correct(list(batch))]

        advance = None if progress is None else lambda finished, total: progress(stage, finished, total)
        return self._answers.ask(texts, correct, BATCH, advance)

    def _load(self, corpus: DensityCorpus) -> SentenceCorrector:
        if self._language != corpus.language:
            raise UsageError(f"{self.name} corrects {self._language}, {corpus.name} is {corpus.language}")
        return self._corrector


class FileSystem:
    """A system whose outputs lie in files, one for each corpus, and perhaps one for its corrected sentences."""

    def __init__(self, name: str, outputs: Sequence[str], corrected: Sequence[str] = ()) -> None:
        self.name, self._outputs, self._corrected = name, outputs, corrected

    def correct(self, corpus: DensityCorpus, progress: Progress | None) -> list[str]:
        return read_texts(self._outputs[corpus.place])

    def correct_corrected(self, corpus: DensityCorpus, progress: Progress | None) -> list[str] | None:
        return read_texts(self._corrected[corpus.place]) if self._corrected else None


def read_named_files(arguments: Sequence[str], option: str, n_corpora: int) -> dict[str, list[str]]:
    """`SYSTEM=FILE,FILE` for each system: a file for each corpus, in their order."""
    found: dict[str, list[str]] = {}
    for argument in arguments:
        name, equals, rest = argument.partition("=")
        files = [rest] if n_corpora == 1 else rest.split(",")
        if not equals or not name or not all(files):
            raise UsageError(f"{option} {argument}: write SYSTEM=FILE, with a file for each corpus (SYSTEM=FILE,FILE)")
        if len(files) != n_corpora:
            raise UsageError(f"{option} {argument}: {len(files)} files for {n_corpora} corpora: one for each is needed")
        if name in found:
            raise UsageError(f"{option} names the system {name!r} twice")
        found[name] = files
    return found


def make_file_systems(outputs: Mapping[str, Sequence[str]], corrected: Mapping[str, Sequence[str]]) -> list[FileSystem]:
    """The systems of `--hyp`, with what `--corrected` adds to them."""
    if unknown := next((name for name in corrected if name not in outputs), None):
        raise UsageError(f"--corrected names the system {unknown!r}, which has no --hyp")
    return [FileSystem(name, files, corrected.get(name, ())) for name, files in outputs.items()]
