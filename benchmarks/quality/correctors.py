"""What can be scored: models by name or folder, Harper and lingotweaker by name, and a language model alone (`lm`).

A corrector says what it is (name, language, digest, size) before it is loaded, so that what was scored already need
not be loaded again. Models read tokens in English and running text in Chinese; peers read running text.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Protocol

import benchmarks.speed.correct as speed
from benchmarks.everyday import checkers, outcomes
from benchmarks.quality import running_text
from benchmarks.quality.running_text import carry_back, keeps_compounds, write_running
from benchmarks.quality.sets import QualitySet

import errata
from errata.errors import DataError, MissingExtra
from errata.model import AnnotatedSentence
from errata.networks.encoder import PACKAGE, package_roots
from errata.pipeline.load import load_model
from errata.pipeline.sentences import SentenceCorrector
from errata.places import is_path
from errata.systems.base import TokenCorrector, find_system
from errata.systems.installed import find_model, list_models
from errata.systems.lm.settings import fresh_settings, write_settings
from errata.systems.manifest import MANIFEST, Manifest, format_manifest, read_manifest, read_name
from errata.training.digests import file_digest

LM = "lm"
# Three times as fast where the processor multiplies such numbers; docs/systems/lm.md says what it changes.
LM_PRECISION = "bfloat16"
Advance = Callable[[int], object]
Check = Callable[[Sequence[str]], object]
# Sentences that are corrected together: a second's work of a model, so that a bar moves.
MODEL_BATCH, PEER_BATCH = 256, 32
# The packages that each peer is made of.
DISTRIBUTIONS = {"harper": ("harper-py",), "lingotweaker": ("lingotweaker", "lingotweaker-data-en")}
LINTERS = {"harper": speed.open_harper, "lingotweaker": speed.open_lingotweaker}
# The code that decides answers and scores, beside the models.
CODE = ("text", "edits", "rules", "networks", "systems", "pipeline", "metrics")
CODE_SUFFIXES = frozenset({".py", ".pyx", ".rules", ".toml"})


class Corrector(Protocol):
    """Something that corrects the sentences of a set; `digest` is of what decides its answers, `size` in bytes."""

    @property
    def name(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def digest(self) -> str: ...
    @property
    def size(self) -> int: ...
    def correct(self, chosen: QualitySet, sentences: Sequence[AnnotatedSentence], advance: Advance = ...) -> list[str]:
        """The corrected sentences, written as those of the set are."""
        ...

    def prepare(self, chosen: QualitySet, sentences: Sequence[AnnotatedSentence]) -> tuple[Check, list[str]]:
        """What corrects texts on all cores, ready to be timed, and the texts."""
        ...


def no_advance(n_sentences: int) -> None:
    """Show no progress."""


@dataclass(frozen=True)
class ModelCorrector:
    """A model in a folder, with the preset of each set; `rules` are errata's own, beside the model."""

    name: str
    folder: Path
    rules: bool = True

    @cached_property
    def manifest(self) -> Manifest:
        return read_manifest(self.folder)

    @property
    def language(self) -> str:
        return read_name(self.folder, self.manifest, "language")

    @cached_property
    def digest(self) -> str:
        own = weights_digest(self.folder)
        others = [file_digest(path) for path in self._language_model()]
        return hashlib.sha256("".join([own, *others]).encode()).hexdigest()[:12] if others else own

    @property
    def size(self) -> int:
        files = (path for path in self.folder.rglob("*") if path.is_file())
        return sum(path.stat().st_size for path in (*files, *self._language_model()))

    def _language_model(self) -> list[Path]:
        """The files of a language model that lies in a package and not in the folder."""
        settings = self.manifest.get("settings")
        name = settings.get("model") if isinstance(settings, dict) and self.manifest.get("system") == "lm" else None
        roots = package_roots(name) if isinstance(name, str) and name.startswith(PACKAGE) else []
        files = (path for root in roots for path in sorted(root.rglob("*")))
        return [path for path in files if path.is_file() and path.suffix not in (".py", ".pyc")]

    @cached_property
    def opened(self) -> SentenceCorrector:
        return load_model(self.folder, tokenised=self.language == "en", rules=self.rules)

    def correct(
        self, chosen: QualitySet, sentences: Sequence[AnnotatedSentence], advance: Advance = no_advance
    ) -> list[str]:
        corrector = self.opened.with_preset(preset_of(self.opened, chosen))
        targets: list[str] = []
        for start in range(0, len(sentences), MODEL_BATCH):
            texts = [chosen.text_of(sentence) for sentence in sentences[start : start + MODEL_BATCH]]
            targets += (correction.target for correction in corrector.correct(texts))
            advance(len(texts))
        return targets

    def prepare(self, chosen: QualitySet, sentences: Sequence[AnnotatedSentence]) -> tuple[Check, list[str]]:
        return self.opened.correct, [chosen.text_of(sentence) for sentence in sentences]


@dataclass(frozen=True)
class PeerCorrector:
    """Harper or lingotweaker: reads running text, and its first suggestions are taken."""

    name: str
    language: str = "en"

    @property
    def digest(self) -> str:
        versions = ((one.metadata["Name"], one.version) for one in map(distribution, DISTRIBUTIONS[self.name]))
        return " ".join(f"{name}-{version}" for name, version in versions)

    @property
    def size(self) -> int:
        parts = (distribution(name) for name in DISTRIBUTIONS[self.name])
        files = (Path(str(file.locate())) for part in parts for file in part.files or ())
        return sum(path.stat().st_size for path in files if path.is_file() and path.suffix != ".pyc")

    @cached_property
    def opened(self) -> checkers.Check:
        return checkers.PEERS[self.name]()

    def correct(
        self, chosen: QualitySet, sentences: Sequence[AnnotatedSentence], advance: Advance = no_advance
    ) -> list[str]:
        tokens = [sentence.sentence.tokens for sentence in sentences]
        compounds = keeps_compounds(tokens)
        targets: list[str] = []
        for start in range(0, len(tokens), PEER_BATCH):
            batch = [write_running(some) for some in tokens[start : start + PEER_BATCH]]
            answers = self.opened([running.text for running in batch])
            pairs = zip(batch, answers, strict=True)
            targets += (" ".join(carry_back(running, answer, compounds=compounds)) for running, answer in pairs)
            advance(len(batch))
        return targets

    def prepare(self, chosen: QualitySet, sentences: Sequence[AnnotatedSentence]) -> tuple[Check, list[str]]:
        """One writer's English and no corrections, only findings: what an editor would ask for."""
        texts = [write_running(sentence.sentence.tokens).text for sentence in sentences]
        return LINTERS[self.name](os.cpu_count() or 1), texts


def preset_of(corrector: SentenceCorrector, chosen: QualitySet) -> str:
    """The preset that a set is corrected with, or `balanced` where a model has none of that name."""
    return chosen.preset if chosen.preset in corrector.presets else "balanced"


def find_corrector(name: str, scratch: Path) -> Corrector:
    """The corrector called `name`: a peer, `lm`, a model, or a folder, which `NAME=FOLDER` calls as you like.

    `lm` is SmolLM2 with default settings but `LM_PRECISION`, and without errata's rules; its settings are written to
    `scratch`.
    `MissingExtra` or `DataError` where it is not installed.
    """
    if name in checkers.PEERS:
        try:
            PeerCorrector(name).digest  # noqa: B018 - asks for the packages
        except PackageNotFoundError as error:
            raise MissingExtra(str(error.name), "bench") from error
        return PeerCorrector(name)
    if name == LM:
        folder = scratch / LM
        folder.mkdir(exist_ok=True)
        settings = replace(fresh_settings("en"), precision=LM_PRECISION)
        package_roots(settings.model)
        write_settings(folder, "en", settings, {})
        return ModelCorrector(LM, folder, rules=False)
    title, mark, place = name.partition("=")
    if mark and not is_path(title):
        return ModelCorrector(title, find_model(place))
    folder = find_model(name)
    return ModelCorrector(folder.name, folder)


def find_all(scratch: Path) -> Iterator[Corrector]:
    """Every installed model that corrects, every peer, the language model; what is not installed is left out."""
    models = [model.name for model in list_models()[0] if _corrects(model.folder)]
    for name in (*models, *checkers.PEERS, LM):
        try:
            yield find_corrector(name, scratch)
        except (MissingExtra, DataError) as error:
            print(f"without {name}: {error}", file=sys.stderr)


def _corrects(folder: Path) -> bool:
    """Whether a model corrects text; others judge it."""
    return issubclass(find_system(folder, read_manifest(folder)), TokenCorrector)


def weights_digest(folder: Path) -> str:
    """A short digest of what decides a model's answers: everything but its card."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.suffix != ".md")
    digests = (_manifest_digest(folder) if path.name == MANIFEST else file_digest(path) for path in files)
    return hashlib.sha256("".join(digests).encode()).hexdigest()[:12]


def _manifest_digest(folder: Path) -> str:
    """The digest of a manifest without what it says of the card."""
    manifest = {key: value for key, value in read_manifest(folder).items() if key != "card"}
    return hashlib.sha256(format_manifest(manifest).encode()).hexdigest()


@cache
def code_digest() -> str:
    """A short digest of the code that decides answers and scores; asked for before any of it runs.

    A file may be edited during a long run, which goes on with what it loaded: the digest must be that of the beginning.
    """
    package = Path(errata.__file__).parent
    own = (path for name in CODE for path in (package / name).rglob("*") if path.suffix in CODE_SUFFIXES)
    kernels = (package / "networks" / "native" / "kernels").glob("*.[ch]")
    here = (Path(str(module.__file__)) for module in (checkers, outcomes, running_text))
    return _digest_of([*sorted(own), *sorted(kernels), *here])


def _digest_of(paths: Iterable[Path]) -> str:
    return hashlib.sha256("".join(map(file_digest, paths)).encode()).hexdigest()[:12]
