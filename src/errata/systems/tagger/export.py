"""A trained tagger as a folder that corrects with our own kernels or onnxruntime, tokenizers and numpy alone."""

from __future__ import annotations

import tempfile
from pathlib import Path

import torch
from torch import nn

from errata.errors import DataError
from errata.networks.bits import Bits
from errata.networks.encoder import save_encoder
from errata.networks.export import export_checked, name_of
from errata.networks.shrink import store_weights
from errata.networks.stored import WeightWriter
from errata.systems.exported import exporting
from errata.systems.manifest import read_manifest
from errata.systems.tagger.model import TaggerModel
from errata.systems.tagger.runtime import INPUTS, ONNX, OUTPUTS
from errata.systems.tagger.saved import load_model
from errata.systems.tagger.vocabulary import Vocabulary

# Two sentences of unequal length: axes of length 1 could be taken for constants.
EXAMPLE = {
    "ids": torch.tensor([[3, 1, 2, 3, 2, 3], [3, 2, 1, 3, 0, 0]]),
    "mask": torch.tensor([[1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 0, 0]]),
    "cases": torch.tensor([[0, 1, 1, 0, 2, 0], [0, 3, 0, 0, 0, 0]]),
    "first": torch.tensor([[0, 1, 3, 4], [0, 1, 2, 0]]),
}
AXES = {
    **{name: ("sentences", "slots" if name == "first" else "subwords") for name in INPUTS},
    **dict.fromkeys(OUTPUTS, ("sentences", "slots")),
}


class _Answering(nn.Module):
    def __init__(self, model: TaggerModel) -> None:
        super().__init__()
        self.model = model

    def forward(
        self, ids: torch.Tensor, mask: torch.Tensor, cases: torch.Tensor, first: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        return tuple(self.model.answers(ids, mask, cases, first))


def export_tagger(
    folder: Path, out: Path, *, small: bool = True, bits: Bits | None = None, exit_below: float | None = None
) -> None:
    """Write the tagger in `folder` to the folder `out` as ONNX, with weights our own kernels read too.

    `small` stores the weights in few bits: unless `bits` says otherwise, 8 (embeddings, heads) and 10 (layers). That
    takes less than a third of the space and changes the edits of a few sentences in a thousand. Arithmetic stays as
    precise as with floats. `exit_below` is for models with an early exit: a word is done there if an error in it is
    less probable than this. A larger number is faster and misses more errors.
    """
    manifest = read_manifest(folder)
    settings = manifest["settings"]
    vocabulary = Vocabulary.load(folder, settings["model"]["inventory"], settings["max_positions"])
    model = load_model(folder, manifest, vocabulary)
    if exit_below is not None:
        if model.early is None:
            raise DataError(f"{folder} has no early exit; train it with model.early_exit")
        model.exit_below.fill_(exit_below)
    table = name_of(model, model.embeddings.weight)
    with (
        exporting(folder, out, manifest, format="onnx", int8=small) as beside,
        tempfile.TemporaryDirectory() as scratch,
    ):
        plain = Path(scratch, ONNX)
        inputs = {name: EXAMPLE[name] for name in INPUTS}
        export_checked(_Answering(model), inputs, AXES, plain, keep_names=True)
        writer = WeightWriter(beside)
        store_weights(plain, beside / ONNX, writer, tables={table}, small=small, bits=bits)
        writer.close()
        vocabulary.save(beside)
        save_encoder(model.encoder, beside)
