"""A trained classifier as an ONNX folder, which judges with onnxruntime, tokenizers and numpy alone."""

from __future__ import annotations

import tempfile
from pathlib import Path

import torch
from torch import nn

from errata.networks.bits import Bits
from errata.networks.export import export_checked, name_of
from errata.networks.shrink import store_weights
from errata.networks.stored import WeightWriter
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


def export_classifier(folder: Path, out: Path, *, small: bool = True, bits: Bits | None = None) -> None:
    """Write the classifier in `folder` to the new folder `out` as ONNX.

    `small` stores weights in few bits (`bits`), as for taggers. They are multiplied as floats: multiplying in 8 bits
    would change labels.
    """
    manifest = read_manifest(folder)
    settings = manifest["settings"]
    subwords = Subwords.load(folder, settings["max_positions"])
    model = load_model(folder, len(settings["thresholds"]))
    table = name_of(model, model.encoder.get_input_embeddings().weight)  # type: ignore[operator]
    batch = {"ids": torch.full((2, 6), subwords.start), "mask": torch.tensor([[1] * 6, [1] * 4 + [0] * 2])}
    with (
        exporting(folder, out, manifest, format="onnx", int8=small) as beside,
        tempfile.TemporaryDirectory() as scratch,
    ):
        plain, writer = Path(scratch, ONNX), WeightWriter(beside)
        export_checked(_Answering(model), batch, AXES, plain, keep_names=True)
        store_weights(plain, beside / ONNX, writer, tables={table}, small=small, bits=bits)
        writer.close()
        subwords.save(beside)
