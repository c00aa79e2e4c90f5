"""What a corrector is, and how one is found.

Two faces. A `Corrector` takes raw text and answers with `Correction`s: character offsets into the original, everything
outside the edits byte-identical. A `TokenCorrector` is the model behind it: token lists in, proposed token edits out.
`systems.documents.DocumentCorrector` makes the first from the second (segmenting, tokenising, rejoining).

A trained system is a folder with `errata.json`, which names the system; nothing is read off file names.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from errata.errors import DataError, UnknownName, UsageError
from errata.model import Correction, Edit, Tokens
from errata.registry import lookup
from errata.train.files import write_text

if TYPE_CHECKING:
    from errata.systems.documents import DocumentCorrector

MANIFEST = "errata.json"

Settings = TypeVar("Settings", bound=Any)
# Called with how much is finished since the last call: a `TokenCorrector` counts sentences, a `Corrector` characters.
Progress = Callable[[int], None]


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


# "system" → function that writes a folder which corrects without torch: `export(folder, out, int8=…)`.
EXPORTS: dict[str, str] = {
    "tagger": "errata.systems.tagger.export:export_tagger",
    "seq2seq": "errata.systems.seq2seq.export:export_seq2seq",
    "stg": "errata.systems.stg.export:export_stg",
    "classifier": "errata.systems.classifier.export:export_classifier",
}


def read_manifest(folder: Path) -> dict[str, Any]:
    """The folder's `errata.json`."""
    path = folder / MANIFEST
    if not path.is_file():
        raise DataError(f"{folder} is not a trained system: it has no {MANIFEST}")
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path} is not JSON: {error}") from error
    if not isinstance(manifest, dict):
        raise DataError(f"{path} does not describe a system: it is no mapping")
    return manifest


def read_name(folder: Path, manifest: Mapping[str, Any], key: str) -> str:
    """What the manifest of a folder gives as its "system" or "language"; a `DataError` if that is no name."""
    if key not in manifest:
        raise DataError(f'{folder / MANIFEST} has no "{key}": copy or export the folder again')
    name = manifest[key]
    if not isinstance(name, str) or not name.strip():
        raise DataError(f'{folder / MANIFEST}: "{key}" is {json.dumps(name)}, not a name')
    return name


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write the folder's `errata.json`, whole or not at all."""
    write_text(folder / MANIFEST, json.dumps(manifest, indent=2, ensure_ascii=False, default=str) + "\n")


def override(settings: Settings, **given: Any) -> Settings:
    """`settings` (a dataclass) with the options that were given, None being not given; `UsageError` if it refuses."""
    try:
        return replace(settings, **{name: value for name, value in given.items() if value is not None})
    except (TypeError, ValueError) as error:
        raise UsageError(str(error)) from error


def load_system(folder: Path, *, allow_network: bool = False, **options: Any) -> Any:
    """The system in `folder`, by the name its manifest gives.

    One that sends text over a network is refused unless `allow_network` is given or the user has approved its endpoint.
    """
    name = read_name(folder, read_manifest(folder), "system")
    if name not in SYSTEMS:
        raise DataError(f"{folder / MANIFEST}: {UnknownName('system', name, SYSTEMS)}")
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


def load_corrector(
    name: str | Path,
    *,
    tokenised: bool = False,
    preset: str | None = None,
    min_confidence: float | None = None,
    allow_network: bool = False,
    **options: Any,
) -> DocumentCorrector:
    """A ready corrector: a bundled model by name (`en-small`), or the folder of a trained system.

    A folder is a `Path`, or text that is written as a path (`./mine`).

    `tokenised` reads sentences whose tokens are separated by spaces, as benchmark files are. `preset` is one the model
    has (`careful`, `balanced`, `eager`); `min_confidence` and `options`, which are the system's own (`keep_bias`,
    `passes`, `beam` …), go before what it says. `allow_network` lets a system behind an endpoint send the text there.
    """
    from errata.systems.bundled import find_model
    from errata.systems.documents import DocumentCorrector, with_decoding
    from errata.systems.presets import Ladder, read_presets

    folder = find_model(name)
    manifest = read_manifest(folder)
    if manifest.get("system") == "classifier":
        raise UsageError(f"{folder} is a classifier, which judges sentences and corrects none: use errata classify")
    presets = read_presets(manifest)
    ladder = Ladder.of(presets, preset)
    if min_confidence is not None:
        ladder = Ladder.alone(replace(ladder.preset, min_confidence=min_confidence))
    base = load_system(folder, **options, allow_network=allow_network)

    def decode(decoding: Mapping[str, float]) -> TokenCorrector:
        own = {name: value for name, value in decoding.items() if name not in options}  # what was asked for goes first
        if not own or hasattr(base, "with_decoding"):
            return with_decoding(base, own)
        # The caller's leave comes last: a manifest cannot give it.
        system: TokenCorrector = load_system(folder, **{**own, **options, "allow_network": allow_network})
        return system

    return DocumentCorrector(base, name=folder.name, tokenised=tokenised, presets=presets, ladder=ladder, decode=decode)
