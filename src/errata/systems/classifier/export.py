"""A trained classifier as an ONNX folder, which judges with onnxruntime, tokenizers and numpy alone."""

from __future__ import annotations

import tempfile
from pathlib import Path

import torch
from torch import nn

from errata.networks.export import export_checked, quantise
from errata.networks.subwords import Subwords
from errata.systems.classifier.model import ClassifierModel
from errata.systems.classifier.runtime import ONNX, OUTPUT
from errata.systems.classifier.saved import load_model
from errata.systems.exported import exporting
from errata.systems.manifest import read_manifest

AXES = {"ids": ("sentences", "subwords"), "mask": ("sentences", "subwords"), OUTPUT: ("sentences",)}


class _Answering(nn.Module):
    def __init__(self, model: ClassifierModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return self.model.probabilities(ids, mask)


def export_classifier(folder: Path, out: Path, *, int8: bool = True) -> None:
    """Write the classifier in `folder` to the new folder `out` as ONNX; `int8` stores weights in 8 bits."""
    manifest = read_manifest(folder)
    settings = manifest["settings"]
    subwords = Subwords.load(folder, settings["max_positions"])
    model = _Answering(load_model(folder, len(settings["thresholds"])))
    batch = {"ids": torch.full((2, 6), subwords.start), "mask": torch.tensor([[1] * 6, [1] * 4 + [0] * 2])}
    with exporting(folder, out, manifest, format="onnx", int8=int8) as beside, tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch, ONNX) if int8 else beside / ONNX
        export_checked(model, batch, AXES, target)
        if int8:
            quantise(target, beside / ONNX)
        subwords.save(beside)
