"""The encoder of a trained or installed tagger, to train something else on: it has seen errors already."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import DataError
from errata.networks.encoder import load_encoder
from errata.networks.stored import INDEX, StoredWeights
from errata.networks.subwords import N_CASES, Subwords
from errata.networks.weights import WEIGHTS
from errata.systems.manifest import Manifest, read_manifest
from errata.systems.tagger.saved import load_model, read_folder_settings
from errata.systems.tagger.vocabulary import Vocabulary

if TYPE_CHECKING:
    import torch
    from torch import nn


class Borrowed(NamedTuple):
    """An encoder with its width, and the tagger's vectors for the case of words if it has them."""

    encoder: nn.Module
    hidden: int
    cases: torch.Tensor | None


def borrow_subwords(folder: Path) -> Subwords:
    """How the tagger in a folder cuts words."""
    return Subwords.load(folder, read_folder_settings(folder, _read_tagger(folder)).max_positions)


def borrow_encoder(folder: Path) -> Borrowed:
    """The encoder of the tagger in a folder; weights in few bits become floats again."""
    manifest = _read_tagger(folder)
    if (folder / WEIGHTS).is_file():
        settings = read_folder_settings(folder, manifest)
        model = load_model(folder, manifest, Vocabulary.load(folder, settings.inventory, settings.max_positions))
        cases = None if model.cases is None else model.cases.weight.detach()
        return Borrowed(model.encoder, model.embeddings.embedding_dim, cases)
    return _from_stored(folder)


def _from_stored(folder: Path) -> Borrowed:
    import torch

    if not (folder / INDEX).is_file():
        raise DataError(f"{folder} has no weights to train on")
    stored = StoredWeights.load(folder)
    encoder, hidden = load_encoder(folder)
    with torch.no_grad():
        for name, parameter in encoder.named_parameters():
            parameter.copy_(torch.from_numpy(stored.floats(f"encoder.{name}", tuple(parameter.shape)).copy()))
    cases = None
    if "cases.weight" in stored:
        cases = torch.from_numpy(stored.floats("cases.weight", (N_CASES, hidden)).copy())
    return Borrowed(encoder, hidden, cases)


def _read_tagger(folder: Path) -> Manifest:
    manifest = read_manifest(folder)
    if manifest.get("system") != "tagger":
        raise DataError(f"{folder} is no tagger but {manifest.get('system')}: its encoder cannot be taken")
    return manifest
