"""A classifier's folder: manifest with thresholds, tokenizer, encoder configuration, weights."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errata.networks.subwords import Subwords
from errata.systems.manifest import FORMAT, write_manifest

if TYPE_CHECKING:
    from errata.systems.classifier.model import ClassifierModel
    from errata.systems.classifier.settings import ClassifierSettings


def manifest_of(
    language: str, settings: ClassifierSettings, thresholds: Mapping[str, float], training: Mapping[str, Any]
) -> dict[str, Any]:
    """What `errata.json` says; the thresholds name the network's outputs in their order."""
    return {
        "system": "classifier",
        "language": language,
        "format": FORMAT,
        "settings": {
            "task": settings.task,
            "thresholds": dict(thresholds),
            "max_positions": settings.backbone.positions,
            "max_tokens": settings.max_tokens,
        },
        "training": dict(training),
    }


def save_model(folder: Path, model: ClassifierModel, subwords: Subwords, manifest: Mapping[str, Any]) -> None:
    """Write a complete folder."""
    from errata.networks.encoder import save_encoder
    from errata.networks.weights import WEIGHTS, save_weights

    write_manifest(folder, manifest)
    subwords.save(folder)
    save_encoder(model.encoder, folder)
    save_weights(model, folder / WEIGHTS)


def load_model(folder: Path, n_labels: int) -> ClassifierModel:
    """The network in a folder, strictly."""
    from errata.networks.encoder import load_encoder
    from errata.networks.weights import WEIGHTS, load_weights
    from errata.systems.classifier.model import ClassifierModel

    encoder, hidden = load_encoder(folder)
    model = ClassifierModel(encoder, hidden, n_labels)
    load_weights(model, folder / WEIGHTS)
    return model.eval()
