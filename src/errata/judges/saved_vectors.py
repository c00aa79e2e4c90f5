"""A sentence model's folder: shape, tokenizer, encoder configuration, weights; and the same for use without torch."""

from __future__ import annotations

import tempfile
from pathlib import Path

import torch

from errata.judges.sentence_model import SentenceModel
from errata.judges.vectors import INPUTS, ONNX, OUTPUT, VectorShape
from errata.networks.bits import Bits
from errata.networks.encoder import load_encoder, save_encoder
from errata.networks.export import export_checked, name_of
from errata.networks.stored import WeightWriter
from errata.networks.subwords import Subwords
from errata.networks.weights import WEIGHTS, load_weights, save_weights

AXES = {**dict.fromkeys(INPUTS, ("sentences", "subwords")), OUTPUT: ("sentences",)}


def save_sentence_model(folder: Path, model: SentenceModel, subwords: Subwords) -> None:
    """Write a complete folder."""
    folder.mkdir(parents=True, exist_ok=True)
    _shape(model, subwords).write(folder)
    subwords.save(folder)
    save_encoder(model.encoder, folder)
    save_weights(model, folder / WEIGHTS)


def load_sentence_model(folder: Path) -> SentenceModel:
    """The network in a folder, strictly."""
    shape = VectorShape.read(folder)
    encoder, hidden = load_encoder(folder)
    model = SentenceModel(encoder, hidden, shape.pooling, has_cases=shape.has_cases)
    load_weights(model, folder / WEIGHTS)
    return model.eval()


def export_sentence_model(
    folder: Path, out: Path, *, small: bool = True, bits: Bits | None = None, model: SentenceModel | None = None
) -> None:
    """Write the sentence model in `folder` to `out`, where it runs without torch: as ONNX and for our own kernels.

    `model` is the one to write, if it is not all of the folder's weights.
    """
    from errata.networks.shrink import store_weights  # needs onnx, which a machine that only trains has not

    shape = VectorShape.read(folder)
    subwords = Subwords.load(folder, shape.max_positions)
    model = load_sentence_model(folder) if model is None else model
    out.mkdir(parents=True, exist_ok=True)
    batch = {
        "ids": torch.full((2, 6), subwords.start),
        "mask": torch.tensor([[1] * 6, [1] * 4 + [0] * 2]),
        "cases": torch.tensor([[0, 1, 2, 3, 0, 0], [0, 1, 0, 0, 0, 0]]),
    }
    with tempfile.TemporaryDirectory() as scratch:
        plain, writer = Path(scratch, ONNX), WeightWriter(out)
        export_checked(_Wrapped(model), batch, AXES, plain, keep_names=True)
        table = name_of(model, model.embeddings.weight)
        store_weights(plain, out / ONNX, writer, tables={table}, small=small, bits=bits)
        for name, weights in model.named_parameters():
            if name not in writer:  # ONNX has equal weights once: norms of encoders that nobody trained
                writer.add(name, weights.detach().numpy())
        writer.close()
    shape.write(out)
    subwords.save(out)
    save_encoder(model.encoder, out)


class _Wrapped(torch.nn.Module):
    """The model under a name: stored weights leave out the first part of theirs."""

    def __init__(self, model: SentenceModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, cases: torch.Tensor) -> torch.Tensor:
        return self.model(ids, mask, cases)  # type: ignore[no-any-return]


def _shape(model: SentenceModel, subwords: Subwords) -> VectorShape:
    return VectorShape(model.hidden, model.pooling, model.cases is not None, subwords.max_positions)
