"""What a corrector is, and how one is found.

Two faces. A `Corrector` takes raw text and answers with `Correction`s: character offsets into the original, everything
outside the edits byte-identical. A `TokenCorrector` is the model behind it: token lists in, proposed token edits out.
`pipeline.sentences.SentenceCorrector` makes the first from the second (segmenting, tokenising, rejoining).

A trained system is a folder with `errata.json`, which names the system; nothing is read off file names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar

from errata.errors import UsageError
from errata.model import Correction, Edit, Tokens
from errata.registry import lookup
from errata.systems.manifest import read_manifest

Settings = TypeVar("Settings", bound=Any)
Progress = Callable[[int], None]  # called with the number of sentences finished since the last call


@dataclass(frozen=True, slots=True)
class ProposedEdit:
    """An edit a model proposes, with the probability it gives to it (0–1) and what else it might put there."""

    edit: Edit
    confidence: float
    alternatives: tuple[Tokens, ...] = ()


class Corrector(Protocol):
    """Raw text in, corrections out; order and length are kept."""

    name: str
    language: str

    def correct(self, sentences: Sequence[str], *, progress: Progress | None = None) -> list[Correction]: ...


class TokenCorrector(Protocol):
    """The model behind a corrector.

    `max_tokens` is the longest token list it takes; callers split longer ones, so nothing is ever cut.
    Edits of one sentence do not overlap, are in order, and refer to the tokens given. Batching by tokens is inside.
    """

    kind: ClassVar[str]
    language: str
    max_tokens: int

    def propose(self, sentences: Sequence[Tokens], *, progress: Progress | None = None) -> list[list[ProposedEdit]]: ...

    @classmethod
    def load(cls, folder: Path, *args: Any, **options: Any) -> TokenCorrector:
        """Read a folder that `save` wrote, strictly: a missing, extra or misshapen weight is a `DataError`."""
        ...


# `errata.json`'s "system" → class with `load(folder, **options)`.
SYSTEMS: dict[str, str] = {
    "tagger": "errata.systems.tagger:Tagger",
    "seq2seq": "errata.systems.seq2seq:Seq2Seq",
    "stg": "errata.systems.stg:SwitchTagGenerate",
    "lm": "errata.systems.lm:LanguageModelCorrector",
    "prompted": "errata.systems.prompted:Prompted",
    "ensemble": "errata.systems.ensemble:Ensemble",
    "classifier": "errata.systems.classifier:Classifier",
}


# "system" → function that writes a folder which corrects without torch: `export(folder, out, small=…)`.
EXPORTS: dict[str, str] = {
    "tagger": "errata.systems.tagger.export:export_tagger",
    "seq2seq": "errata.systems.seq2seq.export:export_seq2seq",
    "stg": "errata.systems.stg.export:export_stg",
    "classifier": "errata.systems.classifier.export:export_classifier",
}


def override(settings: Settings, **given: Any) -> Settings:
    """`settings` (a dataclass) with the options that were given, None being not given; `UsageError` if it refuses."""
    try:
        return replace(settings, **{name: value for name, value in given.items() if value is not None})
    except ValueError as error:
        raise UsageError(str(error)) from error


def load_system(folder: Path, *, allow_network: bool = False, **options: Any) -> Any:
    """The system in `folder`, by the name its manifest gives.

    One that sends text over a network is refused unless `allow_network` is given or the user has approved its endpoint.
    """
    name = str(read_manifest(folder).get("system"))
    load = lookup("system", SYSTEMS, name).load
    known = signature(load).parameters
    if "allow_network" in known:
        options["allow_network"] = allow_network
    for option in options:
        if option not in known:
            raise UsageError(
                f"a {name} system has no option {option!r} (in Python it has {', '.join(list(known)[1:]) or 'none'})"
            )
    return load(folder, **options)
