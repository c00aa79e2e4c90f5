"""A trained or exported tagger as the start of a recipe: what is to be said of it need not be written there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from errata.errors import DataError
from errata.networks.weights import has_weights
from errata.systems.installed import find_model
from errata.systems.manifest import read_manifest, read_name
from errata.systems.tagger.saved import read_folder_settings, read_settings
from errata.systems.tagger.vocabulary import Vocabulary


def starting_point(name: str) -> dict[str, Any]:
    """The sections of a recipe that goes on from a tagger: its network, tags, words, decoding and weights.

    `name` is that of an installed model, or a folder as a path from the current one.
    """
    folder = find_model(name)
    manifest = read_manifest(folder)
    if (system := read_name(folder, manifest, "system")) != "tagger":
        raise DataError(f"{name} cannot be trained on as a tagger: it is of the kind {system}")
    if not has_weights(folder):
        raise DataError(f"{name} has no weights to train on")
    own = read_folder_settings(folder, manifest)
    tags = Vocabulary.load(folder, own.inventory, own.max_positions).tags
    network = read_settings(folder, manifest, tags)
    model = {
        "backbone": {"name": _portable(folder), "positions": own.max_positions},
        "vocabulary": folder.resolve(),
        "inventory": own.inventory,
        "head": network.head,
        "case_embedding": network.has_cases,
        "early_exit": network.early_exit,
        "max_tokens": own.max_tokens,
        "decoding": {
            "keep_bias": own.decoding.keep_bias,
            "min_error_probability": own.decoding.min_error_probability,
            "passes": own.decoding.passes,
        },
        **({} if network.has_detection else {"detection_weight": 0}),
    }
    return {"language": own.language, "model": model, "run": {"start_from": _portable(folder)}}


def _portable(folder: Path) -> str:
    """The folder as seen from the current one: the same on every machine with the same layout."""
    return f"./{Path(os.path.relpath(folder)).as_posix()}"
