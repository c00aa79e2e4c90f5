"""An exported tagger as a start of training: its weights become floats again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from errata.errors import DataError
from errata.networks.weights import read_weights
from errata.systems.manifest import read_manifest
from errata.systems.tagger.export import export_tagger
from errata.systems.tagger.saved import load_model, read_folder_settings
from errata.systems.tagger.vocabulary import Vocabulary
from errata.training.checkpoints import start_from


@pytest.mark.parametrize("is_small", [False, True])
def test_an_export_can_be_trained_on(is_small: bool, trained: Callable[[str], Path], tmp_path: Path) -> None:
    folder, out = trained("en"), tmp_path / "onnx"
    export_tagger(folder, out, small=is_small)
    kept, stored = read_weights(folder), read_weights(out)
    assert kept.keys() == stored.keys()
    for name, weight in kept.items():
        reach = 0.02 * float(weight.abs().max()) if is_small else 0.0
        assert torch.allclose(stored[name], weight, rtol=0, atol=reach), name
    manifest = read_manifest(out)
    settings = read_folder_settings(out, manifest)
    model = load_model(out, manifest, Vocabulary.load(out, settings.inventory, settings.max_positions))
    weight = model.get_parameter("tags.weight")
    torch.nn.init.zeros_(weight)
    start_from(model, out, torch.device("cpu"))
    assert torch.equal(weight, stored["tags.weight"])


def test_a_folder_without_weights_cannot_be_trained_on(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"has no weights to train on: neither model\.safetensors nor weights\.json"):
        read_weights(tmp_path)
