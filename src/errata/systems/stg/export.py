"""A trained STG as an ONNX folder, which corrects with onnxruntime, tokenizers and numpy alone."""

from __future__ import annotations

import tempfile
from pathlib import Path

import torch
from torch import nn

from errata.networks.bits import Bits
from errata.networks.export import export_checked, name_of
from errata.networks.shrink import store_weights
from errata.networks.stored import WeightWriter
from errata.systems.exported import exporting
from errata.systems.manifest import read_manifest
from errata.systems.stg.model import GENERATOR, SWITCH, TAGGER, StgModel
from errata.systems.stg.runtime import FILL_INPUTS, FILL_OUTPUTS, FILLER, READ_INPUTS, READ_OUTPUTS, READER
from errata.systems.stg.saved import load_model
from errata.systems.stg.subwords import NO_HINT, StgSubwords

SUBWORDS, SLOTS, MASKS = ("sentences", "subwords"), ("sentences", "slots"), ("sentences", "masks")
AXES = {
    "ids": SUBWORDS, "mask": SUBWORDS, "hints": SUBWORDS, "first": SLOTS, "where": MASKS,
    "pointers": ("sentences", "slots", "slots"), "tags": SLOTS, "counts": SLOTS, "piece": MASKS, "probability": MASKS,
}  # fmt: skip


class _Part(nn.Module):
    """One method of the model as a network."""

    def __init__(self, model: StgModel, method: str) -> None:
        super().__init__()
        self.model, self.method = model, method

    def forward(self, *inputs: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return tuple(getattr(self.model, self.method)(*inputs))


def export_stg(folder: Path, out: Path, *, small: bool = True, bits: Bits | None = None) -> None:
    """Write STG in `folder` to the new folder `out` as ONNX; the two networks share their weights.

    `small` stores weights in few bits (`bits`), as for taggers. They are multiplied as floats: multiplying in 8 bits
    would change corrections.
    """
    manifest = read_manifest(folder)
    subwords = StgSubwords.load(folder, manifest["settings"]["max_positions"], manifest["language"])
    model = load_model(folder, manifest, subwords)
    ids = torch.full((2, 6), subwords.base.start)
    mask = torch.tensor([[1] * 6, [1] * 4 + [0] * 2])
    hints = torch.full_like(ids, NO_HINT)
    hints[0, 1] = subwords.base.end
    batch = {
        "ids": ids,
        "mask": mask,
        "hints": hints,
        "first": torch.tensor([[0, 1, 2, 3, 4], [0, 1, 2, 0, 0]]),
        "where": torch.tensor([[1, 2, 3], [2, 0, 0]]),
    }
    tables = {name_of(model, model.embeddings(stage).weight) for stage in (SWITCH, TAGGER, GENERATOR)}
    with (
        exporting(folder, out, manifest, format="onnx", int8=small) as beside,
        tempfile.TemporaryDirectory() as scratch,
    ):
        writer = WeightWriter(beside)
        for method, inputs, outputs, name in (
            ("read", READ_INPUTS, READ_OUTPUTS, READER),
            ("fill", FILL_INPUTS, FILL_OUTPUTS, FILLER),
        ):
            plain, axes = Path(scratch, name), {axis: AXES[axis] for axis in (*inputs, *outputs)}
            given = {one: batch[one] for one in inputs}
            export_checked(_Part(model, method), given, axes, plain, keep_names=True)
            store_weights(plain, beside / name, writer, tables=tables, small=small, bits=bits)
        writer.close()
        subwords.base.save(beside)
