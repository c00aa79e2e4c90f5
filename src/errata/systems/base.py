"""What a system is, and how one is loaded.

A system is the model itself: token lists in, proposed token edits out (`TokenCorrector`), or labels (`classifier`).
`pipeline/` puts everything between a user's text and these token lists around it.

A trained system is a folder with `errata.json`, which names the system; nothing is read off file names. Adding a system
is a folder with a class, and its line in `SYSTEMS`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from inspect import signature
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

from errata.errors import DataError, UnknownName, UsageError
from errata.model import Edit, Tokens
from errata.parameters import check_options as check_types
from errata.registry import lookup_class
from errata.systems.manifest import MANIFEST, Manifest, read_manifest, read_name
from errata.text.spacing import LAYOUTS

Settings = TypeVar("Settings", bound=Any)

# Segments handed to `propose` at once: enough to sort by length and batch well, few enough to keep memory flat.
SEGMENTS_AT_ONCE = 2048


@dataclass(frozen=True, slots=True)
class ProposedEdit:
    """An edit a model proposes, with the probability it gives to it (0–1) and what else it might put there."""

    edit: Edit
    confidence: float
    alternatives: tuple[Tokens, ...] = ()


class System(ABC):
    """A trained system in a folder.

    `exporter` is the address of the function that writes a folder which runs without torch, for systems that need one:
    `export(folder, out, small=…)`. A system that `sends_text` over a network takes `allow_network` when it is loaded.
    """

    kind: ClassVar[str]
    exporter: ClassVar[str | None] = None
    sends_text: ClassVar[bool] = False
    language: str

    @classmethod
    def load(cls, folder: Path, manifest: Manifest | None = None) -> Self:
        """Read a folder strictly: a missing, extra or misshapen weight is a `DataError`.

        `manifest` is the folder's, where the caller has read it. A system may take options of its own. One that only
        lives in memory need not define this.
        """
        raise UsageError(f"{folder}: a {cls.kind} system cannot be read from a folder")

    @abstractmethod
    def answers(self, texts: Sequence[str]) -> list[Any]:
        """What it says of each sentence, without how sure it is: two systems are alike if these are equal."""


class TokenCorrector(System):
    """A system that corrects sentences.

    `max_tokens` is the longest token list it takes; callers split longer ones, so nothing is ever cut. `decodings` are
    the decoding options that tuning tries, the one that gives most edits first.
    """

    max_tokens: int
    decodings: ClassVar[tuple[Mapping[str, float], ...]] = ({},)

    @abstractmethod
    def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
        """The edits of each sentence, in order.

        Edits of one sentence do not overlap, are in order, and refer to the tokens given. Batching by tokens is inside.
        """

    def answers(self, texts: Sequence[str]) -> list[Any]:
        """The edits of each sentence; one that is too long is cut, since its beginning serves as well."""
        layout = LAYOUTS[self.language]
        sentences = [tuple(text[a:b] for a, b in layout.spans(text))[: self.max_tokens] for text in texts]
        return [[proposed.edit for proposed in proposals] for proposals in self.propose(sentences)]

    def propose_each(self, sentences: Iterable[Tokens]) -> Iterator[list[ProposedEdit]]:
        """The edits of each sentence of a stream, in order; sentences may be taken ahead."""
        stream = iter(sentences)
        while group := list(islice(stream, SEGMENTS_AT_ONCE)):
            yield from self.propose(group)

    def propose_together(self, groups: Sequence[Sequence[Tokens]]) -> list[list[ProposedEdit]]:
        """The edits of the first sentence of each group, decided by the mean of the answers to all of its sentences.

        The others are variants of the first, and answer for the tokens they share with it. Systems that give no
        probabilities to tokens refuse.
        """
        raise UsageError(f"a {self.kind} gives no probabilities for tokens that could be averaged over variants")

    def with_decoding(self, **options: Any) -> Self:
        """The same model with other decoding options."""
        if options:
            raise UsageError(f"{self.kind} systems have no decoding options, and so no presets with them")
        return self

    def remembering(self) -> Self:
        """The same model for many tries with the same sentences, remembering what its network answers if it can."""
        return self


class DecodingCorrector(TokenCorrector):
    """A corrector whose decoding options are a dataclass, `decoding`."""

    decoding: Any

    def with_decoding(self, **options: Any) -> Self:
        """The same model with other decoding options; the network is shared."""
        other = copy(self)
        other.decoding = override(self.decoding, **options)
        return other


Loaded = TypeVar("Loaded", bound=System)


# `errata.json`'s "system" → its class.
SYSTEMS: dict[str, str] = {
    "tagger": "errata.systems.tagger:Tagger",
    "seq2seq": "errata.systems.seq2seq:Seq2Seq",
    "stg": "errata.systems.stg:SwitchTagGenerate",
    "lm": "errata.systems.lm:LanguageModelCorrector",
    "prompted": "errata.systems.prompted:Prompted",
    "ensemble": "errata.systems.ensemble:Ensemble",
    "classifier": "errata.systems.classifier:Classifier",
    "impara": "errata.judges.impara.judge:ImparaJudge",
    "some": "errata.judges.some.judge:SomeJudge",
}


def override(settings: Settings, **given: Any) -> Settings:
    """`settings` (a dataclass) with the options that were given, None being not given; `UsageError` if it refuses."""
    try:
        return replace(settings, **{name: value for name, value in given.items() if value is not None})
    except (TypeError, ValueError) as error:
        raise UsageError(str(error)) from error


def find_system(folder: Path, manifest: Manifest) -> type[System]:
    """The class of the system that a folder's manifest names."""
    name = read_name(folder, manifest, "system")
    try:
        return lookup_class("system", SYSTEMS, name, System, group="errata.systems")
    except UnknownName as error:
        from errata.training.task import TASKS

        if name in TASKS:  # a folder that training left for other training
            raise DataError(f"{folder} holds no corrector but an {name}: recipes name it as their backbone") from error
        raise DataError(f"{folder / MANIFEST}: {error}") from error


def load_system(
    folder: Path, manifest: Manifest | None = None, *, allow_network: bool = False, **options: Any
) -> System:
    """The system in `folder`, by the name its manifest gives.

    One that sends text over a network is refused unless `allow_network` is given or the user has approved its endpoint.
    """
    manifest = read_manifest(folder) if manifest is None else manifest
    return _load(find_system(folder, manifest), folder, manifest, allow_network, options)


def load_token_corrector(
    folder: Path, manifest: Manifest | None = None, *, allow_network: bool = False, **options: Any
) -> TokenCorrector:
    """The system in `folder`, which corrects; one that only judges is a `UsageError`."""
    manifest = read_manifest(folder) if manifest is None else manifest
    system = find_system(folder, manifest)
    if not issubclass(system, TokenCorrector):
        raise UsageError(f"{folder} is a {system.kind}, which judges sentences and corrects none: use errata classify")
    return _load(system, folder, manifest, allow_network, options)


def _load(
    system: type[Loaded], folder: Path, manifest: Manifest, allow_network: bool, options: Mapping[str, Any]
) -> Loaded:
    _check_options(system, options)
    leave = {"allow_network": allow_network} if system.sends_text else {}
    return system.load(folder, manifest, **options, **leave)


def check_options(folder: Path, *, allow_network: bool = False, **options: Any) -> None:
    """Raise if `load_system` would refuse the options; nothing is loaded."""
    _check_options(find_system(folder, read_manifest(folder)), options)


def _check_options(system: type[System], options: Mapping[str, Any]) -> None:
    known = [name for name in signature(system.load).parameters if name not in ("folder", "manifest")]
    for option in options:
        if option not in known:
            raise UsageError(
                f"a {system.kind} system has no option {option!r} (in Python it has {', '.join(known) or 'none'})"
            )
    check_types(system.load, options)
    for option in ("threads", "batch_tokens"):
        if (options.get(option) or 0) < 0:
            raise UsageError(f"{option} is 0 or more, not {options[option]}")
