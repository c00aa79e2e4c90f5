"""A tagger's folder: manifest, vocabulary, encoder configuration, weights."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errata.errors import DataError
from errata.systems.manifest import write_manifest
from errata.systems.tagger.vocabulary import Vocabulary

if TYPE_CHECKING:
    from errata.systems.tagger.model import TaggerModel
    from errata.systems.tagger.settings import TaggerSettings

FORMAT = 1


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
    from errata.networks.weights import WEIGHTS, load_weights

    described = manifest["settings"]["model"]
    if described.get("n_tags") != len(vocabulary.tags):
        raise DataError(
            f"{folder}: the manifest speaks of {described.get('n_tags')} tags, tags.json has {len(vocabulary.tags)}"
        )
    encoder, hidden = load_encoder(folder)
    shape = {name: described[name] for name in ("head", "detection", "case_embedding")}
    model = make_model(encoder, hidden, vocabulary, **shape, early_exit=described.get("early_exit"))
    load_weights(model, folder / WEIGHTS)
    return model.eval()
