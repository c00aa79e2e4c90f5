"""The encoder of a trained or installed tagger, to train something else on: it has seen errors already."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import DataError
from errata.networks.subwords import Subwords
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
    settings = read_folder_settings(folder, manifest)
    model = load_model(folder, manifest, Vocabulary.load(folder, settings.inventory, settings.max_positions))
    cases = None if model.cases is None else model.cases.weight.detach()
    return Borrowed(model.encoder, model.embeddings.embedding_dim, cases)


def _read_tagger(folder: Path) -> Manifest:
    manifest = read_manifest(folder)
    if manifest.get("system") != "tagger":
        raise DataError(f"{folder} is no tagger but {manifest.get('system')}: its encoder cannot be taken")
    return manifest
