"""A trained tagger as an ONNX folder, which corrects with onnxruntime, tokenizers and numpy alone."""

from __future__ import annotations

import tempfile
from pathlib import Path

import torch
from torch import nn

from errata.systems.base import read_manifest
from errata.systems.onnx import split_file
from errata.systems.tagger.model import TaggerModel
from errata.systems.tagger.runtime import INPUTS, ONNX, OUTPUTS
from errata.systems.tagger.saved import load_model, write_manifest
from errata.systems.tagger.shrink import shrink
from errata.systems.tagger.vocabulary import Vocabulary
from errata.train.export import export_checked, quantise
from errata.train.files import replacing_folder

# Two sentences of unequal length: axes of length 1 could be taken for constants.
EXAMPLE = {
    "ids": torch.tensor([[3, 1, 2, 3, 2, 3], [3, 2, 1, 3, 0, 0]]),
    "mask": torch.tensor([[1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 0, 0]]),
    "cases": torch.tensor([[0, 1, 1, 0, 2, 0], [0, 3, 0, 0, 0, 0]]),
    "first": torch.tensor([[0, 1, 3, 4], [0, 1, 2, 0]]),
}
AXES = {
    **{name: ("sentences", "slots" if name == "first" else "pieces") for name in INPUTS},
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


def export_tagger(folder: Path, out: Path, *, int8: bool = True, exact: bool = False) -> None:
    """Write the tagger in `folder` to the folder `out` as ONNX.

    `int8` stores weights in 8 bits and multiplies in 8 bits: smallest and fastest, but close calls may come out
    differently. With `exact` too, they are stored in 8 bits and multiplied as floats: as small, and edits stay what
    they were in all but a few sentences.
    """
    manifest = read_manifest(folder)
    settings = manifest["settings"]
    vocabulary = Vocabulary.load(folder, settings["model"]["inventory"], settings["max_positions"])
    model = load_model(folder, manifest, vocabulary)
    with replacing_folder(out) as beside, tempfile.TemporaryDirectory() as scratch:
        plain, small = Path(scratch, ONNX), Path(scratch, "small.onnx")
        export_checked(_Answering(model), {name: EXAMPLE[name] for name in INPUTS}, AXES, plain)
        if int8:
            fixed = shrink(plain, small, weights=exact)
            if exact:
                (beside / ONNX).write_bytes(small.read_bytes())
            else:
                quantise(small, beside / ONNX, keep_float=fixed)
        else:
            (beside / ONNX).write_bytes(plain.read_bytes())
        split_file(beside / ONNX)
        vocabulary.save(beside)
        write_manifest(beside, {**manifest, "export": {"format": "onnx", "int8": int8, "exact": exact or not int8}})
