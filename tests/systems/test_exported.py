"""Exported folders: where the network is missing, the message names it and not the weights of training."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from errata.errors import DataError
from errata.networks.weights import WEIGHTS
from errata.systems.exported import has_exported
from errata.systems.installed import bundled_folder
from errata.systems.tagger import Tagger

EXPORT = {"export": {"format": "onnx", "files": ["model.onnx"]}}


@pytest.mark.parametrize("network", ["model.onnx", "ct2"])
def test_an_export_without_its_network_is_refused(tmp_path: Path, network: str) -> None:
    assert not has_exported(tmp_path / network, {})
    with pytest.raises(DataError, match=rf"{network} is missing, the network of this exported model"):
        has_exported(tmp_path / network, EXPORT)
    (tmp_path / WEIGHTS).touch()  # those of torch are there
    assert not has_exported(tmp_path / network, EXPORT)


@pytest.mark.parametrize("name", ["model.onnx", "model.onnx.part0", "ct2/model.bin"])
def test_a_network_is_there(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).touch()
    assert has_exported(tmp_path / name.split(".part")[0].split("/")[0], EXPORT)


def test_a_bundled_model_without_its_network(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(bundled_folder("en-small"), folder, ignore=shutil.ignore_patterns("model.onnx"))
    assert "export" in json.loads((folder / "errata.json").read_text())
    with pytest.raises(DataError, match=r"model\.onnx is missing") as caught:
        Tagger.load(folder)
    assert WEIGHTS not in str(caught.value)
