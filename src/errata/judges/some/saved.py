"""SOME's folder: a sentence model, and the linear maps that rate its vectors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from errata.errors import DataError
from errata.files import read_json
from errata.systems.manifest import FORMAT, write_manifest

if TYPE_CHECKING:
    from errata.judges.some.model import RatingModel
    from errata.networks.subwords import Subwords

RATINGS = "ratings.json"


class Heads(NamedTuple):
    """Weights and constants: of what is read off the hypothesis (2, hidden), and off both (1, 2 hidden)."""

    alone: tuple[np.ndarray, np.ndarray]
    together: tuple[np.ndarray, np.ndarray]


def save_judge(
    folder: Path, model: RatingModel, subwords: Subwords, language: str, training: Mapping[str, Any]
) -> None:
    """Write a complete folder."""
    from errata.judges.saved_vectors import save_sentence_model

    save_sentence_model(folder, model.sentences, subwords)
    heads = {"alone": model.alone, "together": model.together}
    written = {
        name: {"weight": head.weight.detach().cpu().tolist(), "bias": head.bias.detach().cpu().tolist()}
        for name, head in heads.items()
    }
    (folder / RATINGS).write_text(json.dumps(written) + "\n", encoding="utf-8")
    write_manifest(
        folder,
        {"system": "some", "language": language, "format": FORMAT, "settings": {}, "training": dict(training)},
    )


def read_heads(folder: Path, hidden: int) -> Heads:
    """What turns vectors into ratings."""
    path = folder / RATINGS
    described = read_json(path)
    shapes = {"alone": (2, hidden), "together": (1, 2 * hidden)}
    found = {}
    for name, shape in shapes.items():
        try:
            weight, bias = (np.asarray(described[name][part], float) for part in ("weight", "bias"))
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(f"{path} does not describe ratings: {error}") from error
        if (
            weight.shape != shape
            or bias.shape != shape[:1]
            or not (np.isfinite(weight).all() and np.isfinite(bias).all())
        ):
            raise DataError(f"{path}: {name} is not {shape[0]} × {shape[1]} finite numbers and {shape[0]} more")
        found[name] = weight, bias
    return Heads(**found)
