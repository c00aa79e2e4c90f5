"""A trained tagger as a folder that corrects with our own kernels or onnxruntime, tokenizers and numpy alone."""

from __future__ import annotations

import tempfile
from pathlib import Path

import torch
from torch import nn

from errata.errors import DataError
from errata.networks.encoder import save_encoder
from errata.networks.export import export_checked
from errata.systems.exported import exporting
from errata.systems.manifest import read_manifest
from errata.systems.tagger.model import TaggerModel
from errata.systems.tagger.runtime import INPUTS, ONNX, OUTPUTS
from errata.systems.tagger.saved import load_model
from errata.systems.tagger.shrink import LAYER_BITS, store_weights
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
    folder: Path, out: Path, *, int8: bool = True, layer_bits: int = LAYER_BITS, exit_below: float | None = None
) -> None:
    """Write the tagger in `folder` to the folder `out` as ONNX, with weights our own kernels read too.

    `int8` stores the weights in 8 bits (embeddings, heads) and 10 (layers): less than a third of the size, and edits
    stay what they were in all but a few sentences of a thousand; with 8 `layer_bits` in a few of a hundred. All
    arithmetic is as precise as with floats. `exit_below` is the probability of error at a model's early exit under
    which a word is done: the larger, the faster, and the more errors are missed.
    """
    manifest = read_manifest(folder)
    settings = manifest["settings"]
    vocabulary = Vocabulary.load(folder, settings["model"]["inventory"], settings["max_positions"])
    model = load_model(folder, manifest, vocabulary)
    if exit_below is not None:
        if model.early is None:
            raise DataError(f"{folder} has no early exit; train it with model.early_exit")
        model.exit_below.fill_(exit_below)
    table = next(name for name, weights in model.named_parameters() if weights is model.embeddings.weight)
    with exporting(folder, out, manifest, format="onnx", int8=int8) as beside, tempfile.TemporaryDirectory() as scratch:
        plain = Path(scratch, ONNX)
        inputs = {name: EXAMPLE[name] for name in INPUTS}
        export_checked(_Answering(model), inputs, AXES, plain, keep_names=True)
        store_weights(plain, beside / ONNX, table=table, small=int8, layer_bits=layer_bits)
        vocabulary.save(beside)
        save_encoder(model.encoder, beside)
