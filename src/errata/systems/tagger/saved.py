"""A tagger's folder: manifest, vocabulary, encoder configuration, weights."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errata.errors import DataError
from errata.networks.stored import is_count
from errata.systems.manifest import FORMAT, MANIFEST, write_manifest
from errata.systems.tagger.decoding import Decoding
from errata.systems.tagger.tags import TagVocabulary
from errata.systems.tagger.vocabulary import Vocabulary

if TYPE_CHECKING:
    from errata.systems.tagger.model import TaggerModel
    from errata.systems.tagger.settings import TaggerSettings

HEADS = ("linear", "factored")


@dataclass(frozen=True, slots=True)
class NetworkSettings:
    """What `errata.json` says of a tagger's network: enough to know which weights there must be."""

    head: str
    has_detection: bool
    has_cases: bool
    early_exit: int | None
    n_tags: int


@dataclass(frozen=True, slots=True)
class FolderSettings:
    """What `errata.json` says of a tagger besides its network."""

    language: str
    inventory: str
    max_positions: int
    max_tokens: int
    decoding: Decoding


def read_folder_settings(folder: Path, manifest: Mapping[str, Any]) -> FolderSettings:
    """The settings of a folder; `DataError` if they are damaged."""
    try:
        settings = manifest["settings"]
        language, inventory = manifest["language"], settings["model"]["inventory"]
        max_positions, max_tokens = settings["max_positions"], settings["max_tokens"]
        # "calibration" is what earlier versions wrote here; presets have it now.
        known = {name: value for name, value in settings.get("decoding", {}).items() if name != "calibration"}
        decoding = Decoding(**known)
    except KeyError as error:
        raise DataError(f"{folder} is not a tagger this version reads: its manifest lacks {error}") from error
    except (TypeError, ValueError, AttributeError) as error:
        raise DataError(f"{folder / MANIFEST} does not describe a tagger: {error}") from error
    if not isinstance(language, str) or not isinstance(inventory, str):
        raise DataError(f"{folder / MANIFEST}: language and inventory are names")
    # Two positions belong to the marks around a sentence; splitting long sentences needs room for a token.
    if not (is_count(max_positions) and is_count(max_tokens) and 1 <= max_tokens <= max_positions - 2):
        raise DataError(
            f"{folder / MANIFEST}: max_tokens ({max_tokens!r}) is at least 1 and max_positions ({max_positions!r}) "
            "at least 2 more"
        )
    return FolderSettings(language, inventory, max_positions, max_tokens, decoding)


def read_settings(folder: Path, manifest: Mapping[str, Any], tags: TagVocabulary) -> NetworkSettings:
    """The network settings of a folder; `DataError` if they are damaged, or do not fit its tags."""
    path = folder / MANIFEST
    described = manifest["settings"]["model"]
    try:
        head, detection, cases = (described[name] for name in ("head", "detection", "case_embedding"))
        early_exit, n_tags = described.get("early_exit"), described.get("n_tags")
    except (KeyError, TypeError, AttributeError) as error:
        raise DataError(f"{path}: settings.model does not describe a tagger's network ({error!r})") from error
    if head not in HEADS or not isinstance(detection, bool) or not isinstance(cases, bool):
        raise DataError(f"{path}: settings.model needs a head ({', '.join(HEADS)}), detection and case_embedding")
    if early_exit is not None and (not is_count(early_exit) or early_exit < 1):
        raise DataError(f"{path}: early_exit is {early_exit!r}, not a number of layers")
    if n_tags != len(tags):
        raise DataError(f"{folder}: the manifest speaks of {n_tags} tags, tags.json has {len(tags)}")
    return NetworkSettings(head, detection, cases, early_exit, len(tags))


def manifest_of(
    language: str, settings: TaggerSettings, vocabulary: Vocabulary, training: Mapping[str, Any]
) -> dict[str, Any]:
    """What `errata.json` says; enough to build the network again."""
    return {
        "system": "tagger",
        "language": language,
        "format": FORMAT,
        "settings": {
            "model": {
                "inventory": settings.inventory,
                "head": settings.head,
                "case_embedding": settings.case_embedding,
                "detection": settings.has_detection,
                "early_exit": settings.early_exit,
                "n_tags": len(vocabulary.tags),
            },
            "max_positions": vocabulary.subwords.max_positions,
            "max_tokens": settings.max_tokens,
            "decoding": dataclasses.asdict(settings.decoding),
        },
        "training": dict(training),
    }


def save_model(folder: Path, model: TaggerModel, vocabulary: Vocabulary, manifest: Mapping[str, Any]) -> None:
    """Write a complete folder."""
    from errata.networks.encoder import save_encoder
    from errata.networks.weights import WEIGHTS, save_weights

    write_manifest(folder, manifest)
    vocabulary.save(folder)
    save_encoder(model.encoder, folder)
    save_weights(model, folder / WEIGHTS)


def make_model(
    encoder: Any,
    hidden: int,
    vocabulary: Vocabulary,
    *,
    head: str,
    detection: bool,
    case_embedding: bool,
    early_exit: int | None = None,
    dropout: float = 0.0,
) -> TaggerModel:
    """The network around an encoder."""
    from errata.systems.tagger.model import TaggerModel

    return TaggerModel(
        encoder,
        hidden,
        vocabulary.tags,
        has_detection=detection,
        has_cases=case_embedding,
        is_factored=head == "factored",
        early_exit=early_exit,
        dropout=dropout,
    )


def load_model(folder: Path, manifest: Mapping[str, Any], vocabulary: Vocabulary) -> TaggerModel:
    """The network in a folder, strictly: its weights are exactly those the manifest and the tags ask for."""
    from errata.networks.encoder import load_encoder
    from errata.networks.weights import load_weights

    settings = read_settings(folder, manifest, vocabulary.tags)
    encoder, hidden = load_encoder(folder)
    model = make_model(
        encoder,
        hidden,
        vocabulary,
        head=settings.head,
        detection=settings.has_detection,
        case_embedding=settings.has_cases,
        early_exit=settings.early_exit,
    )
    load_weights(model, folder)
    return model.eval()
