"""IMPARA's folder: the ranking encoder with its score, and in `similarity` the encoder that is not trained."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from errata.errors import DataError
from errata.files import read_json
from errata.systems.manifest import FORMAT, write_manifest

if TYPE_CHECKING:
    from errata.judges.impara.model import RankingModel
    from errata.judges.impara.settings import ImparaSettings
    from errata.judges.sentence_model import SentenceModel
    from errata.networks.subwords import Subwords

SIMILARITY = "similarity"
SCORE = "score.json"


def save_judge(
    folder: Path,
    model: RankingModel,
    subwords: Subwords,
    similarity: tuple[SentenceModel, Subwords],
    language: str,
    settings: ImparaSettings,
    training: Mapping[str, Any],
    scale: float = 1.0,
) -> None:
    """Write a complete folder; the network's scores are multiplied by `scale`."""
    from errata.judges.saved_vectors import save_sentence_model

    save_sentence_model(folder, model.sentences, subwords)
    save_sentence_model(folder / SIMILARITY, *similarity)
    weight, bias = model.score.weight.detach().cpu()[0], model.score.bias.detach().cpu()[0]
    write_score(folder, weight.numpy().astype(float), float(bias), scale)
    write_manifest(
        folder,
        {
            "system": "impara",
            "language": language,
            "format": FORMAT,
            "settings": {"threshold": settings.threshold},
            "training": dict(training),
        },
    )


def write_score(folder: Path, weight: np.ndarray, bias: float, scale: float = 1.0) -> None:
    """Write what `read_score` reads."""
    written = {"weight": (scale * weight).tolist(), "bias": scale * bias}
    (folder / SCORE).write_text(json.dumps(written) + "\n", encoding="utf-8")


def read_score(folder: Path, hidden: int) -> tuple[np.ndarray, float]:
    """What turns the vector of a sentence into its score: weights (hidden,) and a constant."""
    path = folder / SCORE
    described = read_json(path)
    fault = DataError(f"{path} is not {hidden} weights and a bias, finite numbers: copy or export the folder again")
    try:
        weight, bias = np.asarray(described["weight"], float), float(described["bias"])
    except (KeyError, TypeError, ValueError) as error:
        raise fault from error
    is_number = not isinstance(described["bias"], bool | str)
    if weight.shape != (hidden,) or not is_number or not (np.isfinite(weight).all() and np.isfinite(bias)):
        raise fault
    return weight, bias
