"""STG's folder: manifest, tokenizer, encoder configuration, weights."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errata.errors import DataError
from errata.systems.manifest import FORMAT, write_manifest
from errata.systems.stg.data import TYPES
from errata.systems.stg.subwords import StgSubwords

if TYPE_CHECKING:
    from torch import nn

    from errata.systems.stg.model import StgModel
    from errata.systems.stg.settings import StgSettings


def manifest_of(settings: StgSettings, subwords: StgSubwords, training: Mapping[str, Any]) -> dict[str, Any]:
    """What `errata.json` says; enough to build the networks again."""
    return {
        "system": "stg",
        "language": subwords.language,
        "format": FORMAT,
        "settings": {
            "model": shape_of(settings),
            "max_positions": subwords.base.max_positions,
            "max_tokens": settings.max_tokens,
            "decoding": dataclasses.asdict(settings.decoding),
        },
        "training": dict(training),
    }


def shape_of(settings: StgSettings) -> dict[str, Any]:
    """What decides which weights there are."""
    return {
        "training": settings.training,
        "max_insert": settings.max_insert,
        "hints": settings.hints,
        "types": bool(settings.loss.types),
    }


def make_model(
    encoders: Sequence[nn.Module], hidden: int, subwords: StgSubwords, shape: Mapping[str, Any], dropout: float = 0.0
) -> StgModel:
    """The networks around encoders."""
    from errata.systems.stg.model import StgModel

    return StgModel(
        encoders,
        hidden,
        max_insert=shape["max_insert"],
        n_types=len(TYPES) if shape["types"] else 0,
        fillable=list(subwords.fills),
        has_hints=shape["hints"],
        dropout=dropout,
    )


def n_encoders(shape: Mapping[str, Any]) -> int:
    """One for all modules, or one for each."""
    return 1 if shape["training"] == "joint" else 3


def save_model(folder: Path, model: StgModel, subwords: StgSubwords, manifest: Mapping[str, Any]) -> None:
    """Write a complete folder."""
    from errata.networks.encoder import save_encoder
    from errata.networks.weights import WEIGHTS, save_weights

    write_manifest(folder, manifest)
    subwords.base.save(folder)
    save_encoder(model.encoders[0], folder)
    save_weights(model, folder / WEIGHTS)


def load_model(folder: Path, manifest: Mapping[str, Any], subwords: StgSubwords) -> StgModel:
    """The networks in a folder, strictly: their weights are exactly those the manifest asks for."""
    from errata.networks.encoder import load_encoder
    from errata.networks.weights import WEIGHTS, load_weights

    shape = manifest["settings"]["model"]
    try:
        loaded = [load_encoder(folder) for _ in range(n_encoders(shape))]
        model = make_model([encoder for encoder, _ in loaded], loaded[0][1], subwords, shape)
    except KeyError as error:
        raise DataError(f"{folder} is not an STG this version reads: its manifest lacks {error}") from error
    load_weights(model, folder / WEIGHTS)
    return model.eval()
